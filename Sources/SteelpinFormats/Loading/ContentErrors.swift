// SPDX-License-Identifier: Apache-2.0
import Steelpin

/// Says in a person's words what a file is that holds no certificate, and what to do with it.
enum ContentErrors {
  /// A file of one thing that is no certificate.
  static func notCertificate(_ item: LoadedItem) -> LoadError {
    let advice: (reason: String, remedy: String) =
      switch item.kind {
      case .request:
        (
          "a request has no issuer or signature of a CA, so it cannot be an anchor",
          "to use its key as a backup pin:  steelpin pin show \(item.place.file)"
        )
      case .publicKey:
        (
          "a key alone has no name, dates or issuer, so it cannot be an anchor",
          "to use it as a pin:  steelpin pin show \(item.place.file)"
        )
      case .privateKey, .encryptedPrivateKey:
        (
          "a private key proves who a server is and belongs on that server only",
          "give the certificate instead, often in a .crt or .pem file beside the key"
        )
      case .revocationList:
        ("a revocation list names certificates but does not hold them", "give it where a revocation list is wanted")
      case .ocspResponse: ("an OCSP response says the state of a certificate", "give the certificate itself")
      case .other: ("it holds no certificate", "give the certificate itself")
      }
    return LoadError(
      .notCertificate, item.place, "is \(item.kind.phrase), not a certificate", reason: advice.reason,
      remedy: advice.remedy)
  }

  /// What the label of a PEM block says of a block whose content is not read.
  static func kind(ofLabel label: String, isEncrypted: Bool) -> ItemKind {
    guard label.hasSuffix("PRIVATE KEY") else { return .other }
    return isEncrypted || label.hasPrefix("ENCRYPTED") ? .encryptedPrivateKey : .privateKey
  }

  /// A file without a single byte that says anything.
  static func blank(_ bytes: [UInt8], _ place: FilePlace) -> LoadError {
    guard let first = bytes.first else {
      return LoadError(.empty, place, "is empty", remedy: "check the command that was to write it")
    }
    let what = first == 0 ? "only zero bytes" : "only blanks"
    return LoadError(.empty, place, "holds \(what)", remedy: "get it again from its source")
  }

  /// A binary format that is known and not read; nil if the bytes are of none.
  static func knownBinary(_ bytes: [UInt8], _ place: FilePlace) -> LoadError? {
    guard let format = binaryFormats.first(where: { bytes.dropFirst($0.offset).starts(with: $0.magic) }) else {
      return nil
    }
    return LoadError(.unsupported, place, "is \(format.name), not a certificate", remedy: format.remedy)
  }

  /// Text, or other bytes, without a certificate.
  static func unknown(_ bytes: [UInt8], _ place: FilePlace) -> LoadError {
    let text = bytes.prefix(4096).drop(while: isBlank)
    let lower = text.prefix(512).map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
    func starts(_ prefix: String) -> Bool { lower.starts(with: Array(prefix.utf8)) }
    if starts("<!doctype html") || starts("<html") || starts("<head") || starts("<body") {
      return LoadError(
        .unknownContent, place, "is an HTML page, not a certificate",
        reason: "a download that needs a login, or a wrong address, often ends like this",
        remedy: "open the page in a browser, or download with curl --fail")
    }
    if starts("<") {
      return LoadError(.unknownContent, place, "is XML without a certificate", remedy: "give the certificate itself")
    }
    if starts("{") || starts("[") {
      return LoadError(
        .unknownContent, place, "is JSON without a PEM certificate",
        reason: "an answer with an error message often ends up in a file like this",
        remedy: "look into it; take the certificate out with jq -r")
    }
    if starts("ssh-") || starts("ecdsa-sha2-") || starts("---- begin ssh2") || starts("putty-user-key") {
      return LoadError(
        .unsupported, place, "is an SSH key, not a certificate", reason: "SSH keys are no X.509",
        remedy: "give the certificate of the TLS server")
    }
    if starts("mime-version:") || starts("content-type:") {
      return LoadError(
        .unsupported, place, "is an S/MIME message, not a certificate",
        remedy: "take its certificates out:  openssl smime -pk7out -in \(place.file) -out certificates.p7b")
    }
    if isHexadecimal(text) {
      return LoadError(
        .unsupported, place, "is hexadecimal text", reason: "it may be the DER of a certificate written in digits",
        remedy: "turn it into bytes:  xxd -r -p \(place.file) > certificate.der")
    }
    guard text.allSatisfy({ $0 >= 0x20 || 9...13 ~= $0 }) else {
      return LoadError(
        .unknownContent, place, "is binary data of no known kind, not a certificate",
        remedy: "check that it is the file you mean, and that it was not encrypted or compressed")
    }
    return LoadError(
      .unknownContent, place, "is text without a certificate",
      reason: "there is no line -----BEGIN CERTIFICATE----- in it", remedy: "check that it is the file you mean")
  }

  /// Pairs of digits that start with 30, the tag of SEQUENCE, with blanks or colons between them.
  private static func isHexadecimal(_ text: ArraySlice<UInt8>) -> Bool {
    var digits = text.filter { !isBlank($0) && $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: ",") }
    if digits.starts(with: Array("0x".utf8)) { digits.removeAll { $0 == UInt8(ascii: "x") } }
    guard digits.count >= 16 else { return false }
    return digits.allSatisfy { 0x30...0x39 ~= $0 || 0x41...0x46 ~= $0 & 0xDF && $0 >= 0x41 }
  }

  private static let extract = "unpack it and give the certificate in it"
  private static let binaryFormats: [(magic: [UInt8], offset: Int, name: String, remedy: String)] = [
    ([0x50, 0x4B, 3, 4], 0, "a ZIP archive", "unpack it and give the certificates in it, which may be archives again"),
    ([0x1F, 0x8B], 0, "gzip data", "decompress it:  gunzip"),
    ([0x42, 0x5A, 0x68], 0, "bzip2 data", "decompress it:  bunzip2"),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A], 0, "xz data", "decompress it:  unxz"),
    ([0x28, 0xB5, 0x2F, 0xFD], 0, "Zstandard data", "decompress it:  unzstd"),
    ([0x37, 0x7A, 0xBC, 0xAF], 0, "a 7-Zip archive", extract),
    (Array("ustar".utf8), 257, "a tar archive", extract),
    (Array("%PDF".utf8), 0, "a PDF document", "ask for the certificate itself, as a .pem or .cer file"),
    (Array("SQLite format 3".utf8), 0, "an SQLite database", "if it is of NSS:  certutil -L -d DIRECTORY -n NAME -a"),
    ([0x89, 0x50, 0x4E, 0x47], 0, "a PNG picture", "ask for the certificate itself, as a .pem or .cer file"),
    ([0xFF, 0xD8, 0xFF], 0, "a JPEG picture", "ask for the certificate itself, as a .pem or .cer file"),
    ([0xD0, 0xCF, 0x11, 0xE0], 0, "an old Microsoft Office document", "ask for the certificate itself"),
    ([0x7F, 0x45, 0x4C, 0x46], 0, "a program", "check that it is the file you mean"),
    (
      [0, 0, 0, 0, 0x43, 0x45, 0x52, 0x54], 0, "a Microsoft serialised store",
      "export it as PKCS#7:  certutil -exportPFX, or the export dialog's .p7b"
    ),
    (Array("kych".utf8), 0, "a macOS keychain", "export from it:  security find-certificate -a -p FILE"),
    (Array("bplist".utf8), 0, "a binary property list", "export the certificate itself"),
  ]
}
