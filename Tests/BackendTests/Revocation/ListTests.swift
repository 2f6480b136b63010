// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinTestSupport
import Testing

/// Complete lists: form, dates, signers.
@Suite("revocation lists") struct ListTests {
  let root: Authority
  let leaf: Authority

  init() throws {
    root = try Authority.root("root")
    leaf = try root.issue("leaf", serial: 7)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let expected: Set<String>
    let recipe: ListRecipe

    init(_ description: String, _ expected: Set<String>, _ serials: [Int] = [], _ change: (inout ListRecipe) -> Void) {
      self.testDescription = description
      self.expected = expected
      var recipe = ListRecipe()
      recipe.entries = serials.map { ListRecipe.Entry(serial: $0) }
      change(&recipe)
      self.recipe = recipe
    }
  }

  static let unknownExtension = Authority.encode(OID([0x2A, 3, 4]), isCritical: true, DER.null)

  static let cases: [Case] = [
    Case("not listed", []) { _ in },
    Case("another is listed", [], [8]) { _ in },
    Case("listed", ["revoked@0"], [8, 7]) { _ in },
    Case("listed on hold", ["revoked@0"]) { $0.entries = [.init(serial: 7, reason: 6)] },
    Case("outdated", ["revocation-expired@0", "revocation-unknown@0"]) {
      $0.nextUpdate = Authority.clock.advanced(by: -1)
    },
    Case("good to the last second", []) { $0.nextUpdate = Authority.clock },
    Case("without next update", ["revocation-expired@0", "revocation-unknown@0"]) { $0.nextUpdate = nil },
    Case("from the future", ["revocation-not-yet-valid@0", "revocation-unknown@0"]) {
      $0.thisUpdate = Authority.clock.advanced(by: 3600)
    },
    Case("by a clock that is minutes ahead", []) { $0.thisUpdate = Authority.clock.advanced(by: 200) },
    Case("listed in an outdated list", ["revoked@0"], [7]) { $0.nextUpdate = Authority.clock.advanced(by: -1) },
    Case("on hold in an outdated list", ["revocation-expired@0", "revocation-unknown@0"]) {
      $0.entries = [.init(serial: 7, reason: 6)]
      $0.nextUpdate = Authority.clock.advanced(by: -1)
    },
    Case("without number", ["crl-malformed@0", "revocation-unknown@0"]) { $0.number = nil },
    Case("critical number", ["crl-malformed@0", "revocation-unknown@0"]) { $0.isNumberCritical = true },
    Case("version 1", ["crl-malformed@0", "revocation-unknown@0"]) { $0.isVersionTwo = false },
    Case("listed in version 1", ["revoked@0"], [7]) { $0.isVersionTwo = false },
    Case("unknown critical extension", ["crl-extension-unknown@0", "revocation-unknown@0"], [7]) {
      $0.others = [unknownExtension]
    },
    Case("unknown critical extension of an entry", ["crl-extension-unknown@0", "revocation-unknown@0"]) {
      $0.entries = [.init(serial: 8, others: [unknownExtension])]
    },
    Case("only a delta", ["revocation-unknown@0"]) { $0.base = 1 },
  ]

  @Test("a list decides", arguments: cases) func list(_ test: Case) throws {
    let evidence = RevocationEvidence(lists: [try test.recipe.list(by: root)])
    let verdict = try judgeRevocation([leaf], evidence, anchor: root)
    #expect(verdict.errorCodes == test.expected, "\(verdict.findings)")
    #expect(verdict.isTrusted == test.expected.isEmpty)
  }

  @Test("a soft failure warns of what a hard one refuses, but for a revocation", arguments: cases)
  func soft(_ test: Case) throws {
    let evidence = RevocationEvidence(lists: [try test.recipe.list(by: root)])
    let verdict = try judgeRevocation([leaf], evidence, anchor: root, RevocationPolicy(.crl, scope: .leaf))
    #expect(verdict.isTrusted == !test.expected.contains("revoked@0"))
    #expect(verdict.warningCodes.isSuperset(of: test.expected.map { String($0.dropLast(2)) }) || !verdict.isTrusted)
  }

  @Test("no list: nothing is known") func none() throws {
    let verdict = try judgeRevocation([leaf], RevocationEvidence(), anchor: root)
    #expect(verdict.errorCodes == ["revocation-unknown@0"])
  }

  @Test("policy off: nothing is looked at") func off() throws {
    let evidence = RevocationEvidence(lists: [try ListRecipe(7).list(by: root)])
    let verdict = try judgeRevocation([leaf], evidence, anchor: root, .off)
    #expect(verdict.isTrusted && verdict.findings.isEmpty)
  }

  @Test("of two lists of one scope the newest counts") func newest() throws {
    var old = ListRecipe()
    old.entries = [.init(serial: 7, reason: 6)]
    old.thisUpdate = Authority.clock.advanced(byDays: -2)
    let evidence = RevocationEvidence(lists: [try old.list(by: root), try ListRecipe().list(by: root)])
    #expect(try judgeRevocation([leaf], evidence, anchor: root).isTrusted)
  }

  @Test("a list with a bad signature beside a good one does no harm") func twoLists() throws {
    let forged = try ListRecipe(7).list(by: Authority.root("forger"), named: root.name)
    let evidence = RevocationEvidence(lists: [forged, try ListRecipe().list(by: root)])
    let verdict = try judgeRevocation([leaf], evidence, anchor: root)
    #expect(verdict.isTrusted)
    #expect(verdict.warningCodes == ["crl-signature-invalid"])
  }

  @Test("a list of another issuer says nothing") func otherIssuer() throws {
    let other = try Authority.root("other")
    let verdict = try judgeRevocation(
      [leaf], RevocationEvidence(lists: [try ListRecipe(7).list(by: other)]), anchor: root)
    #expect(verdict.errorCodes == ["revocation-unknown@0"])
  }

  @Test("the whole path is asked unless the scope is the leaf", arguments: RevocationPolicy.Scope.allCases)
  func scope(_ scope: RevocationPolicy.Scope) throws {
    let intermediate = try root.issue("intermediate", serial: 3, .init(isCA: true))
    let leaf = try intermediate.issue("leaf", serial: 7)
    let evidence = RevocationEvidence(lists: [
      try ListRecipe(3).list(by: root), try ListRecipe().list(by: intermediate),
    ])
    let verdict = try judgeRevocation(
      [leaf, intermediate], evidence, anchor: root, RevocationPolicy(.crl, failure: .hard, scope: scope))
    #expect(verdict.errorCodes == (scope == .leaf ? [] : ["revoked@1"]))
  }

  @Test("an anchor is trusted as it is") func anchoredLeaf() throws {
    let evidence = RevocationEvidence(lists: [try ListRecipe(7).list(by: root)])
    #expect(try judgeRevocation([leaf], evidence, anchor: leaf).isTrusted)
  }
}
