// SPDX-License-Identifier: Apache-2.0

/// What a client demands of a server's certificate chain.
public struct TrustPolicy: Sendable, Hashable, Codable {
  /// Which certificates end a path.
  public var anchors: Anchors
  /// Whether the certificate must be for the host, and for TLS servers at all.
  public var domain: DomainValidation
  /// Which certificates or keys must be on the path.
  public var pinning: Pinning
  /// Whether the chain must be proved.
  public var chain: ChainValidation
  /// Which rules may object.
  public var profile: Profile
  /// Which certificate policies are accepted, and whether one is required.
  public var certificatePolicies: CertificatePolicies
  /// Whether and how it is asked if certificates were revoked.
  public var revocation: RevocationPolicy
  /// The moment at which validity is judged; nil is the moment of the evaluation.
  public var time: Timestamp?
  /// Whether a failure counts.
  public var enforcement: Enforcement

  /// A policy; the defaults are those of a careful client without pins.
  public init(
    anchors: Anchors = .system, domain: DomainValidation = .ssl, pinning: Pinning = .none,
    chain: ChainValidation = .validated, profile: Profile = .standard,
    certificatePolicies: CertificatePolicies = CertificatePolicies(), revocation: RevocationPolicy = .off,
    time: Timestamp? = nil, enforcement: Enforcement = .enforce
  ) {
    self.anchors = anchors
    self.domain = domain
    self.pinning = pinning
    self.chain = chain
    self.profile = profile
    self.certificatePolicies = certificatePolicies
    self.revocation = revocation
    self.time = time
    self.enforcement = enforcement
  }
}

extension TrustPolicy {
  /// Which certificates end a path.
  public enum Anchors: Sendable, Hashable, Codable {
    /// Only these, as SecTrustSetAnchorCertificates alone. An empty set trusts nothing.
    case only(AnchorSet)
    /// Those of the system.
    case system
    /// Those of the system and these, as with SecTrustSetAnchorCertificatesOnly(false).
    case systemAnd(AnchorSet)
  }

  /// How far the certificate is checked to be one for the host.
  public enum DomainValidation: String, Sendable, Hashable, Codable, CaseIterable {
    /// Plain X.509: neither host nor purpose, as SecPolicyCreateBasicX509.
    case basicX509
    /// For TLS servers and for the host that is evaluated, as SecPolicyCreateSSL(true, host). Without a host it fails.
    case ssl
    /// For TLS servers, whatever the host, as SecPolicyCreateSSL(true, nil).
    case sslAnyHost
  }

  /// Which certificates or keys must be on the path.
  public enum Pinning: Sendable, Hashable, Codable {
    /// One of these, byte for byte, must be on the path within the scope.
    case certificates([Certificate], scope: PinScope)
    /// The leaf must be one of these, byte for byte.
    case leafData([Certificate])
    /// No pins.
    case none
    /// One of these pins must be met by a certificate of the path within the scope.
    case pins(PinSet, scope: PinScope)
  }

  /// Where on the validated path a pin may be met.
  public enum PinScope: String, Sendable, Hashable, Codable, CaseIterable {
    /// By any certificate.
    case any
    /// By any certificate but the leaf.
    case issuers
    /// By the leaf only.
    case leaf

    /// Whether a certificate at this depth, 0 for the leaf, is in the scope.
    package func contains(depth: Int) -> Bool {
      #if STEELPIN_MUTATIONS
        if Mutation.pinScope.isOn { return true }
      #endif
      return switch self {
      case .any: true
      case .issuers: depth > 0
      case .leaf: depth == 0
      }
    }
  }

  /// Whether the chain must be proved.
  public enum ChainValidation: String, Sendable, Hashable, Codable, CaseIterable {
    /// No anchors, dates, names or rules: only pins count, on the certificates that were sent as far as each is signed by
    /// the next. This is what some clients do, and it is unsafe without a pin on the leaf; a policy that has no pins
    /// either trusts everything.
    case unvalidated
    /// A backend must prove a path to an anchor, and no rule may object.
    case validated
  }

  /// Which rules may object to a path that a backend has proved.
  public enum Profile: String, Sendable, Hashable, Codable, CaseIterable {
    /// An emulation of Apple's additional rules for TLS servers.
    case apple
    /// RFC 5280 to the letter.
    case rfc5280
    /// What a careful client enforces.
    case standard
    /// The rules of the CA/Browser Forum for publicly trusted certificates.
    case webPKI
  }

  /// Whether a failure counts.
  public enum Enforcement: String, Sendable, Hashable, Codable, CaseIterable {
    /// A failure is a failure.
    case enforce
    /// Pin failures are reported but do not count; everything else does.
    case reportOnly
  }
}
