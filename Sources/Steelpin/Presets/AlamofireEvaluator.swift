// SPDX-License-Identifier: Apache-2.0

/// Alamofire's six trust evaluators with their flags.
public indirect enum AlamofireEvaluator: Sendable, Hashable, Codable {
  /// CompositeTrustEvaluator: all of them, on one SecTrust, so that anchors which one sets are those of the next. With
  /// no evaluators it accepts everything.
  case composite([AlamofireEvaluator])
  /// DefaultTrustEvaluator: the system's validation.
  case `default`(validateHost: Bool = true)
  /// DisabledTrustEvaluator: everything is accepted.
  case disabled
  /// PinnedCertificatesTrustEvaluator: one of these must be on the evaluated chain, byte for byte.
  /// `acceptSelfSigned` makes them the only anchors.
  case pinnedCertificates(
    [Certificate], acceptSelfSigned: Bool = false, performDefaultValidation: Bool = true, validateHost: Bool = true)
  /// PublicKeysTrustEvaluator: the key of one of these must be on the evaluated chain.
  case publicKeys(of: [Certificate], performDefaultValidation: Bool = true, validateHost: Bool = true)
  /// RevocationTrustEvaluator: the system's validation with a revocation policy, which
  /// ``RevocationPolicy/apple(networkAccessDisabled:requirePositiveResponse:)`` translates.
  case revocation(
    performDefaultValidation: Bool = true, validateHost: Bool = true, RevocationPolicy = .apple())

  /// What the evaluator demands; `anchors` are those of the SecTrust before and after.
  func policy(anchors: inout TrustPolicy.Anchors) -> CompositePolicy {
    switch self {
    case .composite(let evaluators):
      var parts: [CompositePolicy] = []
      for evaluator in evaluators { parts.append(evaluator.policy(anchors: &anchors)) }
      return parts.isEmpty ? .anything : .all(parts)
    case .default(let validateHost):
      return .policy(TrustPolicy(anchors: anchors, domain: validateHost ? .ssl : .sslAnyHost, profile: .apple))
    case .disabled: return .anything
    case .pinnedCertificates(let certificates, let acceptSelfSigned, let performDefault, let validateHost):
      guard !certificates.isEmpty else { return .refuse(.emptyPins) }
      if acceptSelfSigned { anchors = .only(AnchorSet(certificates)) }
      return Self.pinned(.certificates(certificates, scope: .any), anchors, performDefault, validateHost)
    case .publicKeys(let certificates, let performDefault, let validateHost):
      let keys = PinSet.appleKeys(of: certificates)
      guard !keys.isEmpty else { return .refuse(.emptyPins) }
      return Self.pinned(.pins(keys, scope: .any), anchors, performDefault, validateHost)
    case .revocation(let performDefault, let validateHost, let revocation):
      return .policy(
        TrustPolicy(
          anchors: anchors, domain: Self.domain(performDefault, validateHost) ?? .basicX509, profile: .apple,
          revocation: revocation))
    }
  }

  /// With neither validation the chain is taken as it is.
  private static func pinned(
    _ pinning: TrustPolicy.Pinning, _ anchors: TrustPolicy.Anchors, _ performDefault: Bool, _ validateHost: Bool
  ) -> CompositePolicy {
    guard let domain = domain(performDefault, validateHost) else {
      return .evaluatedChain(anchors: anchors, pinning: pinning)
    }
    return .policy(TrustPolicy(anchors: anchors, domain: domain, pinning: pinning, profile: .apple))
  }

  /// Validating the host is an evaluation of its own with all that the default validation checks.
  private static func domain(_ performDefault: Bool, _ validateHost: Bool) -> TrustPolicy.DomainValidation? {
    validateHost ? .ssl : performDefault ? .sslAnyHost : nil
  }
}
