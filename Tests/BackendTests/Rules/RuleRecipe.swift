// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinMatrix
import SteelpinTestSupport
import Testing

/// The recipes of a chain that is acceptable to every profile, from which rows make one that is not.
struct ChainRecipe {
  var leaf = CertificateRecipe.leaf([.dns("www.steelpin.test")])
  var intermediate = CertificateRecipe.intermediate("Intermediate", pathLength: 0)
  var root = CertificateRecipe.root("Root")
}

/// One fault in an otherwise good chain of real certificates, and who objects to it with what.
struct RuleRecipe: Sendable, CustomTestStringConvertible {
  let rule: String
  let profiles: Set<TrustPolicy.Profile>
  let codes: Set<String>
  let spoil: @Sendable (inout ChainRecipe) -> Void
  var testDescription: String { "\(rule) \(codes.sorted().joined(separator: " "))" }

  init(
    _ rule: String, _ profiles: Set<TrustPolicy.Profile>, _ codes: String...,
    spoil: @escaping @Sendable (inout ChainRecipe) -> Void
  ) {
    self.rule = rule
    self.profiles = profiles
    self.codes = Set(codes)
    self.spoil = spoil
  }
}

extension Set<TrustPolicy.Profile> {
  static let all = Set(TrustPolicy.Profile.allCases)
  static let letter: Set = [.rfc5280, .webPKI]
  static let strict: Set = [.rfc5280, .standard, .webPKI]
  static let strong: Set = [.apple, .standard, .webPKI]
}

/// The rules on real certificates and real libraries: whoever does not object must be given a proof by each.
@Suite("rules on real certificates") struct RuleRecipeTests {
  /// Keys are made once for all rows.
  private static let keys = keyProviders.first.map { KeyRing($0.value) }

  private func verdict(_ recipe: ChainRecipe, _ profile: TrustPolicy.Profile) throws -> Verdict {
    let lab = try Lab(keys: try #require(Self.keys), clock: TestCerts.clock)
    let root = try lab.issue(recipe.root, by: nil)
    let intermediate = try lab.issue(recipe.intermediate, by: root)
    let leaf = try lab.issue(recipe.leaf, by: intermediate)
    let anchors = AnchorSet([try root.certificate])
    return try judge(
      CertificateChain(leaf, intermediate),
      TrustPolicy(anchors: .only(anchors), profile: profile, time: TestCerts.clock))
  }

  @Test("the good chain is acceptable to every profile", arguments: TrustPolicy.Profile.allCases)
  func good(_ profile: TrustPolicy.Profile) throws {
    let verdict = try verdict(ChainRecipe(), profile)
    #expect(verdict.isTrusted, "\(verdict.errors)")
  }

  @Test("one fault", arguments: RuleRecipe.all, TrustPolicy.Profile.allCases)
  func fault(_ row: RuleRecipe, _ profile: TrustPolicy.Profile) throws {
    var recipe = ChainRecipe()
    row.spoil(&recipe)
    let verdict = try verdict(recipe, profile)
    #expect(verdict.errorCodes == (row.profiles.contains(profile) ? row.codes : []), "\(verdict.errors)")
    #expect(verdict.isTrusted == !row.profiles.contains(profile))
  }

  @Test("every rule has a row") func coverage() {
    #expect(Set(RuleRecipe.all.map(\.rule)) == Set(CertificateRules.all.map(\.name)))
  }
}
