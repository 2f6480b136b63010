// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinMatrix
import SteelpinTestSupport
import Testing

/// Certificates whose keys and signatures one library made, judged by every library.
@Suite("recipes: what one library signs, the others prove")
struct CrossVerificationTests {
  /// Judges by every library, and expects that all say the same.
  private func verdict(_ leaf: IssuedCertificate, _ lab: Lab, host: String = "a.test") throws -> Verdict {
    try judge(lab.chain(leaf), host: host, TrustPolicy(anchors: .only(lab.anchors), time: lab.clock))
  }

  @Test("a chain of every kind of key", arguments: keyRings, Set(SigningCase.all.map(\.kind)))
  func kinds(_ ring: Named<KeyRing>, _ kind: KeyKind) throws {
    let lab = try Lab(keys: ring.value, kind: kind)
    let verdict = try verdict(lab.leaf(names: ["a.test"]), lab)
    #expect(verdict.isTrusted, "\(verdict.findings)")
    #expect(verdict.path.count == 3)
  }

  @Test("a leaf signed with every algorithm", arguments: keyRings, SigningCase.all)
  func algorithms(_ ring: Named<KeyRing>, _ test: SigningCase) throws {
    guard !test.missingIn.contains(ring.name) else {
      let lab = try Lab(keys: ring.value, kind: test.kind)
      #expect(throws: RecipeError.self) {
        try lab.leaf(names: ["a.test"]) { $0.signatureAlgorithm = test.algorithm }
      }
      return
    }
    let lab = try Lab(keys: ring.value, kind: test.kind)
    let leaf = try lab.leaf(names: ["a.test"]) { $0.signatureAlgorithm = test.algorithm }.certificate
    let key = try lab.intermediate.certificate.publicKey
    for backend in trustBackends() where !test.missingIn.contains(backend.name) {
      let check = try backend.check(
        signature: leaf.signature, algorithm: leaf.signatureAlgorithm, over: leaf.tbsCertificate, by: key)
      #expect(check == .valid, "\(backend.name)")
    }
  }

  @Test("what recipes do wrong is found", arguments: keyRings)
  func faults(_ ring: Named<KeyRing>) throws {
    let lab = try Lab(keys: ring.value)
    let changes: [(code: String, change: @Sendable (inout CertificateRecipe) -> Void)] = [
      ("signature-invalid@0", { $0.faults = [.flipSignatureBit] }),
      ("signature-algorithm-mismatch@0", { $0.faults = [.innerAlgorithm(.ecdsa(.sha384))] }),
      ("issuer-not-found@0", { $0.issuerName = "Somebody Else" }),
      ("host-mismatch@0", { $0.removeExtension(OID("2.5.29.17")) }),
      ("extension-duplicated@0", { $0.duplicateExtension(OID("2.5.29.15")) }),
      ("expired@0", { $0.validity = .expired }),
      ("not-yet-valid@0", { $0.validity = .notYetValid }),
      ("purpose-mismatch@0", { $0.setExtension(.extendedKeyUsage([.clientAuth])) }),
      ("extension-critical-unknown@0", { $0.setExtension(.raw(.anyPolicy, [5, 0]), critical: true) }),
    ]
    for (code, change) in changes {
      let verdict = try verdict(lab.leaf(names: ["a.test"], change), lab)
      #expect(verdict.errorCodes.contains(code), "\(verdict.findings)")
    }
    #expect(try verdict(lab.leaf(names: ["a.test"]), lab, host: "b.test").errorCodes == ["host-mismatch@0"])
  }
}
