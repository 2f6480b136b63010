// SPDX-License-Identifier: Apache-2.0

/// An emulation of AFNetworking's AFSecurityPolicy (`evaluateServerTrust:forDomain:`), its faults included.
///
/// What it does not check: with `allowInvalidCertificates` and no pins nothing at all; with `allowInvalidCertificates`
/// and keys neither chain, dates nor host, since the trust is never evaluated; without `validatesDomainName` neither
/// host nor purpose. A pin of a private authority with `allowInvalidCertificates` off can never pass, because the chain
/// must first be trusted by the system.
public struct AFNetworkingPreset: Sendable, Hashable, Codable {
  /// AFSSLPinningMode.
  public enum PinningMode: String, Sendable, Hashable, Codable, CaseIterable {
    /// AFSSLPinningModeCertificate: the pinned certificates are the only anchors of a second evaluation.
    case certificate
    /// AFSSLPinningModeNone: pins are ignored.
    case none
    /// AFSSLPinningModePublicKey: the keys of the pinned certificates are looked for on the chain.
    case publicKey
  }

  /// What is pinned.
  public var mode: PinningMode
  /// Whether a chain that is not trusted is accepted where pins do not forbid it.
  public var allowInvalidCertificates: Bool
  /// Whether the policy is SSL with the host rather than plain X.509.
  public var validatesDomainName: Bool
  /// The pinned certificates.
  public var pinnedCertificates: Set<Certificate>
  /// The anchors of the SecTrust before AFNetworking sees it.
  public var anchors: TrustPolicy.Anchors

  /// A policy; the defaults are those of `[AFSecurityPolicy defaultPolicy]`.
  public init(
    mode: PinningMode = .none, allowInvalidCertificates: Bool = false, validatesDomainName: Bool = true,
    pinnedCertificates: some Sequence<Certificate> = [], anchors: TrustPolicy.Anchors = .system
  ) {
    self.mode = mode
    self.allowInvalidCertificates = allowInvalidCertificates
    self.validatesDomainName = validatesDomainName
    self.pinnedCertificates = Set(pinnedCertificates)
    self.anchors = anchors
  }
}

extension AFNetworkingPreset: PolicySource {
  /// The steps of `evaluateServerTrust:forDomain:` in their order.
  public func policy(for host: HostName?, at time: Timestamp) -> CompositePolicy {
    // AFNetworking refuses self-signed certificates for a domain unless something is pinned.
    if host != nil, allowInvalidCertificates, validatesDomainName, mode == .none || pinnedCertificates.isEmpty {
      return .refuse(.contradiction)
    }
    let domain: TrustPolicy.DomainValidation =
      validatesDomainName ? host == nil ? .sslAnyHost : .ssl : .basicX509
    var trusted = TrustPolicy(anchors: anchors, domain: domain, profile: .apple)
    switch mode {
    case .none: return allowInvalidCertificates ? .anything : .policy(trusted)
    case .certificate:
      let pins = pinnedCertificates.sorted { $0.sha256.base64 < $1.sha256.base64 }
      let anchored = TrustPolicy(
        anchors: .only(AnchorSet(pins)), domain: domain, pinning: .certificates(pins, scope: .any), profile: .apple)
      return allowInvalidCertificates ? .policy(anchored) : .all([.policy(trusted), .policy(anchored)])
    case .publicKey:
      let pins = pinnedCertificates.sorted { $0.sha256.base64 < $1.sha256.base64 }
      let pinning = TrustPolicy.Pinning.pins(.appleKeys(of: pins), scope: .any)
      if allowInvalidCertificates { return .evaluatedChain(anchors: anchors, pinning: pinning) }
      trusted.pinning = pinning
      return .policy(trusted)
    }
  }
}
