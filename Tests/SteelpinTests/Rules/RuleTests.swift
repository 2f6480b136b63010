// SPDX-License-Identifier: Apache-2.0
import Steelpin
import Testing

@Suite("certificate rules")
struct RuleTests {
  @Test("the good chain is acceptable to every profile", arguments: TrustPolicy.Profile.allCases)
  func good(_ profile: TrustPolicy.Profile) throws {
    let verdict = try FakeChain().judge(profile)
    #expect(verdict.errorCodes == [])
    #expect(verdict.isTrusted)
  }

  @Test("one fault", arguments: RuleRows.all, TrustPolicy.Profile.allCases)
  func fault(_ row: RuleRow, _ profile: TrustPolicy.Profile) throws {
    var chain = FakeChain()
    row.spoil(&chain)
    // Whatever key the leaf has, the intermediate's fake signature is on it.
    let verdict = try chain.judge(profile)
    #expect(verdict.errorCodes == (row.profiles.contains(profile) ? row.codes : []), "\(verdict.errors)")
  }

  @Test("every rule has a fault that it finds")
  func coverage() {
    let elsewhere: Set = ["name constraints", "certificate policies"]
    let found = Set(RuleRows.all.filter { !$0.profiles.isEmpty }.map(\.rule))
    #expect(found.union(elsewhere) == Set(CertificateRules.all.map(\.name)))
  }

  @Test("names of rules are unique")
  func unique() {
    #expect(Set(CertificateRules.all.map(\.name)).count == CertificateRules.all.count)
  }

  @Test("plain X.509 asks for neither host nor purpose", arguments: TrustPolicy.Profile.allCases)
  func basic(_ profile: TrustPolicy.Profile) throws {
    var chain = FakeChain()
    chain.leaf.set(.extendedKeyUsage, .extendedKeyUsage(.clientAuth))
    #expect(try chain.judge(profile, domain: .basicX509, host: "elsewhere.example.org").isTrusted)
    #expect(try !chain.judge(profile, domain: .sslAnyHost).isTrusted)
  }

  @Test("self-issued intermediates do not count towards path lengths", arguments: TrustPolicy.Profile.allCases)
  func selfIssued(_ profile: TrustPolicy.Profile) throws {
    let chain = FakeChain()
    var rollover = FakeCertificate("Intermediate", by: "Intermediate", key: "Old", signer: "Old")
    rollover.issuer = FakeName.commonName("Root")
    rollover.signer = "Root"
    rollover.extensions = [
      .basicConstraints(isCA: true, pathLength: 0), .keyUsage(5), .subjectKeyIdentifier("Old"),
      .authorityKeyIdentifier("Root"),
    ]
    var new = chain.intermediate
    new.issuer = FakeName.commonName("Intermediate")
    new.signer = "Old"
    new.set(.authorityKeyIdentifier, .authorityKeyIdentifier("Old"))
    let policy = TrustPolicy(
      anchors: .only(AnchorSet([try chain.root.make()])), profile: profile, time: FakeCertificate.now)
    let sent = CertificateChain([try chain.leaf.make(), try new.make(), try rollover.make()])
    let verdict = try FakeBackend().evaluate(sent, host: try HostName("www.example.com"), policy: policy)
    #expect(verdict.isTrusted, "\(verdict.errors)")
    #expect(verdict.path.count == 4)
  }
}
