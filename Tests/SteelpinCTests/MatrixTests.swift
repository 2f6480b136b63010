// SPDX-License-Identifier: Apache-2.0
import CSteelpin
import Foundation
import Steelpin
import SteelpinConfigurations
import SteelpinMatrix
import SteelpinReports
import SteelpinTestSupport
import Testing

/// The C functions, given a policy as JSON, come to the verdict that the evaluators come to, given it as a value.
@Suite("C library and the built-in matrix") struct MatrixTests {
  /// One row in seven, which meets every scenario.
  @Test("rows have the same verdicts, to the last octet of their JSON") func rows() async throws {
    let suite = try MatrixSuite.builtin(#require(keyProviders.first).value, clock: TestCerts.clock)
    let system = try #require(suite.systemAnchors)
    let rows = suite.rows.enumerated().filter { $0.offset.isMultiple(of: 7) }.map(\.element)
    #expect(Set(rows.map(\.scenario)) == Set(suite.rows.map(\.scenario)))
    let cells = try await MatrixSuite.judge(rows, by: trustBackends(systemAnchors: system), atOnce: 2)
    // Rows of one policy and with the same evidence share an evaluator, as the connections of a client would.
    var evaluators: [String: CEvaluator] = [:]
    var outcomes: [Int: Int] = [:]
    for (row, cell) in zip(rows, cells) {
      guard case .source(let source) = row.judge else { continue }
      let policy = PolicyDocument.text(of: source.policy(for: row.host, at: row.time))
      let options = Self.options(system, row.chain.evidence)
      let evaluator = evaluators[policy + options] ?? CEvaluator(policy: policy, options: options)
      evaluators[policy + options] = evaluator
      #expect(evaluator.report?.text == nil, "\(row.name)")
      let (status, report) = evaluator.evaluate(
        row.chain.certificates.map(\.der), host: row.host?.description, time: row.time.secondsSince1970,
        staple: Self.staple(row.chain.evidence))
      let expected = JSONSchema.document("evaluate").adding([
        "status": .integer(Int(status)), "agree": .bool(!cell.isDisagreement),
        "verdicts": .array(cell.verdicts.map { .verdict($0, now: row.time) }),
      ])
      #expect(report?.text == String(decoding: expected.encoded(), as: UTF8.self), "\(row.name)")
      #expect(Int(status) == Self.status(cell.verdicts[0].outcome), "\(row.name)")
      outcomes[Int(status), default: 0] += 1
    }
    for status in [STEELPIN_TRUSTED, STEELPIN_PIN_MISMATCH, STEELPIN_UNTRUSTED] {
      #expect(outcomes[status, default: 0] > 20)
    }
  }

  private static func options(_ system: AnchorSet, _ evidence: RevocationEvidence) -> String {
    func list(_ items: [[UInt8]]) -> String { "[" + items.map { "\"\(base64($0))\"" }.joined(separator: ", ") + "]" }
    return "{\"systemAnchors\": \(list(system.certificates.map(\.der))), "
      + "\"evidence\": \(list(evidence.lists.map(\.der) + evidence.ocspResponses))}"
  }

  private static func staple(_ evidence: RevocationEvidence) -> [UInt8]? {
    switch evidence.staple {
    case .notSent: []
    case .response(let response): response
    case .unknown: nil
    }
  }

  private static func status(_ outcome: Verdict.Outcome) -> Int {
    switch outcome {
    case .pinMismatch: STEELPIN_PIN_MISMATCH
    case .trusted: STEELPIN_TRUSTED
    case .untrusted: STEELPIN_UNTRUSTED
    }
  }
}
