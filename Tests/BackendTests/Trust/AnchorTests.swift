// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinTestSupport
import Testing

/// SecTrustSetAnchorCertificates and …Only: which certificates end a path.
@Suite("anchors") struct AnchorTests {
  private func anchors(_ entries: String...) throws -> AnchorSet {
    AnchorSet(try entries.map { try TestCerts.certificate($0) })
  }

  @Test(
    "any certificate of the path may be the anchor, and ends it",
    arguments: [("ca/root-p256", 3), ("ca/intermediate-p256", 2), ("leaf/p-256", 1)])
  func anywhere(_ anchor: String, _ length: Int) throws {
    let verdict = try judge(TestCerts.chain("leaf/p-256"), TrustPolicy(anchors: .only(anchors(anchor))))
    #expect(verdict.isTrusted, "\(verdict.findings)")
    #expect(verdict.path.count == length)
    #expect(verdict.reachesAnchor)
  }

  @Test("the empty set trusts nothing", arguments: ["leaf/p-256", "leaf/self-signed"])
  func empty(_ leaf: String) throws {
    let verdict = try judge(TestCerts.chain(leaf), TrustPolicy(anchors: .only(AnchorSet([]))))
    #expect(verdict.errors.contains { $0.code == .anchorsEmpty })
    #expect(!verdict.isTrusted)
  }

  @Test("only these: the system's anchors do not count") func onlyThese() throws {
    let system = try TestCerts.roots()
    let own = try anchors("ca/other-root")
    let chain = try TestCerts.chain("leaf/p-256")
    #expect(try !judge(chain, TrustPolicy(anchors: .only(own)), system: system).isTrusted)
    #expect(try judge(chain, TrustPolicy(anchors: .systemAnd(own)), system: system).isTrusted)
    #expect(try judge(chain, TrustPolicy(anchors: .system), system: system).isTrusted)
    #expect(
      try judge(TestCerts.chain("leaf/unrelated"), TrustPolicy(anchors: .systemAnd(own)), system: system).isTrusted)
  }

  @Test("system anchors that were not loaded trust nothing") func noSystem() throws {
    let verdict = try judge(TestCerts.chain("leaf/p-256"), TrustPolicy(anchors: .system))
    #expect(verdict.errors.contains { $0.code == .systemAnchorsUnavailable })
    #expect(!verdict.isTrusted)
  }

  @Test("a self-signed leaf is trusted as its own anchor") func selfSigned() throws {
    let verdict = try judge(
      TestCerts.chain("leaf/self-signed"), TrustPolicy(anchors: .only(anchors("leaf/self-signed"))))
    #expect(verdict.isTrusted, "\(verdict.findings)")
  }

  @Test("an anchor of the same name with another key proves nothing") func impostor() throws {
    let verdict = try judge(TestCerts.chain("leaf/p-256"), TrustPolicy(anchors: .only(anchors("ca/impostor-root"))))
    #expect(!verdict.isTrusted)
    #expect(verdict.errors.contains { $0.code == .signatureInvalid && $0.depth == 1 }, "\(verdict.findings)")
  }

  @Test("a root that the server sent is no anchor because of it") func rootSent() throws {
    let chain = CertificateChain(try TestCerts.certificates("bundle/with-root.pem"))
    let trusted = try judge(chain, TrustPolicy(anchors: .only(anchors("ca/root-p256"))))
    #expect(trusted.isTrusted)
    #expect(trusted.warningCodes == ["root-sent"])
    let untrusted = try judge(chain, TrustPolicy(anchors: .only(anchors("ca/other-root"))))
    #expect(untrusted.errorCodes == ["root-not-trusted@2"])
  }

  @Test("order and strays do not change the verdict", arguments: ["reversed", "unordered", "cross-signed"])
  func disorder(_ bundle: String) throws {
    var certificates = try TestCerts.certificates("bundle/\(bundle).pem")
    let leaf = try TestCerts.certificate("leaf/p-256")
    // Index 0 is the leaf by definition of the protocol; a reversed list is that of a server that put it first.
    certificates.removeAll { $0 == leaf }
    let verdict = try judge(
      CertificateChain([leaf] + certificates), TrustPolicy(anchors: .only(anchors("ca/root-p256"))))
    #expect(verdict.isTrusted, "\(verdict.findings)")
  }

  @Test("a cross-signed path is found when only the other root is an anchor") func crossSigned() throws {
    let chain = CertificateChain(try TestCerts.certificates("bundle/cross-signed.pem"))
    let verdict = try judge(chain, TrustPolicy(anchors: .only(anchors("ca/root-rsa"))))
    #expect(verdict.isTrusted, "\(verdict.findings)")
    #expect(verdict.path.count == 4)
  }
}
