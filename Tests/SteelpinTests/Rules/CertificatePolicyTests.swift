// SPDX-License-Identifier: Apache-2.0
import Steelpin
import Testing

@Suite("certificate policies")
struct CertificatePolicyTests {
  private static let gold = OID([0x2A, 1])
  private static let silver = OID([0x2A, 2])
  private static let tin = OID([0x2A, 3])

  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let isTrusted: Bool
    let inputs: TrustPolicy.CertificatePolicies
    let intermediate: [FakeExtension]
    let leaf: [FakeExtension]

    init(
      _ text: String, _ isTrusted: Bool, accepted: Set<OID>? = nil, explicit: Bool = false, noMapping: Bool = false,
      noAny: Bool = false, intermediate: [FakeExtension], leaf: [FakeExtension]
    ) {
      self.testDescription = text
      self.isTrusted = isTrusted
      self.inputs = .init(
        accepted: accepted, requireExplicitPolicy: explicit, inhibitPolicyMapping: noMapping, inhibitAnyPolicy: noAny)
      self.intermediate = intermediate
      self.leaf = leaf
    }
  }

  static let rows: [Row] = [
    Row("no policies, none required", true, intermediate: [], leaf: []),
    Row("no policies, one required", false, explicit: true, intermediate: [], leaf: []),
    Row(
      "the same policy throughout", true, explicit: true, intermediate: [.certificatePolicies(gold)],
      leaf: [.certificatePolicies(gold)]),
    Row(
      "another policy in the leaf", false, explicit: true, intermediate: [.certificatePolicies(gold)],
      leaf: [.certificatePolicies(silver)]),
    Row(
      "another policy in the leaf, none required", true, intermediate: [.certificatePolicies(gold)],
      leaf: [.certificatePolicies(silver)]),
    Row(
      "a policy that is not accepted", false, accepted: [silver], explicit: true,
      intermediate: [.certificatePolicies(gold)], leaf: [.certificatePolicies(gold)]),
    Row(
      "anyPolicy above, an accepted one below", true, accepted: [gold], explicit: true,
      intermediate: [.certificatePolicies(.anyPolicy)], leaf: [.certificatePolicies(gold)]),
    Row(
      "anyPolicy throughout", true, accepted: [gold], explicit: true, intermediate: [.certificatePolicies(.anyPolicy)],
      leaf: [.certificatePolicies(.anyPolicy)]),
    Row(
      "anyPolicy, which is inhibited", false, explicit: true, noAny: true,
      intermediate: [.certificatePolicies(.anyPolicy)], leaf: [.certificatePolicies(gold)]),
    Row(
      "anyPolicy in the leaf, which the intermediate inhibits", false, explicit: true,
      intermediate: [.certificatePolicies(gold), .inhibitAnyPolicy(0)], leaf: [.certificatePolicies(.anyPolicy)]),
    Row(
      "anyPolicy in the leaf, which the intermediate inhibits one certificate later", true, explicit: true,
      intermediate: [.certificatePolicies(gold), .inhibitAnyPolicy(1)], leaf: [.certificatePolicies(.anyPolicy)]),
    Row(
      "an intermediate that requires a policy", false,
      intermediate: [.certificatePolicies(gold), .policyConstraints(requireExplicit: 0)], leaf: []),
    Row(
      "an intermediate that requires a policy later than the leaf", true,
      intermediate: [.certificatePolicies(gold), .policyConstraints(requireExplicit: 2)], leaf: []),
    Row(
      "a leaf that requires a policy it lacks", false, intermediate: [.certificatePolicies(gold)],
      leaf: [.certificatePolicies(silver), .policyConstraints(requireExplicit: 0)]),
    Row(
      "a mapping", true, accepted: [gold], explicit: true,
      intermediate: [.certificatePolicies(gold), .policyMappings((gold, silver))],
      leaf: [.certificatePolicies(silver)]),
    Row(
      "a mapping, and the policy of the subject's domain asked for", false, accepted: [silver], explicit: true,
      intermediate: [.certificatePolicies(gold), .policyMappings((gold, silver))],
      leaf: [.certificatePolicies(silver)]),
    Row(
      "a mapping, and the leaf in the issuer's domain", false, explicit: true,
      intermediate: [.certificatePolicies(gold), .policyMappings((gold, silver))], leaf: [.certificatePolicies(gold)]),
    Row(
      "a mapping, which is inhibited", false, explicit: true, noMapping: true,
      intermediate: [.certificatePolicies(gold), .policyMappings((gold, silver))],
      leaf: [.certificatePolicies(silver)]),
    Row(
      "a mapping under anyPolicy", true, accepted: [gold], explicit: true,
      intermediate: [.certificatePolicies(.anyPolicy), .policyMappings((gold, silver))],
      leaf: [.certificatePolicies(silver)]),
    Row(
      "one policy mapped to two", true, accepted: [gold], explicit: true,
      intermediate: [.certificatePolicies(gold), .policyMappings((gold, silver), (gold, tin))],
      leaf: [.certificatePolicies(tin)]),
    Row(
      "a mapping from anyPolicy", false,
      intermediate: [.certificatePolicies(gold), .policyMappings((.anyPolicy, gold))], leaf: []),
  ]

  @Test("verdict", arguments: rows, TrustPolicy.Profile.allCases)
  func verdict(_ row: Row, _ profile: TrustPolicy.Profile) throws {
    var chain = FakeChain()
    chain.intermediate.extensions += row.intermediate
    chain.leaf.extensions += row.leaf
    let verdict = try chain.judge(profile, policies: row.inputs)
    #expect(verdict.isTrusted == row.isTrusted, "\(verdict.errors)")
    #expect(Set(verdict.errors.map(\.code)).subtracting([.policyNotAllowed]).isEmpty)
  }

  @Test("mappings of everything to everything stay small")
  func bounded() {
    let policies = (0..<150).map { OID([0x2A, 0x83, UInt8($0 % 128), UInt8($0 / 128)]) }
    let information = policies.map { DER.sequence(DER.objectIdentifier($0)) }
    let list = try? DERReader.single(DER.sequence(information)[...], .sequence)
    let decoded = list.flatMap { try? PolicyInformation.list($0) } ?? []
    #expect(decoded.count == 150)
    let pairs = policies.flatMap { one in
      policies.map { DER.sequence(DER.objectIdentifier(one), DER.objectIdentifier($0)) }
    }
    let mappings =
      (try? DERReader.single(DER.sequence(pairs)[...], .sequence)).flatMap { try? PolicyMapping.list($0) } ?? []
    var graph = PolicyGraph()
    for _ in 0..<20 {
      graph.add(decoded, allowsAnyPolicy: true)
      graph.map(mappings, isInhibited: false)
    }
    #expect(!graph.isEmpty)
    #expect(graph.allows(nil))
    #expect(!graph.allows([.commonName]))
  }
}
