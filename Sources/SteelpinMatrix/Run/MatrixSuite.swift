// SPDX-License-Identifier: Apache-2.0
package import Steelpin

/// Rows that belong together, with what they have in common.
package struct MatrixSuite: Sendable {
  package let name: String
  /// The file that it was read from; nil for the built-in one.
  package let file: String?
  package let rows: [MatrixRow]
  /// The anchors that the evaluators must have as those of the system; nil for those of this machine.
  package let systemAnchors: AnchorSet?

  package init(name: String, file: String?, rows: [MatrixRow], systemAnchors: AnchorSet?) {
    self.name = name
    self.file = file
    self.rows = rows
    self.systemAnchors = systemAnchors
  }

  /// Judges rows by every backend, several at once; the cells are in the order of the rows.
  ///
  /// Throws ``BackendError`` if a library could not work.
  package static func judge(
    _ rows: [MatrixRow], by evaluators: [any TrustBackend], atOnce width: Int
  ) async throws(BackendError) -> [MatrixCell] {
    let size = max(1, min(256, rows.count / max(1, width * 4) + 1))
    let parts = stride(from: 0, to: rows.count, by: size).map { rows[$0..<min($0 + size, rows.count)] }
    let results = await withTaskGroup(of: (Int, Result<[MatrixCell], BackendError>).self) { group in
      var next = 0
      func start() {
        guard next < parts.count else { return }
        let (index, part) = (next, parts[next])
        next += 1
        group.addTask { (index, Result { () throws(BackendError) in try judge(part, by: evaluators) }) }
      }
      for _ in 0..<max(1, width) { start() }
      var results: [Int: Result<[MatrixCell], BackendError>] = [:]
      for await (index, result) in group {
        results[index] = result
        start()
      }
      return results
    }
    var cells: [MatrixCell] = []
    cells.reserveCapacity(rows.count)
    for index in parts.indices { cells += try results[index]?.get() ?? [] }
    return cells
  }

  private static func judge(
    _ rows: ArraySlice<MatrixRow>, by evaluators: [any TrustBackend]
  ) throws(BackendError) -> [MatrixCell] {
    var cells: [MatrixCell] = []
    for row in rows {
      var verdicts: [Verdict] = []
      for evaluator in evaluators { verdicts.append(try row.judge.verdict(of: row, by: evaluator)) }
      cells.append(MatrixCell(row: row, verdicts: verdicts))
    }
    return cells
  }
}
