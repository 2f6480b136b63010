// SPDX-License-Identifier: Apache-2.0

extension TrustPolicy {
  /// The user's inputs to the validation of certificate policies (RFC 5280 6.1.1 (c), (e), (f) and (g)).
  ///
  /// The defaults accept any policy, so that policies decide only where an issuer requires an explicit one.
  public struct CertificatePolicies: Sendable, Hashable, Codable {
    /// The policies that are accepted; nil accepts any.
    public var accepted: Set<OID>?
    /// Whether the path must be valid for at least one accepted policy.
    public var requireExplicitPolicy: Bool
    /// Whether issuers may not declare policies equivalent.
    public var inhibitPolicyMapping: Bool
    /// Whether anyPolicy in a certificate is ignored.
    public var inhibitAnyPolicy: Bool

    /// Inputs; the defaults are those of a client that knows no policies.
    public init(
      accepted: Set<OID>? = nil, requireExplicitPolicy: Bool = false, inhibitPolicyMapping: Bool = false,
      inhibitAnyPolicy: Bool = false
    ) {
      self.accepted = accepted
      self.requireExplicitPolicy = requireExplicitPolicy
      self.inhibitPolicyMapping = inhibitPolicyMapping
      self.inhibitAnyPolicy = inhibitAnyPolicy
    }
  }
}

extension OID: Codable {
  /// Decodes dotted decimal.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let oid = OID(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "an object identifier must be dotted decimal, as in 1.3.6.1")
    }
    self = oid
  }

  /// Encodes dotted decimal.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
