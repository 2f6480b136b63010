// SPDX-License-Identifier: Apache-2.0
import Steelpin
import Synchronization

/// A backend without cryptography: a signature is right if it holds the signer's key. It counts its work.
final class FakeBackend: TrustBackend {
  let name = "fake"
  let systemAnchors: AnchorSet?
  let budget: PathBudget
  private let signatures = Mutex(0)

  init(systemAnchors: AnchorSet? = nil, budget: PathBudget = PathBudget()) {
    self.systemAnchors = systemAnchors
    self.budget = budget
  }

  /// The signatures that were checked, alone or as part of a path.
  var checkedSignatures: Int { signatures.withLock { $0 } }

  func prove(_ path: [Certificate]) throws(BackendError) -> PathProof {
    signatures.withLock { $0 += path.count - 1 }
    let isProved = zip(path, path.dropFirst()).allSatisfy {
      $0.signature.elementsEqual(FakeKey.signature(by: $1.publicKey.key))
    }
    return isProved ? .proved : .refused([])
  }

  func check(
    signature: ArraySlice<UInt8>, algorithm: AlgorithmIdentifier, over message: ArraySlice<UInt8>, by key: PublicKeyInfo
  ) throws(BackendError) -> SignatureCheck {
    signatures.withLock { $0 += 1 }
    return signature.elementsEqual(FakeKey.signature(by: key.key)) ? .valid : .invalid([])
  }
}

/// The good chain from which tests make bad ones: acceptable to every profile at ``FakeCertificate/now``.
struct FakeChain {
  var leaf: FakeCertificate
  var intermediate: FakeCertificate
  var root: FakeCertificate

  init() {
    leaf = FakeCertificate("www.example.com", by: "Intermediate")
    leaf.extensions = [
      .subjectAlternativeName(FakeGeneralName.dns("www.example.com")), .keyUsage(0), .extendedKeyUsage(.serverAuth),
      .subjectKeyIdentifier("www.example.com"), .authorityKeyIdentifier("Intermediate"),
    ]
    intermediate = FakeCertificate("Intermediate", by: "Root")
    intermediate.extensions = [
      .basicConstraints(isCA: true, pathLength: 0), .keyUsage(5, 6), .subjectKeyIdentifier("Intermediate"),
      .authorityKeyIdentifier("Root"),
    ]
    root = FakeCertificate("Root", by: "Root")
    root.extensions = [.basicConstraints(isCA: true), .keyUsage(5, 6), .subjectKeyIdentifier("Root")]
  }

  /// Judges the chain with the root as the only anchor.
  func judge(
    _ profile: TrustPolicy.Profile = .standard, domain: TrustPolicy.DomainValidation = .ssl,
    policies: TrustPolicy.CertificatePolicies = .init(), host: String = "www.example.com"
  ) throws -> Verdict {
    let policy = TrustPolicy(
      anchors: .only(AnchorSet([try root.make()])), domain: domain, profile: profile, certificatePolicies: policies,
      time: FakeCertificate.now)
    return try FakeBackend().evaluate(
      CertificateChain([try leaf.make(), try intermediate.make()]), host: try HostName(host), policy: policy)
  }
}

extension Verdict {
  /// The codes of all errors with their depths, as in `expired@0`.
  var errorCodes: Set<String> { Set(errors.map { $0.code.rawValue + ($0.depth.map { "@\($0)" } ?? "") }) }
}
