// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinTestSupport
import Testing

/// Which certificates and reasons a list covers: distribution points, indirect lists and deltas.
@Suite("scopes of revocation lists") struct ListScopeTests {
  typealias Scope = ListRecipe.Scope

  let root: Authority
  let other: Authority

  init() throws {
    root = try Authority.root("root")
    other = try root.issue("other", serial: 90, .init(isCA: true))
  }

  /// A leaf with distribution points, and lists of its issuer.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let isGood: Bool
    let points: [UInt8]?
    let scopes: [Scope?]

    init(_ description: String, _ isGood: Bool, _ points: [UInt8]?, _ scopes: Scope?...) {
      self.testDescription = description
      self.isGood = isGood
      self.points = points
      self.scopes = scopes
    }
  }

  static let here = ListRecipe.url("http://crl.steelpin.test/here")
  static let there = ListRecipe.url("http://crl.steelpin.test/there")
  static let pointHere = ListRecipe.points((here, nil, nil))
  /// keyCompromise and cACompromise; the six others.
  static let (some, rest) = ([1, 2], [3, 4, 5, 6, 7, 8])

  static let cases: [Case] = [
    Case("no point, list without scope", true, nil, nil),
    Case("point, list without scope", true, pointHere, nil),
    Case("point, list of that point", true, pointHere, Scope(point: here)),
    Case("point, list of another point", false, pointHere, Scope(point: there)),
    Case("no point, list of some point", false, nil, Scope(point: here)),
    Case("no point, list of the issuer's name", true, nil, Scope(point: ListRecipe.directory("root"))),
    Case(
      "one of two points", true, ListRecipe.points((there, nil, nil), (here, nil, nil)), Scope(point: here)),
    Case(
      "relative point, list of the same relative point", true,
      ListRecipe.points((ListRecipe.relative("part 1"), nil, nil)), Scope(point: ListRecipe.relative("part 1"))),
    Case(
      "relative point, list of another relative point", false,
      ListRecipe.points((ListRecipe.relative("part 1"), nil, nil)), Scope(point: ListRecipe.relative("part 2"))),
    Case("only users", true, nil, Scope(onlyUsers: true)),
    Case("only authorities", false, nil, Scope(onlyAuthorities: true)),
    Case("only attribute certificates", false, nil, Scope(onlyAttributes: true)),
    Case("some reasons", false, nil, Scope(reasons: some)),
    Case("some reasons and the rest", true, nil, Scope(reasons: some), Scope(reasons: rest)),
    Case("some reasons twice", false, nil, Scope(reasons: some), Scope(reasons: some)),
    Case(
      "points of some reasons each", true, ListRecipe.points((here, some, nil), (there, rest, nil)),
      Scope(point: here), Scope(point: there)),
    Case(
      "a point of some reasons only", false, ListRecipe.points((here, some, nil), (there, rest, nil)),
      Scope(point: here)),
    Case("point that names another issuer", false, ListRecipe.points((here, nil, "other")), Scope(point: here)),
    Case("several kinds at once", false, nil, Scope(onlyUsers: true, onlyAuthorities: true)),
  ]

  @Test("a list proves a leaf good only within its scope", arguments: cases) func covers(_ test: Case) throws {
    let leaf = try root.issue("leaf", serial: 7, .init(others: test.points.map { [$0] } ?? []))
    var recipe = ListRecipe()
    let lists = test.scopes.compactMap { scope -> CertificateRevocationList? in
      recipe.scope = scope
      return try? recipe.list(by: root)
    }
    let verdict = try judgeRevocation([leaf], RevocationEvidence(lists: lists), anchor: root)
    #expect(verdict.errorCodes == (test.isGood ? [] : ["revocation-unknown@0"]), "\(verdict.findings)")
  }

  @Test("only authorities, only users, for an authority", arguments: [true, false])
  func authorities(_ onlyAuthorities: Bool) throws {
    var recipe = ListRecipe()
    recipe.scope = Scope(onlyUsers: !onlyAuthorities, onlyAuthorities: onlyAuthorities)
    let lists = [try recipe.list(by: root)]
    #expect(try judgeRevocation([other], RevocationEvidence(lists: lists), anchor: root).isTrusted == onlyAuthorities)
  }

  @Test("a revocation counts before every reason is covered") func partial() throws {
    let leaf = try root.issue("leaf", serial: 7)
    var recipe = ListRecipe(7)
    recipe.scope = Scope(reasons: Self.some)
    let verdict = try judgeRevocation([leaf], RevocationEvidence(lists: [recipe.list(by: root)]), anchor: root)
    #expect(verdict.errorCodes == ["revoked@0"])
  }

  @Test(
    "an indirect list of another issuer, whose entries name theirs",
    arguments: [
      ([("root", 7)], "revoked@0"), ([("root", 8)], ""), ([("other", 7)], ""), ([("root", 8), (nil, 7)], "revoked@0"),
      ([("root", 8), ("other", 7)], ""), ([(nil, 7)], ""),
    ] as [([(String?, Int)], String)])
  func indirect(_ entries: [(String?, Int)], _ expected: String) throws {
    let leaf = try root.issue("leaf", serial: 7, .init(others: [ListRecipe.points((Self.here, nil, "other"))]))
    var recipe = ListRecipe()
    recipe.scope = Scope(point: Self.here, isIndirect: true)
    recipe.entries = entries.map { .init(serial: $0.1, issuer: $0.0) }
    let evidence = RevocationEvidence(
      lists: [try recipe.list(by: other), try ListRecipe().list(by: root)], certificates: [other.certificate])
    let verdict = try judgeRevocation([leaf], evidence, anchor: root)
    #expect(verdict.errorCodes == (expected.isEmpty ? [] : [expected]), "\(verdict.findings)")
  }

  @Test("a list of another issuer that is not indirect does not count") func notIndirect() throws {
    let leaf = try root.issue("leaf", serial: 7, .init(others: [ListRecipe.points((nil, nil, "other"))]))
    let evidence = RevocationEvidence(lists: [try ListRecipe().list(by: other)], certificates: [other.certificate])
    #expect(try judgeRevocation([leaf], evidence, anchor: root).errorCodes == ["revocation-unknown@0"])
  }

  @Test("an entry of a list that is not indirect must not name an issuer") func strayIssuer() throws {
    var recipe = ListRecipe()
    recipe.entries = [.init(serial: 7, issuer: "root")]
    #expect(throws: RevocationEvidenceError.self) { try recipe.list(by: root) }
  }

  /// A base and its delta: numbers, the base that the delta names, and entries of leaf 7 with their reasons.
  struct Delta: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let expected: Set<String>
    var number = 5
    var base = 3
    var deltaNumber = 6
    var baseReason: Int? = nil
    var deltaReason: Int? = nil
    var isBaseOutdated = false
    var deltaScope: Scope? = nil
  }

  static let unknown: Set<String> = ["revocation-expired@0", "revocation-unknown@0"]
  static let deltas: [Delta] = [
    Delta(testDescription: "listed in neither", expected: []),
    Delta(testDescription: "listed in the delta", expected: ["revoked@0"], deltaReason: 1),
    Delta(testDescription: "taken off hold", expected: [], baseReason: 6, deltaReason: 8),
    Delta(testDescription: "still on hold", expected: ["revoked@0"], baseReason: 6),
    Delta(testDescription: "the delta brings an outdated base up to date", expected: [], isBaseOutdated: true),
    Delta(testDescription: "a delta of a later base", expected: unknown, base: 6, deltaNumber: 7, isBaseOutdated: true),
    Delta(testDescription: "a delta that is older", expected: unknown, deltaNumber: 4, isBaseOutdated: true),
    Delta(
      testDescription: "a delta of another scope", expected: unknown, isBaseOutdated: true,
      deltaScope: Scope(onlyUsers: true)),
  ]

  @Test("a delta changes its base", arguments: deltas) func delta(_ test: Delta) throws {
    let leaf = try root.issue("leaf", serial: 7)
    var base = ListRecipe()
    base.number = test.number
    base.entries = test.baseReason.map { [.init(serial: 7, reason: $0)] } ?? []
    if test.isBaseOutdated { base.nextUpdate = Authority.clock.advanced(by: -1) }
    var delta = ListRecipe()
    delta.number = test.deltaNumber
    delta.base = test.base
    delta.scope = test.deltaScope
    delta.entries = test.deltaReason.map { [.init(serial: 7, reason: $0)] } ?? []
    let lists = [try delta.list(by: root), try base.list(by: root)]
    let verdict = try judgeRevocation([leaf], RevocationEvidence(lists: lists), anchor: root)
    #expect(verdict.errorCodes == test.expected, "\(verdict.findings)")
  }

  @Test("a delta by another key of the same name does not count") func deltaSigner() throws {
    let leaf = try root.issue("leaf", serial: 7)
    var delta = ListRecipe(7)
    delta.base = 1
    delta.number = 2
    let lists = [
      try ListRecipe().list(by: root), try delta.list(by: Authority.root("forger"), named: root.name),
    ]
    #expect(try judgeRevocation([leaf], RevocationEvidence(lists: lists), anchor: root).isTrusted)
  }
}
