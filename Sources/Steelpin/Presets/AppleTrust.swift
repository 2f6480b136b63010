// SPDX-License-Identifier: Apache-2.0

// What the emulations of systems on Apple's Security.framework share.

extension CompositePolicy {
  /// Pins that are compared with the chain of a SecTrust whatever its evaluation came to: the whole path to an anchor
  /// if one can be proved, else as far as the names of the certificates that were sent lead.
  static func evaluatedChain(anchors: TrustPolicy.Anchors, pinning: TrustPolicy.Pinning) -> CompositePolicy {
    .any([
      .policy(TrustPolicy(anchors: anchors, domain: .basicX509, pinning: pinning, profile: .apple)),
      .policy(TrustPolicy(domain: .basicX509, pinning: pinning, chain: .unvalidated)),
    ])
  }

  /// Everything is trusted that has a readable leaf.
  static let anything = CompositePolicy.policy(TrustPolicy(domain: .basicX509, chain: .unvalidated))
}

extension PinSet {
  /// The keys of certificates as SecCertificateCopyKey gives them: RSA and elliptic curves; of other kinds there is no
  /// key, so that a pin on it is never met.
  static func appleKeys(of certificates: [Certificate]) -> PinSet {
    PinSet(
      certificates.filter { certificate in
        switch certificate.publicKey.kind {
        case .rsa, .ec: true
        default: false
        }
      }.map { Pin(.publicKey, of: $0) })
  }
}
