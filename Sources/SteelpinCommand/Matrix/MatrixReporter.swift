// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinConfigurations
internal import SteelpinFormats
internal import SteelpinMatrix
internal import SteelpinReports

extension Option {
  static let matrixFormat = Option(
    "format", "FORMAT[=FILE]", repeatable: true, completion: .suggested(MatrixReporter.all.map(\.name)),
    formatHelp)
}

/// A way to write what came of suites.
struct MatrixReporter: Sendable {
  let name: String
  let render: @Sendable (_ reports: [MatrixReport], _ isVerbose: Bool, _ printer: Printer) -> [UInt8]

  /// Every way, in alphabetical order.
  static let all = [
    MatrixReporter(name: "html") { reports, _, _ in HTMLReport.render(reports) },
    MatrixReporter(name: "json") { reports, _, _ in json(reports).encoded() },
    MatrixReporter(name: "junit") { reports, _, _ in junit(reports) },
    MatrixReporter(name: "markdown") { reports, isVerbose, _ in markdown(reports, isVerbose: isVerbose) },
    MatrixReporter(name: "text") { reports, isVerbose, printer in
      var lines: [[Span]] = []
      for report in reports { lines += (lines.isEmpty ? [] : [[]]) + MatrixText.lines(report, isVerbose: isVerbose) }
      return printer.rendered(lines)
    },
  ]

  private static func json(_ reports: [MatrixReport]) -> JSONValue {
    JSONSchema.document("matrix").adding([
      "status": .integer(Int(ExitCode.worst(reports.map(\.status)).rawValue)),
      "suites": .array(
        reports.map { report in
          [
            "name": .string(report.suite.name), "file": .optional(report.suite.file),
            "filter": .optional(report.filter), "rows": .integer(report.suite.rows.count),
            "judged": .integer(report.cells.count), "deviations": .integer(report.deviations.count),
            "disagreements": .integer(report.disagreements.count), "cells": .array(report.cells.map(\.json)),
          ]
        }),
    ])
  }

  /// JUnit's XML: a suite for every suite, a case for every row.
  private static func junit(_ reports: [MatrixReport]) -> [UInt8] {
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
    for report in reports {
      let failures = report.deviations.count + report.disagreements.count
      text += "  <testsuite name=\"\(MarkupText.escape(report.suite.name))\" tests=\"\(report.cells.count)\""
      text += " failures=\"\(failures)\">\n"
      for cell in report.cells {
        let names =
          "classname=\"\(MarkupText.escape(cell.row.scenario))\" name=\"\(MarkupText.escape(cell.row.policy.text))\""
        guard cell.isDeviation || cell.isDisagreement else {
          text += "    <testcase \(names)/>\n"
          continue
        }
        let type = cell.isDisagreement ? "disagreement" : "deviation"
        let found = cell.verdicts.map { "\($0.backend) says \(MatrixExpected(of: $0).text)" }
        let message =
          "expected \(MatrixTrace.expectation(cell.row.expected)), but \(found.joined(separator: " and "))"
        text += "    <testcase \(names)>\n      <failure type=\"\(type)\" message=\"\(MarkupText.escape(message))\">"
        text += "\(XMLText.escape(MatrixTrace.text(cell)))</failure>\n    </testcase>\n"
      }
      text += "  </testsuite>\n"
    }
    return Array((text + "</testsuites>\n").utf8)
  }
}

extension MatrixCell {
  /// The cell for a program; with its trace if it is not as it should be.
  fileprivate var json: JSONValue {
    let isFailure = isDeviation || isDisagreement
    return [
      "scenario": .string(row.scenario), "policy": .string(row.policy.text), "clause": .string(row.clause),
      "host": .optional(row.host?.description), "time": .string(row.time.description),
      "expected": .optional(row.expected?.outcome.rawValue),
      "expectedCodes": .strings((row.expected?.codes ?? []).map(\.rawValue)),
      "deviates": .bool(isDeviation), "disagree": .bool(isDisagreement),
      "verdicts": .array(
        verdicts.map { verdict in
          let brief: JSONValue = [
            "backend": .string(verdict.backend), "outcome": .string(verdict.outcome.rawValue),
            "codes": .strings(verdict.errors.map(\.code.rawValue)),
          ]
          return isFailure ? brief.adding(["trace": .verdict(verdict, now: verdict.time)]) : brief
        }),
    ]
  }
}

/// Where reports are written, and how.
struct MatrixReports {
  private var targets: [(reporter: MatrixReporter, file: String?)] = []
  private let invocation: Invocation

  init(_ invocation: Invocation) throws(CommandError) {
    self.invocation = invocation
    let texts = invocation.arguments.values(.matrixFormat)
    for argument in try FormatArgument.parse(texts, known: MatrixReporter.all.map(\.name)) {
      guard let reporter = MatrixReporter.all.first(where: { $0.name == argument.format }) else { continue }
      targets.append((reporter, argument.file))
    }
    // Files come on top of what the terminal shows.
    if invocation.wantsJSON || !targets.contains(where: { $0.file == nil }) {
      let name = invocation.wantsJSON ? "json" : "text"
      if let reporter = MatrixReporter.all.first(where: { $0.name == name }) { targets.append((reporter, nil)) }
    }
    guard targets.count(where: { $0.file == nil }) == 1 else {
      throw .usage("two formats cannot share standard output", hint: "write --format FORMAT=FILE")
    }
  }

  func write(_ reports: [MatrixReport]) throws(CommandError) {
    for (reporter, file) in targets {
      let printer: Printer = file == nil ? invocation.printer : Printer(invocation.console, color: "never")
      let bytes = reporter.render(reports, invocation.isVerbose, printer)
      guard let file else {
        try invocation.printer.result(text: String(decoding: bytes, as: UTF8.self))
        continue
      }
      do throws(LoadError) { try AtomicFile.write(bytes, to: file, mayReplace: true) } catch {
        throw CommandError(error)
      }
    }
  }
}
