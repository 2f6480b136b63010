// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinConfigurations
internal import SteelpinMatrix
internal import SteelpinReports

/// The report as one page that needs nothing else: a heat map with filters, and the trace of every row.
///
/// Names come from certificates, so nothing of them is ever markup: the data is JSON in which no tag can end, the script
/// only sets text, characters that hide or reorder text are escaped, and the page's own policy allows no other script and no connection.
enum HTMLReport {
  static func render(_ reports: [MatrixReport]) -> [UInt8] {
    let title = reports.map(\.suite.name).joined(separator: ", ")
    func digest(_ text: String) -> String { Base64.encode(SHA256Digest(of: Array(text.utf8)).octets) }
    var page = """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
      style-src 'sha256-\(digest(HTMLStyle.text))'; script-src 'sha256-\(digest(HTMLScript.text))'; \
      img-src data:; base-uri 'none'; form-action 'none'">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <link rel="icon" href="data:,">
      <title>\(MarkupText.escape(title)): steelpin matrix</title>
      <style>\(HTMLStyle.text)</style>
      </head>
      <body>
      <header><h1>\(MarkupText.escape(title))</h1></header>
      <noscript><p>The heat map needs scripts; the figures do not.</p></noscript>

      """
    for (index, report) in reports.enumerated() { page += section(report, index) }
    page += """
      <aside id="trace" aria-live="polite" hidden></aside>
      <footer>\(MarkupText.escape(MatrixWord.legend))</footer>
      <script type="application/json" id="data">
      """
    var bytes = Array(page.utf8)
    for octet in HTMLData.value(reports).encodedLine() {
      if octet == UInt8(ascii: "<") { bytes += "\\u003c".utf8 } else { bytes.append(octet) }
    }
    bytes += "</script>\n<script>\(HTMLScript.text)</script>\n</body>\n</html>\n".utf8
    return bytes
  }

  private static func section(_ report: MatrixReport, _ index: Int) -> String {
    let state = report.status == .success ? "good" : "bad"
    var text = """
      <section data-suite="\(index)">
      <h2>\(MarkupText.escape(report.caption))</h2>
      <p class="summary \(state)">\(MarkupText.escape(report.summary))</p>
      <form class="filters" role="search" aria-label="filters">
      <label>search <input type="search" name="text" placeholder="chain, policy or code"></label>
      <label>verdict <select name="verdict"><option value="">any</option><option>trusted</option>\
      <option>pin-mismatch</option><option>untrusted</option></select></label>
      <label>state <select name="state"><option value="">any</option><option value="bad">not as expected</option>\
      <option value="split">libraries disagree</option></select></label>
      <label><input type="checkbox" name="presets"> presets only</label>
      <output name="count"></output>
      </form>
      <div class="map" tabindex="-1"></div>

      """
    if let table = MatrixTable.selfSigned(report) { text += self.table(table) }
    return text + "<div class=\"failures\"></div>\n</section>\n"
  }

  private static func table(_ table: MatrixTable) -> String {
    var text = "<details open><summary>\(MarkupText.escape(table.title))</summary>\n<table class=\"plain\"><thead><tr>"
    for head in table.heads + table.columns { text += "<th scope=\"col\">\(MarkupText.escape(head))</th>" }
    text += "</tr></thead><tbody>\n"
    for row in table.rows {
      text += "<tr>"
      for head in row.heads { text += "<th scope=\"row\">\(MarkupText.escape(head))</th>" }
      for word in row.words {
        let kind = word.map { $0.text.hasSuffix("!") || $0.text == "split" ? "bad" : $0.text } ?? "none"
        text += "<td class=\"\(kind)\">\(word?.text ?? "")</td>"
      }
      text += "</tr>\n"
    }
    return text + "</tbody></table></details>\n"
  }
}
