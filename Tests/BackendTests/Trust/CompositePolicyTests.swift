// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinTestSupport
import Testing

@Suite("composite policies") struct CompositePolicyTests {
  private func trusting() throws -> CompositePolicy { .policy(TrustPolicy(anchors: .only(try TestCerts.roots()))) }
  private func distrusting() -> CompositePolicy { .policy(TrustPolicy(anchors: .only(AnchorSet([])))) }
  private func missing() throws -> CompositePolicy {
    let stray = Pin(.publicKey, of: try TestCerts.certificate("leaf/unrelated"))
    return .policy(TrustPolicy(anchors: .only(try TestCerts.roots()), pinning: .pins(PinSet([stray]), scope: .any)))
  }

  @Test("all and any") func combinations() throws {
    let (yes, no, miss) = (try trusting(), distrusting(), try missing())
    for (policy, outcome) in [
      (.all([yes, yes]), .trusted), (.all([yes, no]), .untrusted), (.all([no, yes]), .untrusted),
      (.all([yes, miss]), .pinMismatch), (.any([no, yes]), .trusted), (.any([yes, no]), .trusted),
      (.any([no, no]), .untrusted), (.any([miss, no]), .pinMismatch), (.any([no, miss]), .pinMismatch),
      (.all([.any([no, yes]), .all([yes])]), .trusted), (.any([.all([yes, no]), .all([no, yes])]), .untrusted),
    ] as [(CompositePolicy, Verdict.Outcome)] {
      #expect(try judge(TestCerts.chain("leaf/p-256"), by: policy).outcome == outcome, "\(policy)")
    }
  }

  @Test("a list of no policies trusts nothing", arguments: [CompositePolicy.all([]), .any([])])
  func empty(_ policy: CompositePolicy) throws {
    #expect(try judge(TestCerts.chain("leaf/p-256"), by: policy).errorCodes == ["policy-contradiction"])
  }

  @Test(
    "refusals say why",
    arguments: [
      (CompositePolicy.Refusal.contradiction, "policy-contradiction"), (.emptyPins, "pin-set-empty"),
      (.host, "host-not-allowed"),
    ])
  func refusals(_ refusal: CompositePolicy.Refusal, _ code: String) throws {
    let verdict = try judge(TestCerts.chain("leaf/p-256"), by: CompositePolicy.refuse(refusal))
    #expect(verdict.errorCodes == [code])
    #expect(!verdict.isTrusted)
  }

  @Test("another name may be demanded than that of the host") func otherHost() throws {
    let other = CompositePolicy.forHost(try HostName("other.steelpin.test"), try trusting())
    let chain = try TestCerts.chain("leaf/wrong-host")
    let verdict = try judge(chain, by: other)
    #expect(verdict.isTrusted, "\(verdict.findings)")
    #expect(verdict.host == (try HostName("www.steelpin.test")))
    #expect(try judge(chain, by: trusting()).errorCodes == ["host-mismatch@0"])
  }

  @Test("a table of hosts judges each by its own rule, and disposes of the connection") func hostTable() throws {
    let table = try HostTable(
      [
        "www.steelpin.test": .demand(trusting()), "localhost": .demand(missing()), "*.white.test": .bypass,
        "**.denied.test": .deny,
      ], unknownHost: .deny)
    for (host, outcome, disposition) in [
      ("www.steelpin.test", .trusted, .useCredential), ("localhost", .pinMismatch, .cancel),
      ("a.white.test", .untrusted, .performDefaultHandling), ("a.denied.test", .untrusted, .cancel),
      ("unknown.test", .untrusted, .cancel),
    ] as [(String, Verdict.Outcome, HostTable.Disposition)] {
      let verdict = try judge(TestCerts.chain("leaf/p-256"), host: host, by: table, system: TestCerts.roots())
      #expect(verdict.outcome == outcome, "\(host): \(verdict.findings)")
      #expect(table.disposition(for: verdict) == disposition, "\(host)")
    }
  }
}
