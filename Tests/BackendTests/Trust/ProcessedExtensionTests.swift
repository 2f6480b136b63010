// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinMatrix
import SteelpinTestSupport
import Testing

/// Critical extensions that our rules process, whatever a library knows of them: GnuTLS has no certificate policies.
@Suite("critical extensions of authorities") struct ProcessedExtensionTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let extensions: [ExtensionRecipe]
    var testDescription: String { name }

    init(_ name: String, _ values: ExtensionValue...) {
      self.name = name
      self.extensions = values.map { ExtensionRecipe($0, critical: true) }
    }
  }

  static let rows = [
    Row("certificatePolicies", .certificatePolicies([.anyPolicy])),
    Row("policyConstraints", .policyConstraints(requireExplicitPolicy: 5, inhibitPolicyMapping: 0)),
    Row(
      "policyMappings", .certificatePolicies([.serverAuth]),
      .policyMappings([PolicyMappingRecipe(.serverAuth, to: .clientAuth)])),
    Row("inhibitAnyPolicy", .inhibitAnyPolicy(0)),
    Row("nameConstraints", .nameConstraints(permitted: [.dns("test")], excluded: [])),
    Row("nameConstraints on other kinds", .nameConstraints(permitted: [.email("steelpin.test")], excluded: [])),
  ]

  @Test("are no obstacle on either backend", arguments: rows) func processed(_ row: Row) throws {
    let lab = try Lab(try #require(keyProviders.first).value, clock: TestCerts.clock)
    let authority = try lab.issue(
      CertificateRecipe.intermediate("Constrained").with { $0.extensions += row.extensions }, by: lab.root)
    let leaf = try lab.issue(.leaf([.dns("www.steelpin.test")]), by: authority)
    let verdict = try judge(CertificateChain(leaf, authority), TrustPolicy(anchors: .only(lab.anchors)))
    #expect(verdict.isTrusted, "\(verdict.errors)")
  }
}
