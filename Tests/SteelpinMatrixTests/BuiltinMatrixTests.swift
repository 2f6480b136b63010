// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinMatrix
import SteelpinTestSupport
import Testing

@Suite("built-in matrix") struct BuiltinMatrixTests {
  @Test("every cell is as its stated rules say, on every backend") func everything() throws {
    let run = try MatrixRun(#require(keyProviders.first).value, clock: TestCerts.clock)
    var count = 0
    var outcomes: [Verdict.Outcome: Int] = [:]
    try run.forEachCell(trustBackends(systemAnchors: run.systemAnchors)) { cell in
      count += 1
      outcomes[cell.expected.outcome, default: 0] += 1
      #expect(!cell.isDisagreement, "\(cell.scenario): \(cell.policy)")
      let found = cell.verdicts.map { "\($0.backend) \($0.outcome) \($0.errors.map(\.code.rawValue))" }
      #expect(
        !cell.isDeviation,
        "\(cell.scenario): \(cell.policy): expected \(cell.expected.outcome) \(cell.expected.codes), got \(found)")
    }
    #expect(count >= 3000)
    for outcome in [Verdict.Outcome.trusted, .pinMismatch, .untrusted] { #expect(outcomes[outcome] ?? 0 > 100) }
  }
}
