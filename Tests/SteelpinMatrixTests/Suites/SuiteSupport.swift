// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinConfigurations
import SteelpinMatrix
import SteelpinTestSupport
import Testing

/// A suite of a text, with files beside it.
func readSuite(_ text: String, files: [String: [UInt8]] = [:]) throws -> SuiteFile {
  let provider = try #require(keyProviders.first).value
  do throws(SuiteError) {
    return try SuiteFile.read(
      Array(text.utf8), "suite.json5", files: MemoryFiles(files), keys: provider, now: TestCerts.clock)
  } catch {
    throw SuiteProblems(error.problems.map { "\($0.position): \($0.message)" })
  }
}

/// The errors of a suite as lines.
struct SuiteProblems: Error, CustomStringConvertible {
  let lines: [String]

  init(_ lines: [String]) { self.lines = lines }

  var description: String { lines.joined(separator: "\n") }
}

/// Judges every row on every backend.
func judge(_ file: SuiteFile) async throws -> [MatrixCell] {
  try await MatrixSuite.judge(
    file.suite.rows, by: trustBackends(systemAnchors: file.suite.systemAnchors), atOnce: 2)
}

/// What every backend says of every row, as suites write it; two texts for a row on which they differ.
func verdicts(_ file: SuiteFile) async throws -> [String: Set<String>] {
  var verdicts: [String: Set<String>] = [:]
  for cell in try await judge(file) { verdicts[cell.row.name] = Set(cell.verdicts.map { MatrixExpected(of: $0).text }) }
  return verdicts
}
