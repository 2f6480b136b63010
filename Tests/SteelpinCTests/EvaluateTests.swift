// SPDX-License-Identifier: Apache-2.0
import CSteelpin
import Foundation
import Steelpin
import SteelpinC
import SteelpinConfigurations
import SteelpinMatrix
import SteelpinReports
import SteelpinTestSupport
import Testing

/// What the C functions answer to good arguments.
@Suite("C library") struct EvaluateTests {
  @Test("the versions are those of the header and of the package") func versions() {
    #expect(steelpin_abi_version() == STEELPIN_ABI_VERSION)
    #expect(steelpin_version().map { String(cString: $0) } == steelpinVersion)
  }

  @Test("a good chain is trusted, and the report is the verdict of every library") func trusted() throws {
    let evaluator = try CEvaluator(policy: Good.policy())
    #expect(evaluator.status == 0)
    #expect(evaluator.report == nil)
    let (status, report) = try evaluator.evaluate(Good.chain(), host: Good.host, time: Good.time)
    #expect(status == CInt(STEELPIN_TRUSTED))
    let document = try #require(report).document()
    #expect(document["schema"] as? String == "steelpin/1")
    #expect(document["status"] as? Int == 0)
    #expect(document["agree"] as? Bool == true)
    let verdicts = try #require(document["verdicts"] as? [[String: Any]])
    #expect(verdicts.map { $0["backend"] as? String } == trustBackends().map(\.name))
    #expect(verdicts.allSatisfy { $0["outcome"] as? String == "trusted" })
  }

  @Test(
    "each kind of verdict has its status",
    arguments: [
      ("", "www.steelpin.test", STEELPIN_TRUSTED),
      ("", "other.test", STEELPIN_UNTRUSTED),
      (", \"pins\": [\"sha256/vY0tPKh8Yrz92CNsiue2MowGZJ1a694th7HlI+6hBpU=\"]", "www.steelpin.test", STEELPIN_TRUSTED),
      (
        ", \"pins\": [\"sha256/0vE/zKcwijrsy3eTjDufStVlhq+433k4zpi3jnH+KUM=\"]", "www.steelpin.test",
        STEELPIN_PIN_MISMATCH
      ),
      (", \"domain\": \"sslAnyHost\"", nil, STEELPIN_TRUSTED),
      (", \"time\": \"2001-01-01\"", "www.steelpin.test", STEELPIN_UNTRUSTED),
    ] as [(String, String?, Int)])
  func statuses(_ rest: String, _ host: String?, _ expected: Int) throws {
    let policy = PolicyText.trusting(try TestCerts.certificate("ca/root-p256"), rest)
    let (status, report) = try CEvaluator(policy: policy).evaluate(Good.chain(), host: host, time: Good.time)
    #expect(status == CInt(expected))
    #expect(try #require(report).document()["status"] as? Int == expected)
  }

  @Test("a certificate that cannot be read is a verdict, not an error") func malformed() throws {
    let evaluator = try CEvaluator(policy: Good.policy())
    let (status, report) = evaluator.evaluate([[0x30, 0x03, 0x02, 0x01, 0x00]], host: Good.host)
    #expect(status == CInt(STEELPIN_UNTRUSTED))
    #expect(try #require(report).text.contains("certificate-malformed"))
  }

  @Test("every library can be chosen alone, and no other") func backends() throws {
    let policy = try Good.policy()
    let names = trustBackends().map(\.name)
    for name in ["openssl", "gnutls", "both"] {
      let evaluator = CEvaluator(policy: policy, options: "{\"backend\": \"\(name)\"}")
      guard name == "both" ? names.count == 2 : names.contains(name) else {
        #expect(evaluator.status == CInt(STEELPIN_BACKEND_UNAVAILABLE))
        continue
      }
      let document = try #require(evaluator.evaluate(Good.chain(), host: Good.host, time: Good.time).report).document()
      let judged = try #require(document["verdicts"] as? [[String: Any]]).compactMap { $0["backend"] as? String }
      #expect(judged == (name == "both" ? names : [name]))
    }
  }

