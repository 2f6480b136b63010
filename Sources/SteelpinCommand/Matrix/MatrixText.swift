// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinMatrix

/// The matrix for people: tables, then every deviation with its trace, then the figures.
enum MatrixText {
  static func lines(_ report: MatrixReport, isVerbose: Bool) -> [[Span]] {
    var lines: [[Span]] = [[.bold(report.caption)], [.dim(MatrixWord.legend)], []]
    lines += table(.grid(report, isWhole: isVerbose))
    if let table = MatrixTable.selfSigned(report) { lines += [[]] + self.table(table) }
    for cell in report.disagreements + report.deviations { lines += [[]] + MatrixTrace.lines(cell) }
    lines += [[], [report.status == .success ? .good(report.summary) : .bad(report.summary)]]
    return lines
  }

  /// A table with numbers for its columns, in as many blocks as fit a line.
  private static func table(_ table: MatrixTable) -> [[Span]] {
    let widths = table.heads.indices.map { index in
      min(40, table.rows.map { wrap($0.heads[index], 40).map(\.count).max() ?? 0 }.max() ?? 0)
    }
    let head = widths.reduce(0) { $0 + $1 + 2 }
    let perBlock = max(4, (110 - head) / cellWidth)
    var lines: [[Span]] = [[.bold(table.title)]]
    for start in stride(from: 0, to: table.columns.count, by: perBlock) {
      let block = start..<min(start + perBlock, table.columns.count)
      for index in block { lines.append([.dim("  \(index + 1)  "), .plain(table.columns[index])]) }
      var header: [Span] = [.plain(String(repeating: " ", count: head))]
      header += block.map { Span.dim(String($0 + 1)).padded(to: cellWidth) }
      lines.append(header)
      for row in table.rows { lines += self.lines(of: row, block, widths) }
    }
    return lines
  }

  private static func lines(of row: MatrixTable.Row, _ block: Range<Int>, _ widths: [Int]) -> [[Span]] {
    let heads = zip(row.heads, widths).map { wrap($0, $1) }
    let height = heads.map(\.count).max() ?? 1
    return (0..<max(1, height)).map { line in
      var spans = zip(heads, widths).map { texts, width in
        Span.plain(line < texts.count ? texts[line] : "").padded(to: width + 2)
      }
      guard line == 0 else { return spans }
      spans += block.map { index in
        let word = row.words[index]
        return Span(text: word?.text ?? "-", style: word?.style ?? .dim).padded(to: cellWidth)
      }
      return spans
    }
  }

  private static func wrap(_ text: String, _ width: Int) -> [String] {
    var lines = [""]
    for word in text.split(separator: " ") {
      let last = lines[lines.count - 1]
      if last.isEmpty {
        lines[lines.count - 1] = String(word)
      } else if last.count + 1 + word.count <= width {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  private static let cellWidth = 7
}

/// What led to the verdicts of one row.
enum MatrixTrace {
  /// The row, what was expected, and what each library found; one of them if they agree.
  static func lines(_ cell: MatrixCell) -> [[Span]] {
    let row = cell.row
    let clause = row.clause.isEmpty ? "" : "  \(row.clause)"
    let title: Span =
      cell.isDisagreement ? .bad("DISAGREE  ") : cell.isDeviation ? .bad("DEVIATES  ") : .good("ok        ")
    let host = row.host.map { ", for \($0)" } ?? ", without a host"
    var lines: [[Span]] = [
      [title, .bold(row.name), .dim(clause)],
      [.plain("\(VerdictText.indent)expected  \(expectation(row.expected))\(host), at \(row.time)")],
    ]
    let text = VerdictText(verdicts: cell.verdicts, isVerbose: true, showsAttempts: true)
    let groups = text.agree ? [cell.verdicts] : cell.verdicts.map { [$0] }
    for group in groups {
      guard let verdict = group.first else { continue }
      let names = group.map(\.backend).joined(separator: ", ")
      let found = MatrixExpected(of: verdict).text
      lines.append([.plain(VerdictText.indent), .bold("found     \(found)"), .plain("  (\(names))")])
      lines += text.details(verdict, status: .trustFailed)
    }
    return lines
  }

  /// The trace with the chain as it was sent.
  static func explanation(_ cell: MatrixCell) -> [[Span]] {
    let chain = cell.row.chain.elements.enumerated().map { index, element -> [Span] in
      let text =
        switch element {
        case .certificate(let certificate):
          "\(certificate.subject), issued by \(certificate.issuer), \(Pin(.publicKey, of: certificate))"
        case .malformed(let bytes, let error): "\(bytes.count) octets that are no certificate: \(error)"
        }
      return [.plain("\(VerdictText.indent)  \(index)  \(text)")]
    }
    let lines = lines(cell)
    return Array(lines.prefix(2)) + [[.plain("\(VerdictText.indent)sent, in this order")]] + chain + lines.dropFirst(2)
  }

  /// The same as plain text, for files; its only control characters end its lines.
  static func text(_ cell: MatrixCell) -> String {
    lines(cell).map { PrintableText.escape($0.map(\.text).joined()) }.joined(separator: "\n")
  }

  static func expectation(_ expected: MatrixExpected?) -> String {
    guard let expected else { return "nothing yet; --update writes what was found" }
    guard expected.comparison == .oneOf, expected.outcome == .untrusted else { return expected.text }
    return "untrusted, by one of: \(expected.codes.map(\.rawValue).joined(separator: ", "))"
  }
}
