// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
package import SteelpinReports

/// Text of one style. Every span is made safe for the terminal when it is printed, so no caller can forget.
package struct Span: Sendable, Hashable {
  package enum Style: Sendable, Hashable {
    case bad
    case bold
    case dim
    case good
    case plain
    case warning
  }

  let text: String
  let style: Style

  static func bad(_ text: String) -> Span { Span(text: text, style: .bad) }
  static func bold(_ text: String) -> Span { Span(text: text, style: .bold) }
  static func dim(_ text: String) -> Span { Span(text: text, style: .dim) }
  static func good(_ text: String) -> Span { Span(text: text, style: .good) }
  static func plain(_ text: String) -> Span { Span(text: text, style: .plain) }
  static func warning(_ text: String) -> Span { Span(text: text, style: .warning) }

  /// The span with spaces behind it up to a width in characters.
  func padded(to width: Int) -> Span {
    Span(text: text + String(repeating: " ", count: max(0, width - text.count)), style: style)
  }
}

/// Writes lines of spans.
package struct Printer: Sendable {
  private let console: Console
  private let isColoured: Bool
  private let errorsAreColoured: Bool

  /// A printer; `color` is the argument of `--color`.
  package init(_ console: Console, color: String?) {
    func isColoured(_ stream: Console.Stream) -> Bool {
      switch color {
      case "always": true
      case "never": false
      default:
        console.isTerminal(stream) && (console.environment("NO_COLOR") ?? "").isEmpty
          && console.environment("TERM") != "dumb"
      }
    }
    self.console = console
    self.isColoured = isColoured(.output)
    self.errorsAreColoured = isColoured(.errors)
  }

  /// Writes lines of the result.
  package func result(_ lines: [[Span]]) throws(CommandError) {
    try write(rendered(lines))
  }

  /// Writes a JSON value as the result.
  package func result(_ value: JSONValue) throws(CommandError) { try write(value.encoded()) }

  /// Lines as they would be written.
  func rendered(_ lines: [[Span]]) -> [UInt8] { lines.flatMap { render($0, isColoured) } }

  /// Writes a JSON value as one line of the result.
  package func resultLine(_ value: JSONValue) throws(CommandError) { try write(value.encodedLine()) }

  /// Writes a text of ours as the result, as it is.
  package func result(text: String) throws(CommandError) { try write(Array(text.utf8)) }

  private func write(_ bytes: [UInt8]) throws(CommandError) {
    guard console.write(bytes, .output) else {
      throw CommandError(.inputOutput, code: "output-failed", "standard output cannot be written")
    }
  }

  /// Writes an error and its hint to standard error.
  package func report(_ error: CommandError) {
    var bytes = render([.bad("steelpin: error: "), .plain(error.message)], errorsAreColoured)
    if let hint = error.hint { bytes += render([.dim("steelpin: hint: "), .plain(hint)], errorsAreColoured) }
    _ = console.write(bytes, .errors)
  }

  /// Writes a line to standard error that is neither result nor error.
  package func note(_ text: String) {
    _ = console.write(render([.dim("steelpin: "), .plain(text)], errorsAreColoured), .errors)
  }

  private func render(_ spans: [Span], _ isColoured: Bool) -> [UInt8] {
    var line: [UInt8] = []
    for span in spans {
      let text = PrintableText.escape(span.text)
      if isColoured, let code = Self.code(of: span.style) {
        line += "\u{1B}[\(code)m\(text)\u{1B}[0m".utf8
      } else {
        line += text.utf8
      }
    }
    while line.last == UInt8(ascii: " ") { line.removeLast() }
    line.append(UInt8(ascii: "\n"))
    return line
  }

  private static func code(of style: Span.Style) -> Int? {
    switch style {
    case .bad: 31
    case .bold: 1
    case .dim: 2
    case .good: 32
    case .plain: nil
    case .warning: 33
    }
  }
}
