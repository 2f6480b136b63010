// SPDX-License-Identifier: Apache-2.0
public import Steelpin

/// What certificates can be written as.
public enum CertificateFormat: String, Sendable, Codable, CaseIterable {
  /// One DER certificate.
  case der
  /// PEM with LF and 64 columns (RFC 7468).
  case pem
  /// Public-key pins, one a line.
  case pins
  /// PKCS#12 with AES-256, PBKDF2 and HMAC-SHA-256; certificates only.
  case pkcs12
  /// PKCS#7, DER.
  case pkcs7
  /// PKCS#7, PEM.
  case pkcs7PEM = "pkcs7-pem"
  /// A description for people.
  case text

  /// The format that a file name asks for; nil if its extension says nothing.
  public init?(fileName: String) {
    let parts = fileName.split(separator: "/").last?.split(separator: ".") ?? []
    guard parts.count > 1, let ending = parts.last?.lowercased() else { return nil }
    switch ending {
    case "cer", "der": self = .der
    case "crt", "pem": self = .pem
    case "p7b", "p7c": self = .pkcs7
    case "p12", "pfx": self = .pkcs12
    case "pin", "pins": self = .pins
    case "txt": self = .text
    default: return nil
    }
  }

  /// The extension of files in this format, without its dot.
  public var fileExtension: String {
    switch self {
    case .der: "cer"
    case .pem: "pem"
    case .pins: "pins"
    case .pkcs12: "p12"
    case .pkcs7, .pkcs7PEM: "p7b"
    case .text: "txt"
    }
  }
}

/// Turns certificates into the bytes of a file.
public struct CertificateWriter: Sendable {
  /// The format.
  public var format: CertificateFormat
  /// Whether each certificate in PEM, and each pin, has a line before it that names its subject.
  public var hasComments: Bool
  /// Makes PKCS#12; nil if no backend is there for it.
  public var pkcs12: (any PKCS12Codec)?
  /// The password of PKCS#12, in UTF-8.
  public var password: [UInt8]

  /// A writer of a format.
  public init(
    _ format: CertificateFormat, hasComments: Bool = false, pkcs12: (any PKCS12Codec)? = nil, password: [UInt8] = []
  ) {
    self.format = format
    self.hasComments = hasComments
    self.pkcs12 = pkcs12
    self.password = password
  }

  /// The bytes of a file with the certificates, in their order; `name` is the file's, for messages.
  ///
  /// Throws ``LoadError`` if the format cannot hold them. What was encoded is loaded again and compared before it is
  /// handed out, so that the DER of what goes in is the DER that comes out.
  public func encode(_ certificates: [Certificate], name: String) throws(LoadError) -> [UInt8] {
    let place = FilePlace(file: name)
    guard let first = certificates.first else { throw LoadError.nothingToWrite(name) }
    let bytes: [UInt8]
    switch format {
    case .der:
      guard certificates.count == 1 else {
        throw LoadError(
          .unsupported, place, "a DER file holds one certificate, and there are \(certificates.count)",
          remedy: "write PKCS#7 with --to pkcs7, one file each with --split DIR, or the leaf with --leaf-only")
      }
      bytes = first.der
    case .pem: bytes = certificates.reduce(into: []) { appendPEM($1, to: &$0) }
    case .pins: bytes = certificates.reduce(into: []) { appendPin($1, to: &$0) }
    case .pkcs12: bytes = try seal(certificates, place)
    case .pkcs7: bytes = PKCS7.encode(certificates.map(\.der))
    case .pkcs7PEM:
      var text: [UInt8] = []
      PEMText.append(PKCS7.encode(certificates.map(\.der)), label: "PKCS7", to: &text)
      bytes = text
    case .text: bytes = Array(certificates.map(CertificateDescription.bytes).joined(separator: [10]))
    }
    try check(bytes, against: certificates, name)
    return bytes
  }

  /// The bytes of one certificate in a format that needs no codec; for whoever compares what it wrote itself.
  package func piece(of certificate: Certificate) -> [UInt8] {
    var bytes: [UInt8] = []
    switch format {
    case .pins: appendPin(certificate, to: &bytes)
    case .text: bytes = CertificateDescription.bytes(of: certificate)
    case .pem: appendPEM(certificate, to: &bytes)
    default: bytes = certificate.der
    }
    return bytes
  }

  /// The bytes of a certificate of a bundle, which is not parsed where its outline says enough.
  package func piece(of item: BundleStream.Item) throws(CertificateError) -> ArraySlice<UInt8> {
    if !hasComments, let outline = item.outline {
      switch format {
      case .der: return item.der
      case .pem where item.isCanonical: return item.text
      case .pins:
        let pin = Pin(.publicKey, SHA256Digest(of: item.der[outline.publicKey]))
        return Array("\(pin)\n".utf8)[...]
      default: break
      }
    }
    return try piece(of: item.certificate())[...]
  }

  func appendPEM(_ certificate: Certificate, to text: inout [UInt8]) {
    if hasComments { text += "# \(CertificateDescription.name(of: certificate))\n".utf8 }
    PEMText.append(certificate.der, label: "CERTIFICATE", to: &text)
  }

  func appendPin(_ certificate: Certificate, to text: inout [UInt8]) {
    if hasComments { text += "# \(CertificateDescription.name(of: certificate))\n".utf8 }
    text += "\(Pin(.publicKey, of: certificate))\n".utf8
  }

  private func seal(_ certificates: [Certificate], _ place: FilePlace) throws(LoadError) -> [UInt8] {
    guard let pkcs12 else {
      throw LoadError(
        .backendUnavailable, place, "no library to make PKCS#12 is compiled in", remedy: "write PKCS#7 instead")
    }
    do throws(PKCS12Error) {
      return try pkcs12.seal(
        PKCS12Contents(certificates: certificates.map(\.der), privateKeys: []), password: password)
    } catch {
      throw LoadError(
        .backendUnavailable, place, "the PKCS#12 file could not be made",
        native: { if case .backend(let backend) = error { backend.native } else { [] } }())
    }
  }

  private func check(_ bytes: [UInt8], against certificates: [Certificate], _ name: String) throws(LoadError) {
    guard format != .pins, format != .text else { return }
    let loaded = try CertificateLoader(pkcs12: pkcs12, password: password).load(bytes, name: name)
    let written = loaded.certificates.map(\.certificate)
    // Some libraries sort the bags of PKCS#12.
    guard format == .pkcs12 ? Set(written) == Set(certificates) : written == certificates else {
      throw LoadError(
        .inputOutput, FilePlace(file: name), "what was encoded is not what was to be written",
        remedy: "report this as a fault of Steelpin")
    }
  }
}
