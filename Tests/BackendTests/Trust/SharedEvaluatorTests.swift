// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Steelpin
import SteelpinTestSupport
import Synchronization
import Testing

/// One evaluator serves many threads with different clocks, hosts and policies; the thread sanitizer watches.
@Suite("an evaluator shared by threads") struct SharedEvaluatorTests {
  private struct Question: Sendable {
    let chain: CertificateChain
    let host: String
    let policy: TrustPolicy
    let outcome: Verdict.Outcome
  }

  private func questions() throws -> [Question] {
    let roots = TrustPolicy.Anchors.only(try TestCerts.roots())
    let clock = TestCerts.clock
    func question(
      _ entry: String, host: String = "www.steelpin.test", _ policy: TrustPolicy, _ outcome: Verdict.Outcome
    ) throws -> Question {
      Question(chain: try TestCerts.chain(entry), host: host, policy: policy, outcome: outcome)
    }
    let unrelated = PinSet([Pin(.publicKey, of: try TestCerts.certificate("leaf/unrelated"))])
    return [
      try question("leaf/p-256", TrustPolicy(anchors: roots, time: clock), .trusted),
      try question("leaf/p-256", TrustPolicy(anchors: roots, time: clock.advanced(byDays: -10_000)), .untrusted),
      try question("leaf/p-256", host: "other.example", TrustPolicy(anchors: roots, time: clock), .untrusted),
      try question("leaf/rsa-2048", TrustPolicy(anchors: roots, time: clock), .trusted),
      try question("leaf/rsa-pss", TrustPolicy(anchors: roots, time: clock), .trusted),
      try question("leaf/expired", TrustPolicy(anchors: roots, domain: .basicX509, time: clock), .untrusted),
      try question("leaf/unrelated", TrustPolicy(anchors: roots, time: clock), .untrusted),
      try question(
        "leaf/rotated", TrustPolicy(anchors: roots, pinning: .pins(unrelated, scope: .any), time: clock), .pinMismatch),
      try question("leaf/p-256", TrustPolicy(anchors: roots, profile: .rfc5280, time: clock), .trusted),
      try question("leaf/self-signed", TrustPolicy(anchors: .only(AnchorSet([])), time: clock), .untrusted),
    ]
  }

  @Test("gives each its own verdict", arguments: trustBackends().map(\.name)) func shared(_ name: String) throws {
    let backend = try #require(trustBackends().first { $0.name == name })
    let questions = try questions()
    let wrong = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for step in 0..<60 {
        let question = questions[(thread * 3 + step) % questions.count]
        let outcome = try? backend.evaluate(
          question.chain, host: HostName(question.host), policy: question.policy
        ).outcome
        if outcome != question.outcome {
          wrong.withLock {
            $0.append("question \((thread * 3 + step) % questions.count): \(String(describing: outcome))")
          }
        }
      }
    }
    #expect(wrong.withLock { $0 } == [])
  }
}
