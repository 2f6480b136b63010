// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinMatrix

/// What came of the rows of one suite, before it is written in some form.
struct MatrixReport: Sendable {
  let suite: MatrixSuite
  let cells: [MatrixCell]
  /// What the rows were chosen by; nil if all were judged.
  let filter: String?

  var deviations: [MatrixCell] { cells.filter { $0.isDeviation && !$0.isDisagreement } }
  var disagreements: [MatrixCell] { cells.filter(\.isDisagreement) }

  var status: ExitCode {
    if cells.contains(where: \.isDisagreement) { return .backendsDisagree }
    return cells.contains(where: \.isDeviation) ? .trustFailed : .success
  }

  /// The suite, and which part of it was judged.
  var caption: String {
    guard let filter else { return "\(suite.name): \(cells.count) rows" }
    return "\(suite.name), only what has '\(filter)' in the name of its chain or policy: "
      + "\(cells.count) of \(suite.rows.count) rows"
  }

  /// The figures, in one line.
  var summary: String {
    let backends = (cells.first?.verdicts ?? []).map(\.backend).joined(separator: " and ")
    let rest = filter == nil ? "" : " (filtered; \(suite.rows.count - cells.count) rows were not judged)"
    return "\(cells.count) rows by \(backends): \(deviations.count) not as expected, "
      + "\(disagreements.count) disagreements\(rest)"
  }

  /// Whether the suite is the project's own, whose cross product is too wide to be shown whole.
  var isBuiltin: Bool { suite.file == nil }
}

/// What a cell of a table shows: a word, whose colour only repeats it.
struct MatrixWord: Sendable, Hashable {
  let text: String
  let style: Span.Style

  init(_ cell: MatrixCell) {
    guard let first = cell.verdicts.first, !cell.isDisagreement else {
      (text, style) = ("split", .bad)
      return
    }
    let word = Self.word(first.outcome)
    (text, style) = cell.isDeviation ? (word + "!", .bad) : (word, Self.style(first.outcome))
  }

  static let legend =
    "trust: trusted   pin: trusted, but no pin is met   no: not trusted   !: not as expected   "
    + "split: the libraries disagree"

  private static func word(_ outcome: Verdict.Outcome) -> String {
    switch outcome {
    case .pinMismatch: "pin"
    case .trusted: "trust"
    case .untrusted: "no"
    }
  }

  private static func style(_ outcome: Verdict.Outcome) -> Span.Style {
    switch outcome {
    case .pinMismatch: .warning
    case .trusted: .good
    case .untrusted: .plain
    }
  }
}

/// A table of words, for text and Markdown alike.
struct MatrixTable: Sendable {
  struct Row: Sendable {
    let heads: [String]
    let words: [MatrixWord?]
  }

  let title: String
  /// What the heads of the rows are.
  let heads: [String]
  let columns: [String]
  let rows: [Row]

  /// Scenarios down, policies across; of the built-in matrix only the presets unless `isWhole`.
  static func grid(_ report: MatrixReport, isWhole: Bool) -> MatrixTable {
    let showsAll = isWhole || !report.isBuiltin || !report.cells.contains { $0.row.policy.isPreset }
    let cells = report.cells.filter { showsAll || $0.row.policy.isPreset }
    let columns = unique(cells.map(\.row.policy))
    let hidden = unique(report.cells.map(\.row.policy)).count - columns.count
    var words: [String: [MatrixPolicyName: MatrixWord]] = [:]
    for cell in cells { words[cell.row.scenario, default: [:]][cell.row.policy] = MatrixWord(cell) }
    return MatrixTable(
      title: hidden == 0 ? "chains by policies" : "chains by presets; --verbose shows \(hidden) more policies",
      heads: ["chain"], columns: columns.map(\.text),
      rows: unique(cells.map(\.row.scenario)).map { scenario in
        Row(heads: [scenario], words: columns.map { words[scenario]?[$0] })
      })
  }

  /// The items in order, each once.
  static func unique<Item: Hashable>(_ items: [Item]) -> [Item] {
    var seen = Set<Item>()
    return items.filter { seen.insert($0).inserted }
  }
}
