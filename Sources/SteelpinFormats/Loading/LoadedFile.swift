// SPDX-License-Identifier: Apache-2.0
public import Steelpin

/// What a ``CertificateLoader`` found in one file.
public struct LoadedFile: Sendable {
  /// The name under which the bytes were loaded, as it stands in messages.
  public let name: String
  /// How the bytes were encoded.
  public let encoding: FileEncoding
  /// The certificates in the order of the file, duplicates included.
  public internal(set) var certificates: [LoadedCertificate] = []
  /// What else the file holds, in its order: keys, requests, revocation lists.
  public internal(set) var others: [LoadedItem] = []
  /// What the loader forgave or passed over.
  public internal(set) var notes: [LoadNote] = []

  init(name: String, encoding: FileEncoding) {
    self.name = name
    self.encoding = encoding
  }

  /// The public keys that a pin can name: those of the certificates, and of requests and bare public keys.
  public var publicKeys: [PublicKeyInfo] {
    certificates.map(\.certificate.publicKey) + others.compactMap(\.publicKey)
  }
}

/// How a file encodes what it holds.
public enum FileEncoding: String, Sendable, Codable, CaseIterable {
  /// Base64 without boundary lines.
  case base64
  /// One or several DER values.
  case der
  /// A Java key store of type JCEKS.
  case jceks
  /// A Java key store of type JKS.
  case jks
  /// PEM (RFC 7468).
  case pem
  /// PKCS#12 (RFC 7292).
  case pkcs12
  /// PKCS#7 or CMS signed data (RFC 5652), DER or BER.
  case pkcs7
}

/// A certificate with the place it was read from.
public struct LoadedCertificate: Sendable {
  /// The certificate.
  public let certificate: Certificate
  /// Where it stands.
  public let place: FilePlace
}

/// Something in a file that is not a certificate. Private keys are never kept, only that there was one.
public struct LoadedItem: Sendable {
  /// What it is.
  public let kind: ItemKind
  /// Where it stands.
  public let place: FilePlace
  /// The public key of a request or of a bare public key, which can be pinned; nil for everything else.
  public let publicKey: PublicKeyInfo?
  /// The DER of a revocation list or of an OCSP response; empty for everything else.
  public let evidence: [UInt8]
}

/// The kinds of things that stand beside certificates in files.
public enum ItemKind: String, Sendable, Codable, CaseIterable {
  /// A private key that a password protects.
  case encryptedPrivateKey = "encrypted-private-key"
  /// An OCSP response (RFC 6960).
  case ocspResponse = "ocsp-response"
  /// Anything that Steelpin has no use for, such as Diffie-Hellman parameters.
  case other
  /// A private key.
  case privateKey = "private-key"
  /// A SubjectPublicKeyInfo.
  case publicKey = "public-key"
  /// A PKCS#10 certificate request (RFC 2986).
  case request = "certificate-request"
  /// A certificate revocation list (RFC 5280 section 5).
  case revocationList = "revocation-list"

  /// The kind in a person's words, with its article.
  public var phrase: String {
    switch self {
    case .encryptedPrivateKey: "an encrypted private key"
    case .ocspResponse: "an OCSP response"
    case .other: "something that is no certificate"
    case .privateKey: "a private key"
    case .publicKey: "a public key"
    case .request: "a PKCS#10 certificate request"
    case .revocationList: "a certificate revocation list"
    }
  }
}

/// A place in a file.
public struct FilePlace: Hashable, Sendable, Codable {
  /// The name of the file.
  public let file: String
  /// The number of the block or member, counted from 1; nil for a place outside any.
  public var block: Int?
  /// The offset in bytes from the start of the file; for UTF-16 text, of the file decoded to UTF-8.
  public var offset: Int
  /// The line, counted from 1; nil in a binary file.
  public var line: Int?
  /// The character in the line, counted from 1; nil where a line is exact enough.
  public var column: Int?
  /// The name of the entry in a key store; nil elsewhere.
  public var alias: String?

  /// A place of the given parts.
  public init(
    file: String, block: Int? = nil, offset: Int = 0, line: Int? = nil, column: Int? = nil, alias: String? = nil
  ) {
    self.file = file
    self.block = block
    self.offset = offset
    self.line = line
    self.column = column
    self.alias = alias
  }
}

extension FilePlace: CustomStringConvertible {
  /// File, block, line and character, as far as they are known.
  public var description: String {
    var parts = [file]
    if let alias { parts.append("entry \(alias)") } else if let block { parts.append("block \(block)") }
    if let line { parts.append("line \(line)") } else if offset > 0 { parts.append("byte \(offset)") }
    if let column { parts.append("character \(column)") }
    return parts.joined(separator: ", ")
  }
}
