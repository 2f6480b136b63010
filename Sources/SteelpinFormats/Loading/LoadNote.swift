// SPDX-License-Identifier: Apache-2.0

/// Something that the loader forgave, or that a person should know about a file.
public struct LoadNote: Hashable, Sendable, Codable {
  /// How much it matters.
  public enum Severity: String, Sendable, Codable {
    /// A peculiarity without consequence here, though other tools may stumble over it.
    case note
    /// Something that is probably a mistake.
    case warning
  }

  /// What was forgiven, as a stable code.
  public let code: LoadNoteCode
  /// Where it was seen.
  public let place: FilePlace
  /// The note in words, without the place.
  public let text: String

  init(_ code: LoadNoteCode, _ place: FilePlace, _ text: String? = nil) {
    self.code = code
    self.place = place
    self.text = text ?? code.text
  }

  /// How much it matters.
  public var severity: Severity { code.severity }
}

/// The notes of the loader.
@nonexhaustive
public enum LoadNoteCode: String, Sendable, Codable, CaseIterable {
  /// Base64 without boundary lines.
  case bareBase64 = "bare-base64"
  /// A broken certificate among the system's roots was passed over.
  case brokenEntry = "broken-entry"
  /// A UTF-8 byte order mark.
  case byteOrderMark = "byte-order-mark"
  /// Lines end with CR alone.
  case carriageReturns = "carriage-returns"
  /// DER values one after the other.
  case concatenatedDER = "concatenated-der"
  /// A private key stands in the file.
  case containsPrivateKey = "contains-private-key"
  /// The same certificate stands in the file before.
  case duplicate
  /// The password of a PKCS#12 file is the empty one.
  case emptyPassword = "empty-password"
  /// `\n` stands where a line should end.
  case escapedNewlines = "escaped-newlines"
  /// The lines of a block are indented.
  case indented
  /// The integrity of a key store was not checked, since that needs its password.
  case integrityUnchecked = "integrity-unchecked"
  /// RC2, RC4, DES or 3DES protects a PKCS#12 file.
  case legacyEncryption = "legacy-encryption"
  /// A directory holds no file that the system's trust store uses.
  case noHashedFiles = "no-hashed-files"
  /// Something that is no certificate was passed over.
  case notCertificate = "not-a-certificate"
  /// Quotation marks stand around the text.
  case quoted
  /// Spaces stand where lines should end.
  case spacesForNewlines = "spaces-for-newlines"
  /// Bytes follow the end of a DER value.
  case trailingBytes = "trailing-bytes"
  /// OpenSSL's trust attributes were ignored.
  case trustAttributesIgnored = "trust-attributes-ignored"
  /// The text is UTF-16 or UTF-32.
  case wideText = "utf-16"

  /// How much the note matters.
  public var severity: LoadNote.Severity {
    switch self {
    case .brokenEntry, .containsPrivateKey, .legacyEncryption, .noHashedFiles, .trailingBytes,
      .trustAttributesIgnored:
      .warning
    default: .note
    }
  }

  var text: String {
    switch self {
    case .bareBase64: "base64 without a BEGIN and an END line"
    case .brokenEntry: "a broken certificate was passed over"
    case .byteOrderMark: "the text starts with a UTF-8 byte order mark"
    case .carriageReturns: "lines end with CR alone"
    case .concatenatedDER: "DER values stand one after the other; many tools read only the first"
    case .containsPrivateKey: "contains a private key, which was not read"
    case .duplicate: "the same certificate stands in the file before"
    case .emptyPassword: "opened with the empty password"
    case .escapedNewlines: "\\n stands where lines should end"
    case .indented: "the lines are indented"
    case .integrityUnchecked: "the key store's own check sum needs its password, and was not checked"
    case .legacyEncryption: "protected with RC2, RC4, DES or 3DES, which newer tools refuse to open"
    case .noHashedFiles: "no file is named by a subject's hash, so OpenSSL uses none; `openssl rehash` names them"
    case .notCertificate: "holds something that is no certificate, which was passed over"
    case .quoted: "quotation marks stand around the text"
    case .spacesForNewlines: "spaces stand where lines should end"
    case .trailingBytes: "bytes follow the end of the DER value"
    case .trustAttributesIgnored: "the trust attributes of OpenSSL's TRUSTED CERTIFICATE are ignored"
    case .wideText: "the text is UTF-16"
    }
  }
}
