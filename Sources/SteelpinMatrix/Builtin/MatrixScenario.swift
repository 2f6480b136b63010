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
  /// The host for which it is judged.
  var host = MatrixWorld.host
  /// The anchor that the policies call the root; nil for that of the matrix.
  var root: Certificate?
  /// What is at hand about revocation.
  var evidence = RevocationEvidence()
  /// The errors that each demand for evidence leads to; no other demands are made.
  var revocation: [MatrixDemand.Revocation: [FindingCode]] = [:]
  /// Whether a few policies are enough, as the scenario is about one rule that looks at no pin and no set of anchors.
  var isBrief = false

  init(
    name: String, clause: String, served: [Certificate], paths: [[Certificate]], faults: [Fault]
  ) {
    self.name = name
    self.clause = clause
    self.served = served
    self.paths = paths
    self.faults = faults
  }

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
    /// A set of pins without a pin.
    case noPin
    case nothing
  }

  /// What evidence of revocation is asked for.
  package enum Revocation: String, Sendable, CaseIterable {
    case listsHard = "with lists, hard"
    case listsSoft = "with lists, soft"
    case staple = "with the staple"

    var policy: RevocationPolicy {
      switch self {
      case .listsHard: RevocationPolicy(.crl, failure: .hard)
      case .listsSoft: RevocationPolicy(.crl)
      case .staple: RevocationPolicy(.staple)
      }
    }
  }

  /// The anchors; nil if no proof is asked for.
  package let anchors: [Certificate]?
  package let domain: TrustPolicy.DomainValidation
  package let pinned: Pinned
  package let profile: TrustPolicy.Profile
  package let revocation: Revocation?

  init(
    anchors: [Certificate]?, _ domain: TrustPolicy.DomainValidation = .ssl, pinned: Pinned = .nothing,
    profile: TrustPolicy.Profile = .standard, revocation: Revocation? = nil
  ) {
    self.revocation = revocation
    self.anchors = anchors
    self.domain = domain
    self.pinned = pinned
    self.profile = profile
  }
}
