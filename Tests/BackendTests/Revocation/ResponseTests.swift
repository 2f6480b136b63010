// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinTestSupport
import Testing

/// OCSP responses (RFC 6960 3.2 and 4.2), stapled and fetched, by a responder inside the test.
@Suite("OCSP responses") struct ResponseTests {
  let root: Authority
  let leaf: Authority

  init() throws {
    root = try Authority.root("root")
    leaf = try root.issue("leaf", serial: 7)
  }

  private func judge(
    _ der: [UInt8], lists: [CertificateRevocationList] = [], failure: RevocationPolicy.Failure = .hard,
    mode: RevocationPolicy.Mode = .staple, leaf: Authority? = nil, profile: TrustPolicy.Profile = .rfc5280
  ) throws -> Verdict {
    let evidence = RevocationEvidence(staple: .response(der), lists: lists)
    return try judgeRevocation(
      [leaf ?? self.leaf], evidence, anchor: root, RevocationPolicy(mode, failure: failure), profile: profile)
  }

  private func response(_ recipe: ResponseRecipe = ResponseRecipe(), by signer: Authority? = nil) throws -> [UInt8] {
    try recipe.der(for: leaf.certificate, issuedBy: root.certificate, by: signer ?? root)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let expected: Set<String>
    let change: @Sendable (inout ResponseRecipe) -> Void

    init(_ description: String, _ expected: Set<String>, _ change: @escaping @Sendable (inout ResponseRecipe) -> Void) {
      self.testDescription = description
      self.expected = expected
      self.change = change
    }
  }

  static let expired: Set<String> = ["revocation-expired@0", "revocation-unknown@0"]
  static let future: Set<String> = ["revocation-not-yet-valid@0", "revocation-unknown@0"]
  static let malformed: Set<String> = ["ocsp-malformed@0", "revocation-unknown@0"]
  static let cases: [Case] = [
    Case("good", []) { _ in },
    Case("good, responder by key", []) { $0.namesResponderByKey = true },
    Case("good, issuer by SHA-256", []) { $0.usesSHA256 = true },
    Case("revoked", ["revoked@0"]) { $0.status = .revoked(reason: nil) },
    Case("revoked with a reason", ["revoked@0"]) { $0.status = .revoked(reason: 1) },
    Case("on hold", ["revoked@0"]) { $0.status = .revoked(reason: 6) },
    Case("unknown", ["revocation-unknown@0"]) { $0.status = .unknown },
    Case("outdated", expired) { $0.nextUpdate = Authority.clock.advanced(by: -1) },
    Case("good to the last second", []) { $0.nextUpdate = Authority.clock },
    Case("revoked, outdated", ["revoked@0"]) {
      $0.status = .revoked(reason: 1)
      $0.nextUpdate = Authority.clock.advanced(by: -1)
    },
    Case("on hold, outdated", expired) {
      $0.status = .revoked(reason: 6)
      $0.nextUpdate = Authority.clock.advanced(by: -1)
    },
    Case("without next update, of today", []) { $0.nextUpdate = nil },
    Case("without next update, of last week", expired) {
      $0.nextUpdate = nil
      $0.thisUpdate = Authority.clock.advanced(byDays: -7)
    },
    Case("from the future", future) { $0.thisUpdate = Authority.clock.advanced(by: 3600) },
    Case("produced in the future", future) { $0.producedAt = Authority.clock.advanced(by: 3600) },
    Case("unknown critical extension", malformed) { $0.others = [ListTests.unknownExtension] },
  ]

  @Test("a stapled response decides", arguments: cases) func staple(_ test: Case) throws {
    var recipe = ResponseRecipe()
    test.change(&recipe)
    let verdict = try judge(response(recipe))
    #expect(verdict.errorCodes == test.expected, "\(verdict.findings)")
    let soft = try judge(response(recipe), failure: .soft)
    #expect(soft.isTrusted == !test.expected.contains("revoked@0"))
  }

  @Test("a response about another certificate") func other() throws {
    var recipe = ResponseRecipe()
    recipe.subject = try root.issue("leaf", serial: 8).certificate
    #expect(try judge(response(recipe)).errorCodes == Self.malformed)
  }

  @Test("a response that is too long is not read") func tooLong() throws {
    let limit = PathBudget().octets
    let verdict = try judge(response() + [UInt8](repeating: 0, count: limit))
    #expect(verdict.errorCodes == Self.malformed)
    #expect(verdict.errors.contains { $0.detail.contains("more than \(limit)") })
  }

  @Test("a response that is none, or no answer", arguments: [[], [0x30, 0x00], [0x30, 0x03, 0x0A, 0x01, 0x03]])
  func noAnswer(_ der: [UInt8]) throws {
    let code = der.count == 5 ? "revocation-unavailable@0" : "ocsp-malformed@0"
    #expect(try judge(der).errorCodes == [code, "revocation-unknown@0"])
  }

