// SPDX-License-Identifier: Apache-2.0
import Steelpin
import Testing

@Suite("path building")
struct PathBuilderTests {

  private func ca(_ subject: String, by issuer: String, key: String? = nil, signer: String? = nil) -> FakeCertificate {
    var certificate = FakeCertificate(subject, by: issuer, key: key, signer: signer)
    certificate.extensions = [.basicConstraints(isCA: true), .keyUsage(5)]
    return certificate
  }

  private func leaf(by issuer: String, signer: String? = nil) -> FakeCertificate {
    var certificate = FakeCertificate("www.example.com", by: issuer, signer: signer)
    certificate.extensions = [.subjectAlternativeName(FakeGeneralName.dns("www.example.com"))]
    return certificate
  }

  private func judge(
    _ sent: [FakeCertificate], anchors: [FakeCertificate], backend: FakeBackend = FakeBackend(), all: Bool = false
  ) throws -> Verdict {
    let policy = TrustPolicy(anchors: .only(AnchorSet(try anchors.map { try $0.make() })), time: FakeCertificate.now)
    let chain = CertificateChain(try sent.map { try $0.make() })
    let host = try HostName("www.example.com")
    return all
      ? try backend.evaluateAllPaths(chain, host: host, policy: policy)
      : try backend.evaluate(chain, host: host, policy: policy)
  }

  private func names(_ verdict: Verdict) -> [String] { verdict.path.map { $0.subject.commonName ?? "" } }

  @Test("the order in which certificates were sent does not matter, nor do duplicates and strangers")
  func order() throws {
    let (root, a, b) = (ca("Root", by: "Root"), ca("A", by: "Root"), ca("B", by: "A"))
    let stranger = ca("Stranger", by: "Nobody")
    for pool in [[a, b], [b, a], [b, b, a, a], [stranger, a, root, b, stranger]] {
      let verdict = try judge([leaf(by: "B")] + pool, anchors: [root])
      #expect(verdict.isTrusted)
      #expect(names(verdict) == ["www.example.com", "B", "A", "Root"])
    }
  }

  @Test("a cycle of authorities that leads to no anchor ends")
  func cycle() throws {
    let verdict = try judge(
      [leaf(by: "A"), ca("A", by: "B"), ca("B", by: "A"), ca("A", by: "C"), ca("C", by: "A")],
      anchors: [ca("Root", by: "Root")])
    #expect(!verdict.isTrusted)
    #expect(verdict.errors.map(\.code).contains(.issuerNotFound))
  }

  @Test("a cycle that has a way out is left")
  func wayOut() throws {
    let root = ca("A", by: "A")
    let verdict = try judge(
      [leaf(by: "A1"), ca("A1", by: "A"), ca("A", by: "B"), ca("B", by: "A"), ca("A", by: "C"), ca("C", by: "B")],
      anchors: [root])
    #expect(names(verdict) == ["www.example.com", "A1", "A"])
    #expect(verdict.isTrusted)
  }

  @Test("of a cross-signed authority the path to the anchor is found, whichever anchor it is")
  func crossSigned() throws {
    let old = ca("Old", by: "Old")
    let new = ca("New", by: "New")
    let cross = ca("New", by: "Old")
    for (anchors, last) in [([old], "Old"), ([new], "New"), ([old, new], "New")] {
      let verdict = try judge([leaf(by: "New"), cross, new], anchors: anchors)
      #expect(verdict.isTrusted)
      #expect(names(verdict).last == last)
    }
  }

  @Test("an expired cross certificate does not hide the valid path")
  func expiredCross() throws {
    var expired = ca("New", by: "Old")
    expired.validity = FakeCertificate.period(days: 5)
    let verdict = try judge(
      [leaf(by: "New"), expired, ca("New", by: "Root")], anchors: [ca("Old", by: "Old"), ca("Root", by: "Root")])
    #expect(verdict.isTrusted)
    #expect(names(verdict).last == "Root")
  }

  @Test("an authority that was issued anew with the same name and key ends the path as the old one would")
  func reissued() throws {
    let old = ca("CA", by: "Root")
    var new = old
    new.serialNumber = [9]
    #expect(try judge([leaf(by: "CA"), new], anchors: [old]).isTrusted)
    #expect(try judge([leaf(by: "CA"), new, ca("Root", by: "Root")], anchors: [old]).path.count == 2)
  }

