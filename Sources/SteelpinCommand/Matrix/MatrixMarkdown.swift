// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinMatrix

extension MatrixReporter {
  /// The tables of the text as Markdown, for a comment on a change or a wiki.
  static func markdown(_ reports: [MatrixReport], isVerbose: Bool) -> [UInt8] {
    var text = ""
    for report in reports {
      text += "# \(escape(report.caption))\n\n\(escape(report.summary))\n\n\(escape(MatrixWord.legend))\n"
      text += table(.grid(report, isWhole: isVerbose))
      if let selfSigned = MatrixTable.selfSigned(report) { text += table(selfSigned) }
      let failures = report.disagreements + report.deviations
      if !failures.isEmpty { text += "\n## Not as expected\n" }
      for cell in failures { text += "\n\(fenced(MatrixTrace.text(cell)))\n" }
      text += "\n"
    }
    return Array(text.utf8)
  }

  private static func table(_ table: MatrixTable) -> String {
    var text = "\n## \(escape(table.title))\n\n"
    for (index, column) in table.columns.enumerated() { text += "\(index + 1). \(escape(column))\n" }
    let heads = table.heads.map(escape)
    text += "\n| \(heads.joined(separator: " | ")) |"
    for index in table.columns.indices { text += " \(index + 1) |" }
    text += "\n|" + String(repeating: "---|", count: heads.count + table.columns.count) + "\n"
    for row in table.rows {
      let words = row.words.map { word in
        word.map { $0.style == .bad ? "**\($0.text)**" : $0.text } ?? "-"
      }
      text += "| " + (row.heads.map(escape) + words).joined(separator: " | ") + " |\n"
    }
    return text
  }

  /// Text as it stands: Markdown and HTML in a name mean nothing.
  private static func escape(_ text: String) -> String {
    var escaped = ""
    for character in PrintableText.escape(text).unicodeScalars {
      if "\\`*_{}[]<>()#+!|~&".unicodeScalars.contains(character) { escaped.unicodeScalars.append("\\") }
      escaped.unicodeScalars.append(character)
    }
    return escaped
  }

  /// A block of code whose fence is longer than any run of backticks in it.
  private static func fenced(_ text: String) -> String {
    var (longest, run) = (2, 0)
    for octet in text.utf8 {
      run = octet == UInt8(ascii: "`") ? run + 1 : 0
      longest = max(longest, run)
    }
    let fence = String(repeating: "`", count: longest + 1)
    return "\(fence)text\n\(text)\n\(fence)"
  }
}
