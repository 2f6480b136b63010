// SPDX-License-Identifier: Apache-2.0

/// A set of trust anchors with the semantics of SecTrustSetAnchorCertificates: any certificate that is byte for byte one
/// of them ends a path, be it a root, an intermediate or the leaf itself. The empty set trusts nothing.
public struct AnchorSet: Sendable {
  /// The anchors in the order in which they were given, each once.
  public let certificates: [Certificate]
  private let members: Set<Certificate>
  private let bySubject: [NameKey: [Certificate]]

  /// The set of the given certificates; duplicates count once.
  public init(_ certificates: some Sequence<Certificate>) {
    var members = Set<Certificate>()
    self.certificates = certificates.filter { members.insert($0).inserted }
    self.members = members
    self.bySubject = Dictionary(grouping: self.certificates) { $0.contents.subjectKey }
  }

  /// Whether there is no anchor, so that nothing is trusted.
  public var isEmpty: Bool { certificates.isEmpty }

  /// Whether a certificate is byte for byte an anchor.
  public func contains(_ certificate: Certificate) -> Bool { members.contains(certificate) }

  /// The anchors with a subject, in order; by RFC 5280 7.1.
  package func certificates(named key: NameKey) -> [Certificate] { bySubject[key] ?? [] }
}

extension AnchorSet: Hashable {
  /// Equality of the members, whatever their order.
  public static func == (left: AnchorSet, right: AnchorSet) -> Bool { left.members == right.members }

  /// Hashes the members.
  public func hash(into hasher: inout Hasher) { hasher.combine(members) }
}

extension AnchorSet: Codable {
  /// Decodes a list of certificates.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode([Certificate].self))
  }

  /// Encodes a list of certificates.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(certificates)
  }
}

extension Certificate: Codable {
  /// Decodes base64 of the DER.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let der = Base64.decode(try container.decode(String.self).utf8) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "a certificate must be base64 of its DER")
    }
    try self.init(der: der)
  }

  /// Encodes base64 of the DER as one string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(Base64.encode(der))
  }
}