  struct Delegate: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let isAuthorized: Bool
    var extensions = Authority.Extensions(purposes: [.ocspSigning])
    var days: ClosedRange<Int64> = -10...10
    var isCertifiedByOther = false
    var isRevoked = false
  }

  static let noCheck = Authority.encode(.ocspNoCheck, DER.null)
  static let delegates: [Delegate] = [
    Delegate(testDescription: "delegated", isAuthorized: true),
    Delegate(
      testDescription: "delegated, may sign", isAuthorized: true,
      extensions: .init(usage: [0], purposes: [.ocspSigning])),
    Delegate(
      testDescription: "key usage without signing", isAuthorized: false,
      extensions: .init(usage: [2], purposes: [.ocspSigning])),
    Delegate(testDescription: "without OCSPSigning", isAuthorized: false, extensions: .init(purposes: [.serverAuth])),
    Delegate(testDescription: "without purposes", isAuthorized: false, extensions: .init()),
    Delegate(testDescription: "any purpose", isAuthorized: false, extensions: .init(purposes: [.anyExtendedKeyUsage])),
    Delegate(testDescription: "expired", isAuthorized: false, days: -10 ... -1),
    Delegate(testDescription: "not valid yet", isAuthorized: false, days: 1...10),
    Delegate(
      testDescription: "certified by another CA of the same name", isAuthorized: false, isCertifiedByOther: true),
    Delegate(testDescription: "revoked", isAuthorized: false, isRevoked: true),
    Delegate(
      testDescription: "revoked, but not to be checked", isAuthorized: true,
      extensions: .init(purposes: [.ocspSigning], others: [noCheck]), isRevoked: true),
    Delegate(
      testDescription: "with an extension that nobody knows", isAuthorized: false,
      extensions: .init(purposes: [.ocspSigning], others: [ListTests.unknownExtension])),
  ]

  @Test("who may answer for the issuer", arguments: delegates) func delegate(_ test: Delegate) throws {
    let issuer = test.isCertifiedByOther ? try Authority.root("root") : root
    let responder = try issuer.issue("responder", serial: 20, test.extensions, days: test.days)
    var recipe = ResponseRecipe()
    recipe.certificates = [responder]
    let lists = test.isRevoked ? [try ListRecipe(20).list(by: root)] : []
    let verdict = try judge(response(recipe, by: responder), lists: lists, mode: .crl)
    let isGood = verdict.findings.isEmpty
    #expect(isGood == test.isAuthorized, "\(verdict.findings)")
    #expect(isGood || verdict.findings.contains { $0.code == .ocspResponderUnauthorized })
  }

  @Test("a responder whose certificate did not come along") func missingDelegate() throws {
    let responder = try root.issue("responder", serial: 20, .init(purposes: [.ocspSigning]))
    let verdict = try judge(response(by: responder))
    #expect(verdict.errorCodes == ["ocsp-responder-unauthorized@0", "revocation-unknown@0"])
  }

  @Test("a signature by another key of the issuer's name") func wrongSigner() throws {
    let verdict = try judge(response(by: Authority.root("root")))
    #expect(verdict.errorCodes == ["ocsp-signature-invalid@0", "revocation-unknown@0"])
  }

  @Test("a list that revokes outweighs a response that is good") func listOutweighs() throws {
    let verdict = try judge(response(), lists: [ListRecipe(7).list(by: root)], mode: .crl)
    #expect(verdict.errorCodes == ["revoked@0"])
  }

  @Test("must-staple wants a good response even if a failure is soft") func mustStaple() throws {
    let feature = Authority.encode(.tlsFeature, DER.sequence(DER.integer(5)))
    let leaf = try root.issue("leaf", serial: 7, .init(others: [feature]))
    func verdict(_ staple: RevocationEvidence.Staple, _ mode: RevocationPolicy.Mode = .staple) throws -> Verdict {
      try judgeRevocation([leaf], RevocationEvidence(staple: staple), anchor: root, RevocationPolicy(mode))
    }
    let good = try ResponseRecipe().der(for: leaf.certificate, issuedBy: root.certificate, by: root)
    var recipe = ResponseRecipe()
    recipe.nextUpdate = Authority.clock.advanced(by: -1)
    let expired = try recipe.der(for: leaf.certificate, issuedBy: root.certificate, by: root)
    #expect(try verdict(.response(good)).findings.isEmpty)
    #expect(try verdict(.notSent).errorCodes == ["staple-missing@0"])
    #expect(try verdict(.response(expired)).errorCodes == ["staple-missing@0"])
    #expect(try verdict(.unknown).isTrusted)
    #expect(try verdict(.notSent, .off).isTrusted)
  }
}
