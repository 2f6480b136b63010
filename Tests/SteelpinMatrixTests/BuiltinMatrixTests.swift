// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinMatrix
import SteelpinTestSupport
import Testing

@Suite("built-in matrix") struct BuiltinMatrixTests {
  @Test("every cell is as its stated rules say, on every backend") func everything() async throws {
    let suite = try MatrixSuite.builtin(#require(keyProviders.first).value, clock: TestCerts.clock)
    let backends = trustBackends(systemAnchors: suite.systemAnchors)
    let cells = try await MatrixSuite.judge(suite.rows, by: backends, atOnce: 2)
    #expect(cells.map(\.row.name) == suite.rows.map(\.name), "the order is that of the rows")
    #expect(Set(suite.rows.map(\.name)).count == suite.rows.count, "every row has a name of its own")
    var outcomes: [Verdict.Outcome: Int] = [:]
    for cell in cells {
      guard let expected = cell.row.expected else { continue }
      outcomes[expected.outcome, default: 0] += 1
      #expect(!cell.isDisagreement, "\(cell.row.name)")
      let found = cell.verdicts.map { "\($0.backend) \($0.outcome) \($0.errors.map(\.code.rawValue))" }
      #expect(!cell.isDeviation, "\(cell.row.name): expected \(expected.text), got \(found)")
    }
    #expect(cells.count >= 3000)
    for outcome in [Verdict.Outcome.trusted, .pinMismatch, .untrusted] { #expect(outcomes[outcome] ?? 0 > 100) }
  }
}
