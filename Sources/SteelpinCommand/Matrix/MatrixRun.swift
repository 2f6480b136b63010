// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinConfigurations
internal import SteelpinFormats
internal import SteelpinMatrix

/// The suites that a command line names, and who judges them.
struct MatrixRun {
  private let invocation: Invocation
  private let backends: [Backend]
  private let provider: any KeyProvider
  private var suites: [MatrixSuite] = []
  private var files: [SuiteFile] = []
  private let filter: String?

  init(_ invocation: Invocation) throws(CommandError) {
    self.invocation = invocation
    self.backends = try TrustOptions.backends(invocation)
    self.filter = invocation.arguments.value(.filter)
    guard let provider = invocation.backends.first?.keyProvider else {
      throw CommandError(.backendUnavailable, code: "backend-unavailable", "this build has no library")
    }
    self.provider = provider
    if invocation.arguments.has(.builtin) {
      do throws(MatrixError) {
        suites.append(try MatrixSuite.builtin(provider, clock: invocation.now))
      } catch {
        throw CommandError(.internalFault, code: "backend-failed", "\(error)")
      }
    }
    // All suites are read before any is judged or written.
    for path in invocation.arguments.operands {
      do throws(SuiteError) {
        files.append(try SuiteFile.read(path, files: LocalFiles(), keys: provider, now: invocation.now))
      } catch {
        throw refused(error)
      }
    }
    suites += files.map(\.suite)
  }

  /// Everything that is wrong with a suite but the last is said at once.
  private func refused(_ error: SuiteError) -> CommandError {
    let errors = error.problems.map { problem in
      CommandError(
        error.isMissing ? .inputMissing : .configuration, code: error.isMissing ? "suite-unreadable" : "suite-invalid",
        "\(problem.position): \(problem.message)", hint: problem.hint)
    }
    for error in errors.dropLast() { invocation.printer.report(error) }
    return errors.last ?? CommandError(.configuration, code: "suite-invalid", "the suite is wrong")
  }

  /// What came of every suite of which the filter leaves a row.
  func reports() async throws(CommandError) -> [MatrixReport] {
    var reports: [MatrixReport] = []
    for suite in suites {
      let rows = suite.rows.filter { row in
        filter.map { row.scenario.contains($0) || row.policy.text.contains($0) } ?? true
      }
      guard !rows.isEmpty else { continue }
      reports.append(MatrixReport(suite: suite, cells: try await judge(rows, of: suite), filter: filter))
    }
    guard !reports.isEmpty else { throw .usage("no row contains '\(filter ?? "")' in the name of its chain or policy") }
    return reports
  }

  /// The one row that a text names, by its whole name or a part of it that no other has.
  func row(named text: String) async throws(CommandError) -> MatrixCell {
    let rows = suites.flatMap { suite in suite.rows.map { (suite, $0) } }
    var found = rows.filter { $0.1.name == text }
    if found.isEmpty { found = rows.filter { $0.1.name.contains(text) } }
    guard let (suite, row) = found.first else {
      let near = NearestWord.to(text, among: rows.map(\.1.name))
      throw .usage("there is no row '\(text)'", hint: near.map { "did you mean '\($0)'?" } ?? "write CHAIN / POLICY")
    }
    guard found.count == 1 else {
      let names = found.prefix(6).map { "'\($0.1.name)'" }.joined(separator: ", ")
      throw .usage("\(found.count) rows have '\(text)' in their names", hint: "name one of \(names)")
    }
    guard let cell = try await judge([row], of: suite).first else {
      throw CommandError(.internalFault, code: "backend-failed", "the row was not judged")
    }
    return cell
  }

  private func judge(_ rows: [MatrixRow], of suite: MatrixSuite) async throws(CommandError) -> [MatrixCell] {
    var system = suite.systemAnchors
    if system == nil { system = try Inputs(invocation).systemAnchors() }
    let evaluators = backends.map { [system] in $0.makeEvaluator(system) }
    do throws(BackendError) {
      return try await MatrixSuite.judge(rows, by: evaluators, atOnce: OrderedWork.processors)
    } catch {
      throw CommandError(.internalFault, code: "backend-failed", "\(error)")
    }
  }
}

// MARK: - Writing verdicts

extension MatrixRun {
  /// Writes what was found into the suites. Rows on which the libraries disagree stay as they are.
  func update(_ reports: [MatrixReport]) throws(CommandError) {
    var texts: [(path: String, text: [UInt8], count: Int)] = []
    for file in files {
      guard let path = file.suite.file,
        let report = reports.first(where: { $0.suite.file == path })
      else { continue }
      let (text, count) = file.updated(by: report.cells)
      guard count > 0 else { continue }
      try verify(text, path, report)
      texts.append((path, text, count))
    }
    for file in files where texts.contains(where: { $0.path == file.suite.file }) { try checkUnchanged(file) }
    for (path, text, count) in texts {
      do throws(LoadError) { try AtomicFile.write(text, to: path, mayReplace: true) } catch {
        throw CommandError(error)
      }
      invocation.printer.note("\(path): \(count) verdicts were written; review them before they count")
    }
    if texts.isEmpty {
      invocation.printer.note("nothing to write: every verdict is as expected, or the libraries differ")
    }
  }

  /// What was changed while the rows were judged must not be lost.
  private func checkUnchanged(_ file: SuiteFile) throws(CommandError) {
    guard let path = file.suite.file else { return }
    if let bytes = try? LocalFiles().read(path), bytes == file.bytes { return }
    throw CommandError(
      .inputOutput, code: "suite-changed", "\(path): the file was changed while its rows were judged",
      hint: "nothing was written; run the command again")
  }

  /// The new text must be a suite of the same rows that expects what was found, and otherwise what it expected before.
  private func verify(_ text: [UInt8], _ path: String, _ report: MatrixReport) throws(CommandError) {
    let fault = CommandError(
      .internalFault, code: "suite-not-updated", "\(path): the verdicts cannot be written without changing other rows",
      hint: "nothing was written; write the verdicts by hand")
    let read: SuiteFile
    do throws(SuiteError) {
      read = try SuiteFile.read(text, path, files: LocalFiles(), keys: provider, now: invocation.now)
    } catch {
      throw fault
    }
    var wanted: [String: MatrixExpected] = [:]
    for row in report.suite.rows { wanted[row.name] = row.expected }
    for cell in report.cells where cell.isDeviation && !cell.isDisagreement {
      wanted[cell.row.name] = cell.verdicts.first.map(MatrixExpected.init(of:))
    }
    guard read.suite.rows.map(\.name) == report.suite.rows.map(\.name),
      read.suite.rows.allSatisfy({ $0.expected == wanted[$0.name] })
    else { throw fault }
  }
}