  @Test("a stapled response counts if the policy asks") func revocation() throws {
    let root = try TestCerts.certificate("ca/root-p256")
    let hard = PolicyText.trusting(root, #", "revocation": {"mode": "staple", "failure": "hard", "scope": "leaf"}"#)
    let strict = CEvaluator(policy: hard)
    let chain = try Good.chain()
    for staple in [[], [0x30, 0x03, 0x0A, 0x01, 0x00]] as [[UInt8]] {
      #expect(
        strict.evaluate(chain, host: Good.host, time: Good.time, staple: staple).status == CInt(STEELPIN_UNTRUSTED))
    }
    let soft = CEvaluator(policy: PolicyText.trusting(root, #", "revocation": "staple""#))
    #expect(soft.evaluate(chain, host: Good.host, time: Good.time, staple: []).status == CInt(STEELPIN_TRUSTED))
  }

  @Test("a revocation list of the options counts if the policy asks") func list() throws {
    let lab = try Lab(#require(keyProviders.first).value, clock: TestCerts.clock)
    let leaf = try lab.leaf(names: ["a.test"])
    let other = try lab.leaf(names: ["b.test"])
    let list = try lab.revocationList(.complete([RevocationEntryRecipe(leaf)]), by: lab.intermediate)
    let options = "{\"evidence\": [\"\(base64(list))\"]}"
    let root = try lab.root.certificate
    let asking = CEvaluator(
      policy: PolicyText.trusting(root, #", "revocation": {"mode": "crl", "failure": "hard", "scope": "leaf"}"#),
      options: options)
    let silent = CEvaluator(policy: PolicyText.trusting(root), options: options)
    func status(_ evaluator: CEvaluator, _ server: IssuedCertificate, _ host: String) throws -> CInt {
      evaluator.evaluate([server.der, lab.intermediate.der], host: host, time: Good.time).status
    }
    #expect(try status(asking, leaf, "a.test") == CInt(STEELPIN_UNTRUSTED))
    #expect(try status(asking, other, "b.test") == CInt(STEELPIN_TRUSTED))
    #expect(try status(silent, leaf, "a.test") == CInt(STEELPIN_TRUSTED))
  }

  @Test("without a time the chain is judged now") func now() throws {
    let lab = try Lab(#require(keyProviders.first).value, clock: .now())
    let leaf = try lab.leaf(names: ["a.test"])
    let evaluator = try CEvaluator(policy: PolicyText.trusting(lab.root.certificate))
    let chain = [leaf.der, lab.intermediate.der]
    #expect(evaluator.evaluate(chain, host: "a.test").status == CInt(STEELPIN_TRUSTED))
    #expect(evaluator.evaluate(chain, host: "a.test", time: 0).status == CInt(STEELPIN_UNTRUSTED))
  }

  /// All 64 bits of the time are refused or judged, never trapped on.
  @Test("every time is judged or refused", arguments: [Int64.min, -1, 0, 253_402_300_799, 253_402_300_800, .max])
  func times(_ time: Int64) throws {
    let status = try CEvaluator(policy: Good.policy()).evaluate(Good.chain(), host: Good.host, time: time).status
    let isInRange = time > .min && time < 253_402_300_800
    #expect(status == CInt(isInRange ? STEELPIN_UNTRUSTED : STEELPIN_USAGE))
  }

  @Test("threads share an evaluator") func threads() throws {
    let evaluator = try CEvaluator(policy: Good.policy())
    let chain = try Good.chain()
    let statuses = Statuses()
    DispatchQueue.concurrentPerform(iterations: 64) { index in
      let host = index % 2 == 0 ? Good.host : "other.test"
      let answer = evaluator.evaluate(chain, host: host, time: Good.time + Int64(index))
      statuses.add(index, answer.status, answer.report != nil)
    }
    for (index, status) in statuses.all {
      #expect(status == CInt(index % 2 == 0 ? STEELPIN_TRUSTED : STEELPIN_UNTRUSTED))
    }
    #expect(statuses.all.count == 64)
  }
}

private final class Statuses: @unchecked Sendable {
  private let lock = NSLock()
  private var found: [Int: CInt] = [:]

  var all: [Int: CInt] { lock.withLock { found } }

  func add(_ index: Int, _ status: CInt, _ hasReport: Bool) {
    guard hasReport else { return }
    lock.withLock { found[index] = status }
  }
}
