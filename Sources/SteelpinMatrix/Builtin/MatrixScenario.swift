// SPDX-License-Identifier: Apache-2.0
package import Steelpin

/// A chain as served, with what is right and wrong about it, stated apart from any evaluator.
package struct MatrixScenario: Sendable {
  /// One thing that is wrong with one certificate.
  package struct Fault: Sendable {
    /// Where the certificate must stand on a path for the fault to count.
    package enum Place: Sendable {
      /// Anywhere, as an anchor too.
      case anywhere
      /// Above another certificate.
      case issuer
      /// Anywhere but as an anchor.
      case untrusted
    }

    /// Who looks at the fault.
    package enum Audience: Sendable {
      /// Whoever asks for a proof.
      case everybody
      /// Whoever compares the host.
      case host
      /// Whoever asks for a certificate of a TLS server.
      case server
    }

    package let certificate: Certificate
    package let code: FindingCode
    package let place: Place
    package let audience: Audience
    /// The profiles that object.
    package let profiles: Set<TrustPolicy.Profile>

    init(
      _ code: FindingCode, of certificate: Certificate, _ place: Place, _ audience: Audience = .everybody,
      profiles: Set<TrustPolicy.Profile> = Set(TrustPolicy.Profile.allCases)
    ) {
      self.code = code
      self.certificate = certificate
      self.place = place
      self.audience = audience
      self.profiles = profiles
    }
  }

  package let name: String
  /// The clause that decides.
  package let clause: String
  /// What the server sends, leaf first.
  package let served: [Certificate]
  /// The paths that signatures prove, leaf first, each as far up as there are certificates.
  package let paths: [[Certificate]]
  package let faults: [Fault]

  package var leaf: Certificate { served[0] }
}

/// What one evaluation demands, in the words of the expectation.
package struct MatrixDemand: Sendable {
  /// What must be on the path.
  package enum Pinned: Sendable {
    /// This certificate, anywhere.
    case certificate(Certificate)
    /// This key, anywhere.
    case key(Certificate)
    /// This certificate's key, at the leaf.
    case leafKey(Certificate)
    /// This certificate, at the leaf.
    case leafData(Certificate)
    case nothing
  }

  /// The anchors; nil if no proof is asked for.
  package let anchors: [Certificate]?
  package let domain: TrustPolicy.DomainValidation
  package let pinned: Pinned
  package let profile: TrustPolicy.Profile

  init(
    anchors: [Certificate]?, _ domain: TrustPolicy.DomainValidation = .ssl, pinned: Pinned = .nothing,
    profile: TrustPolicy.Profile = .standard
  ) {
    self.anchors = anchors
    self.domain = domain
    self.pinned = pinned
    self.profile = profile
  }
}
