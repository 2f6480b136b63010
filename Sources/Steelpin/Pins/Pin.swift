// SPDX-License-Identifier: Apache-2.0

/// A pin: the SHA-256 of a public key or of a whole certificate.
public struct Pin: Hashable, Sendable {
  /// What is hashed.
  public enum Subject: String, Hashable, Sendable, Codable, CaseIterable {
    /// The DER of the whole certificate.
    case certificate
    /// The DER of the SubjectPublicKeyInfo (RFC 7469 2.4).
    case publicKey
  }

  /// What is hashed.
  public let subject: Subject
  /// The SHA-256.
  public let digest: SHA256Digest

  /// A pin of a digest.
  public init(_ subject: Subject, _ digest: SHA256Digest) {
    self.subject = subject
    self.digest = digest
  }

  /// The pin of a certificate or of its key.
  public init(_ subject: Subject, of certificate: Certificate) {
    self.init(subject, subject == .publicKey ? certificate.publicKeySHA256 : certificate.sha256)
  }

  /// Whether the certificate is the one, or has the key, that the pin names.
  public func matches(_ certificate: Certificate) -> Bool {
    switch subject {
    case .certificate: certificate.sha256 == digest
    case .publicKey: certificate.publicKeySHA256 == digest
    }
  }
}

extension Pin: CustomStringConvertible {
  /// `sha256/` and base64 for a public key, as OkHttp writes it; `cert-sha256/` and base64 for a certificate.
  public var description: String { Self.prefix(of: subject) + digest.base64 }

  private static func prefix(of subject: Subject) -> String {
    switch subject {
    case .certificate: "cert-sha256/"
    case .publicKey: "sha256/"
    }
  }
}

extension Pin: Codable {
  /// Decodes the text form.
  public init(from decoder: any Decoder) throws {
    self = try Pin(parsing: decoder.singleValueContainer().decode(String.self))
  }

  /// Encodes the text form as one string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
