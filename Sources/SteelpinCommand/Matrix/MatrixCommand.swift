// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinMatrix

extension Option {
  static let update = Option(
    flag: "update", "write what was found into the suites, in the place of what was expected, for review")
  static let liveMatrix = Option(
    flag: "live", "with --builtin: serve each chain with TLS on this machine, and judge what each library saw of it")
  static let explainRow = Option(
    "explain", "ROW", "judge one row only, named CHAIN / POLICY or by a part of that, and show how it came about")
}

extension Command {
  /// `steelpin matrix`.
  static let matrix = Command(
    "matrix", "judge the rows of suites under every policy, with every library", operands: "[SUITE…]",
    completion: .file,
    notes: """
      A suite is a JSON5 file of certificates by recipe or file, chains, policies, hosts and what is expected of each
      (docs/suites.md). Each row is a chain under a policy: anchors, host check and pins, or the preset of another
      system. With --builtin the rows are Steelpin's own, and what is expected of each is computed from the stated
      faults of its chain, each with its clause. The grid shows a word a cell; every deviation and every disagreement
      of the libraries comes with its trace. --format takes html, json, junit, markdown and text. With --live each
      built-in chain is served by a TLS server of this machine, and judged as each library saw it.
      """,
    examples: [
      ("steelpin matrix suite.json5 --format junit=matrix.xml --format html=matrix.html", "in CI"),
      ("steelpin matrix --builtin --filter self-signed", "what happens with self-signed certificates?"),
      ("steelpin matrix --builtin --explain 'expired / pitaya'", "why is this row what it is?"),
    ],
    options: [.builtin, .liveMatrix, .filter, .explainRow, .update, .matrixFormat, .backend] + .output,
    statuses: [
      .success, .trustFailed, .backendsDisagree, .usage, .badData, .inputMissing, .backendUnavailable, .internalFault,
      .inputOutput, .configuration,
    ]
  ) { (invocation: Invocation) async throws(CommandError) in
    let arguments = invocation.arguments
    guard arguments.has(.builtin) || !arguments.operands.isEmpty else {
      throw .usage("matrix needs a suite, or --builtin", hint: "steelpin matrix suite.json5")
    }
    guard !(arguments.has(.update) && arguments.operands.contains("-")) else {
      throw .usage("--update cannot write to standard input", hint: "name the file of the suite")
    }
    let writer = try MatrixReports(invocation)
    if arguments.has(.liveMatrix) {
      let report = try await LiveMatrixRun(invocation).report()
      try writer.write([report])
      return report.status
    }
    if let row = arguments.value(.explainRow) {
      for option in [Option.filter, .update, .matrixFormat, .json] where arguments.has(option) {
        throw .usage("--explain and --\(option.name) exclude each other", hint: "--explain is about one row")
      }
      let cell = try await MatrixRun(invocation).row(named: row)
      try invocation.printer.result(MatrixTrace.explanation(cell))
      return cell.isDisagreement ? .backendsDisagree : cell.isDeviation ? .trustFailed : .success
    }
    let run = try MatrixRun(invocation)
    let reports = try await run.reports()
    try writer.write(reports)
    guard arguments.has(.update) else { return ExitCode.worst(reports.map(\.status)) }
    try run.update(reports)
    // What deviated is written now; of the built-in rows nothing can be.
    return ExitCode.worst(
      reports.map { !$0.disagreements.isEmpty || $0.isBuiltin ? $0.status : .success })
  }
}
