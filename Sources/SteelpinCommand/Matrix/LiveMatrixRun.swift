// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinLab
internal import SteelpinMatrix

/// The built-in rows after real handshakes, for `--live`.
struct LiveMatrixRun {
  private let backends: [Backend]
  private let suite: MatrixSuite
  private let live: LiveMatrix
  private let filter: String?

  init(_ invocation: Invocation) throws(CommandError) {
    let arguments = invocation.arguments
    guard arguments.has(.builtin), arguments.operands.isEmpty else {
      throw .usage("--live needs --builtin and no suite", hint: "only the keys of the built-in chains are at hand")
    }
    for option in [Option.explainRow, .update] where arguments.has(option) {
      throw .usage("--live and --\(option.name) exclude each other")
    }
    self.backends = try TrustOptions.backends(invocation)
    self.filter = arguments.value(.filter)
    guard let backend = invocation.backends.first(where: { $0.serverEngine != nil }), let server = backend.serverEngine
    else {
      throw CommandError(
        .backendUnavailable, code: "backend-unavailable", "--live serves TLS with OpenSSL, which is not in this build",
        hint: "build with the trait OpenSSL")
    }
    let keys = KeyRing(backend.keyProvider)
    self.live = LiveMatrix(server: server, engines: invocation.backends.compactMap(\.engine), keys: keys)
    do throws(MatrixError) {
      self.suite = try MatrixSuite.builtin(keys: keys, clock: invocation.now, oddities: false)
    } catch {
      throw CommandError(.internalFault, code: "backend-failed", "\(error)")
    }
  }

  /// What came of the rows that the filter leaves.
  func report() async throws(CommandError) -> MatrixReport {
    let rows = suite.rows.filter { row in
      filter.map { row.scenario.contains($0) || row.policy.text.contains($0) } ?? true
    }
    guard !rows.isEmpty else { throw .usage("no row contains '\(filter ?? "")' in the name of its chain or policy") }
    let shown: [MatrixRow]
    do throws(LabError) {
      shown = try await live.rows(rows)
    } catch {
      throw CommandError(.internalFault, code: "backend-failed", "\(error)", hint: "nothing was judged")
    }
    let evaluators = backends.map { $0.makeEvaluator(suite.systemAnchors) }
    let part = filter.map { ", rows with '\($0)'" } ?? ""
    do throws(BackendError) {
      let cells = try await MatrixSuite.judge(shown, by: evaluators, atOnce: OrderedWork.processors)
      let suite = MatrixSuite(
        name: "\(suite.name), live\(part)", file: nil, rows: shown, systemAnchors: suite.systemAnchors)
      return MatrixReport(suite: suite, cells: cells, filter: nil)
    } catch {
      throw CommandError(.internalFault, code: "backend-failed", "\(error)")
    }
  }
}
