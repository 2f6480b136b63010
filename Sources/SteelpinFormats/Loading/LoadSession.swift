// SPDX-License-Identifier: Apache-2.0
import Steelpin

/// One run of the loader over the bytes of one file.
struct LoadSession {
  let loader: CertificateLoader
  let name: String
  /// Whether what is broken becomes a note.
  let passesOverBroken: Bool
  private(set) var file: LoadedFile
  private var seen: [Certificate: FilePlace] = [:]

  init(loader: CertificateLoader, name: String, passesOverBroken: Bool) {
    self.loader = loader
    self.name = name
    self.passesOverBroken = passesOverBroken
    self.file = LoadedFile(name: name, encoding: .pem)
  }

  mutating func run(_ input: [UInt8]) throws(LoadError) -> LoadedFile {
    guard input.contains(where: { !isBlank($0) }) else {
      throw ContentErrors.blank(input, FilePlace(file: name))
    }
    if let encoding = try loadBinary(input) {
      return finish(encoding)
    }
    let text = try decodeText(input)
    if try loadPEM(text) { return finish(.pem) }
    if try loadBareBase64(text) { return finish(.base64) }
    throw ContentErrors.unknown(text, FilePlace(file: name))
  }

  private func finish(_ encoding: FileEncoding) -> LoadedFile {
    var result = LoadedFile(name: name, encoding: encoding)
    result.certificates = file.certificates
    result.others = file.others
    result.notes = file.notes
    return result
  }

  /// Loads a file that is no text; nil if it may be text.
  private mutating func loadBinary(_ bytes: [UInt8]) throws(LoadError) -> FileEncoding? {
    let start = FilePlace(file: name)
    if bytes.starts(with: JavaKeyStore.jksMagic) || bytes.starts(with: JavaKeyStore.jceksMagic) {
      try loadKeyStore(bytes)
      return bytes.starts(with: JavaKeyStore.jksMagic) ? .jks : .jceks
    }
    if let error = ContentErrors.knownBinary(bytes, start) { throw error }
    guard bytes[0] == 0x30, bytes.count > 1 else { return nil }
    if bytes[1] < 0x80 {
      // 0x30 is also the digit 0: a value that short must fill the file, and is no certificate.
      let end = bytes.lastIndex { !isBlank($0) } ?? 0
      guard end <= 1 + Int(bytes[1]), 2 + Int(bytes[1]) <= bytes.count else { return nil }
    }
    return try loadDERFile(bytes)
  }

  // MARK: What was found

  mutating func note(_ code: LoadNoteCode, _ place: FilePlace, _ text: String? = nil) {
    file.notes.append(LoadNote(code, place, text))
  }

  /// Takes a certificate's DER.
  mutating func addCertificate(_ der: [UInt8], at place: FilePlace) throws(LoadError) {
    let certificate: Certificate
    do throws(CertificateError) {
      certificate = try Certificate(der: der)
    } catch {
      guard !passesOverBroken else {
        note(.brokenEntry, place, "a broken certificate was passed over: \(error)")
        return
      }
      throw LoadError(
        .malformedCertificate, place, "the certificate is damaged: \(error)",
        remedy: "get it again from its source")
    }
    if !passesOverBroken {
      if let earlier = seen[certificate] {
        note(.duplicate, place, "the same certificate as \(earlier.block.map { "block \($0)" } ?? "before")")
      } else {
        seen[certificate] = place
      }
    }
    file.certificates.append(LoadedCertificate(certificate: certificate, place: place))
  }

  /// Takes something that is no certificate; of a private key only the fact that it is there.
  mutating func addItem(_ kind: ItemKind, _ der: [UInt8], at place: FilePlace) {
    let key = DERContent.publicKey(of: der, kind)
    let isEvidence = kind == .revocationList || kind == .ocspResponse
    file.others.append(LoadedItem(kind: kind, place: place, publicKey: key, evidence: isEvidence ? der : []))
    switch kind {
    case .privateKey, .encryptedPrivateKey: note(.containsPrivateKey, place)
    case .publicKey, .request: break
    case .ocspResponse, .other, .revocationList:
      note(.notCertificate, place, "holds \(kind.phrase), which was not read")
    }
  }
}

/// White space, NUL and the end-of-file character of DOS, which say nothing.
func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 && (byte == 0 || 9...13 ~= byte || byte == 0x1A || byte == 0x20) }
