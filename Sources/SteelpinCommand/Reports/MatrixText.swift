// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinMatrix

/// The matrix for people: a block for each chain, then what deviates.
enum MatrixText {
  /// One line for each preset and each outcome of the other policies; with `isVerbose` one for every cell.
  static func lines(_ cells: [MatrixCell], isVerbose: Bool) -> [[Span]] {
    var lines: [[Span]] = []
    var scenario: String?
    for cell in cells where isVerbose || cell.isPreset || cell.isDeviation || cell.isDisagreement {
      if cell.scenario != scenario {
        lines.append([.bold(cell.scenario), .dim("  \(cell.clause)")])
        scenario = cell.scenario
      }
      lines += cell.lines
    }
    return lines + [total(cells)]
  }

  private static func total(_ cells: [MatrixCell]) -> [Span] {
    let backends = (cells.first?.verdicts ?? []).map(\.backend).joined(separator: " and ")
    let deviations = cells.count { $0.isDeviation }
    let disagreements = cells.count { $0.isDisagreement }
    let text = "\(cells.count) rows by \(backends): \(deviations) not as expected, \(disagreements) disagreements"
    return [deviations + disagreements == 0 ? .good(text) : .bad(text)]
  }
}

extension MatrixCell {
  fileprivate var lines: [[Span]] {
    let outcome = expected.outcome
    let word: Span = outcome == .trusted ? .good(outcome.rawValue) : .plain(outcome.rawValue)
    var lines: [[Span]] = [[.plain("  "), word.padded(to: 14), .plain(policy)]]
    guard isDeviation || isDisagreement else { return lines }
    for verdict in verdicts {
      let codes = verdict.errors.map(\.code.rawValue).joined(separator: ", ")
      lines.append([.bad("    \(verdict.backend) says \(verdict.outcome.rawValue) "), .plain(codes)])
    }
    return lines
  }
}
