// SPDX-License-Identifier: Apache-2.0
import Steelpin
import Testing

@Suite("rules that a certificate concerns")
struct RuleConcernTests {
  /// What every rule of the profile says if it is asked whatever the certificates are.
  private func plainly(_ path: [Certificate], reachesAnchor: Bool, _ context: RuleContext) -> [Finding] {
    var findings: [Finding] = []
    for rule in CertificateRules.all where rule.profiles.contains(context.profile) {
      rule.check(RulePath(certificates: path, reachesAnchor: reachesAnchor), context, &findings)
    }
    return findings
  }

  @Test("a rule that is not asked about a path would have nothing to say", arguments: RuleRows.all)
  func skipped(_ row: RuleRow) throws {
    var chain = FakeChain()
    row.spoil(&chain)
    let full = try [chain.leaf, chain.intermediate, chain.root].map { try $0.make() }
    // Each certificate in every place: as a leaf, as an issuer, and as an anchor that is the leaf.
    let paths = [full, Array(full.dropLast()), Array(full.dropFirst()), [full[0]], [full[1]], full.reversed()]
    for profile in TrustPolicy.Profile.allCases {
      for domain in [TrustPolicy.DomainValidation.ssl, .basicX509] {
        for requiresPolicy in [false, true] {
          let context = RuleContext(
            host: try HostName("www.example.com"), domain: domain, profile: profile, time: FakeCertificate.now,
            endsAtSystemAnchor: requiresPolicy,
            certificatePolicies: .init(requireExplicitPolicy: requiresPolicy))
          for path in paths {
            for reachesAnchor in [false, true] {
              let found = CertificateRules.findings(path, reachesAnchor: reachesAnchor, in: context)
              #expect(found == plainly(path, reachesAnchor: reachesAnchor, context), "\(profile) \(domain)")
            }
          }
        }
      }
    }
  }

  @Test("there is a bit for every rule, and one to spare")
  func bits() {
    #expect(CertificateRules.all.count < 64)
  }
}
