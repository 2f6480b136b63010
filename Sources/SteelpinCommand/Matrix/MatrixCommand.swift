// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinMatrix

extension Command {
  /// `steelpin matrix`.
  static let matrix = Command(
    "matrix", "judge the cases of a suite under every policy, with every library",
    notes: """
      Each row is a chain under a policy: anchors, host check and pins, or the preset of another system. With --builtin
      the rows are Steelpin's own, and what is expected of each is computed from the stated faults of its chain, each
      with its clause. The grid shows a word a cell; every deviation and every disagreement of the libraries comes with
      its trace. --format takes json, junit, markdown and text.
      """,
    examples: [
      ("steelpin matrix --builtin", "is every row as it should be?"),
      ("steelpin matrix --builtin --filter self-signed", "what happens with self-signed certificates?"),
      ("steelpin matrix --builtin --filter pitaya --json", "one system, for a program"),
    ],
    options: [.builtin, .filter, .matrixFormat, .backend] + .output,
    statuses: [
      .success, .trustFailed, .backendsDisagree, .usage, .backendUnavailable, .internalFault, .inputOutput,
    ]
  ) { (invocation: Invocation) async throws(CommandError) in
    guard invocation.arguments.has(.builtin) else {
      throw .usage("matrix needs --builtin", hint: "steelpin matrix --builtin")
    }
    let run = try MatrixRun(invocation)
    let writer = try MatrixReports(invocation)
    let reports = try await run.reports()
    try writer.write(reports)
    return ExitCode.worst(reports.map(\.status))
  }
}

/// The suites that a command line names, and who judges them.
struct MatrixRun {
  private let backends: [Backend]
  private let suites: [MatrixSuite]
  private let filter: String?

  init(_ invocation: Invocation) throws(CommandError) {
    self.backends = try TrustOptions.backends(invocation)
    self.filter = invocation.arguments.value(.filter)
    guard let provider = invocation.backends.first?.keyProvider else {
      throw CommandError(.backendUnavailable, code: "backend-unavailable", "this build has no library")
    }
    do throws(MatrixError) {
      self.suites = [try MatrixSuite.builtin(provider, clock: invocation.now)]
    } catch {
      throw CommandError(.internalFault, code: "backend-failed", "\(error)")
    }
  }

  /// What came of every suite of which the filter leaves a row.
  func reports() async throws(CommandError) -> [MatrixReport] {
    var reports: [MatrixReport] = []
    for suite in suites {
      let rows = suite.rows.filter { row in
        filter.map { row.scenario.contains($0) || row.policy.text.contains($0) } ?? true
      }
      guard !rows.isEmpty else { continue }
      let evaluators = backends.map { $0.makeEvaluator(suite.systemAnchors) }
      do throws(BackendError) {
        let cells = try await MatrixSuite.judge(rows, by: evaluators, atOnce: OrderedWork.processors)
        reports.append(MatrixReport(suite: suite, cells: cells, filter: filter))
      } catch {
        throw CommandError(.internalFault, code: "backend-failed", "\(error)")
      }
    }
    guard !reports.isEmpty else { throw .usage("no row contains '\(filter ?? "")' in the name of its chain or policy") }
    return reports
  }
}