  @Test("an authority of the right name and the wrong key is not the issuer")
  func impostor() throws {
    let verdict = try judge(
      [leaf(by: "CA"), ca("CA", by: "CA", key: "evil", signer: "evil")], anchors: [ca("CA", by: "CA", key: "evil")])
    #expect(!verdict.isTrusted)
    #expect(verdict.errorCodes.contains("signature-invalid@0"))
  }

  @Test("key identifiers choose among issuers of one name before signatures are tried")
  func keyIdentifiers() throws {
    var sent = leaf(by: "CA", signer: "key 49")
    sent.extensions.append(.authorityKeyIdentifier("key 49"))
    let issuers = (0..<60).map { number in
      var issuer = ca("CA", by: "Root", key: "key \(number)")
      issuer.extensions.append(.subjectKeyIdentifier("key \(number)"))
      return issuer
    }
    let backend = FakeBackend()
    #expect(try judge([sent] + issuers, anchors: [ca("Root", by: "Root")], backend: backend).isTrusted)
    #expect(backend.checkedSignatures == 2)
  }

  @Test("without key identifiers a wrong issuer costs one signature, not a path")
  func manyIssuers() throws {
    let issuers = (0..<150).map { ca("CA", by: "Root", key: "key \($0)") }
    let backend = FakeBackend()
    let verdict = try judge(
      [leaf(by: "CA", signer: "key 149")] + issuers, anchors: [ca("Root", by: "Root")], backend: backend)
    #expect(verdict.isTrusted)
    #expect(backend.checkedSignatures < 170)
  }

  @Test("all acceptable paths are listed when asked for")
  func allPaths() throws {
    let sent = [leaf(by: "New"), ca("New", by: "Old"), ca("New", by: "Older")]
    let anchors = ["New", "Old", "Older"].map { ca($0, by: $0) }
    let verdict = try judge(sent, anchors: anchors, all: true)
    #expect(verdict.attempts.filter(\.errors.isEmpty).count == 3)
    #expect(try judge(sent, anchors: anchors).attempts.count == 1)
  }

  @Test(
    "pathological pools end within the budget",
    arguments: [
      ("one name, many keys", "unfinished paths had to be kept"),
      ("everyone signs everyone", "unfinished paths had to be kept"),
      ("deep", "a path of more than 24 certificates was left"),
    ])
  func pathological(_ kind: String, _ limit: String) throws {
    let pool: [FakeCertificate] =
      switch kind {
      case "one name, many keys":
        (0..<400).map { ca("CA", by: "CA", key: "key \($0)", signer: "key \(($0 + 1) % 400)") }
      case "everyone signs everyone": (0..<20).flatMap { a in (0..<20).map { ca("CA\(a)", by: "CA\($0)") } }
      default: (0..<400).map { ca("CA\($0)", by: "CA\($0 + 1)") }
      }
    let issuer = kind == "one name, many keys" ? "CA" : "CA0"
    for anchors in [[ca("Root", by: "Root")], [ca("CA", by: "CA", key: "none"), ca("CA19", by: "CA19", key: "none")]] {
      let backend = FakeBackend()
      let signed = leaf(by: issuer, signer: issuer == "CA" ? "key 0" : issuer)
      let verdict = try judge([signed] + pool, anchors: anchors, backend: backend)
      #expect(!verdict.isTrusted)
      #expect(verdict.errors.map(\.code).contains(.pathBudgetExceeded))
      #expect(backend.checkedSignatures <= backend.budget.signatureChecks)
      // Nobody knows what a search that was given up would have found or left over.
      let codes = Set(verdict.findings.map(\.code))
      #expect(codes.isDisjoint(with: [.issuerNotFound, .certificateUnused]) || !verdict.attempts.isEmpty)
      #expect(verdict.errors.contains { $0.detail.contains(limit) }, "\(verdict.errors)")
    }
  }

  @Test("the queue gives the cheapest first, of equal ones the oldest")
  func queue() {
    var queue = PathQueue()
    let costs = (0..<200).map { $0 * 7919 % 23 }
    for (path, cost) in costs.enumerated() { queue.insert(path, cost: cost) }
    var order: [Int] = []
    while let path = queue.popFirst() { order.append(path) }
    #expect(order == costs.indices.sorted { (costs[$0], $0) < (costs[$1], $1) })
  }
}
