// SPDX-License-Identifier: Apache-2.0
package import Steelpin

/// One subcommand: everything about it in one value, which parsing, help, completions and the manual follow.
package struct Command: Sendable {
  /// An example that a user could type.
  package struct Example: Sendable {
    package let line: String
    package let purpose: String
  }

  /// Its name, of one word or two, as in `pin show`.
  package let name: String
  /// What it does, in one line.
  package let summary: String
  /// Its operands as help shows them; empty if it has none.
  package let operands: String
  /// What operands a shell may offer.
  package let completion: Option.Completion
  /// What has to be said beyond the options; empty if nothing.
  package let notes: String
  package let examples: [Example]
  package let options: [Option]
  /// The statuses that it may end with.
  package let statuses: [ExitCode]
  package let run: @Sendable (Invocation) async throws(CommandError) -> ExitCode

  package init(
    _ name: String, _ summary: String, operands: String = "", completion: Option.Completion = .nothing,
    notes: String = "", examples: [(line: String, purpose: String)], options: [Option], statuses: [ExitCode],
    run: @escaping @Sendable (Invocation) async throws(CommandError) -> ExitCode
  ) {
    self.name = name
    self.summary = summary
    self.operands = operands
    self.completion = completion
    self.notes = notes
    self.examples = examples.map { Example(line: $0.line, purpose: $0.purpose) }
    self.options = options + (options.contains { $0.name == Option.help.name } ? [] : [.help])
    self.statuses = statuses
    self.run = run
  }

  /// Every subcommand, in the order of `steelpin --help`.
  package static let all: [Command] = [
    .check, .verify, .inspect, .pinShow, .pinLint, .pinImport, .pinExport, .pinBackup, .convert, .matrix, .lab,
    .labProxy,
    .explain, .version, .completions, .manual,
  ]
}

/// One run of a command.
package struct Invocation: Sendable {
  package let arguments: ParsedArguments
  package let backends: [Backend]
  package let console: Console
  package let printer: Printer
  /// The clock of the whole run, read once.
  package let now: Timestamp

  package init(arguments: ParsedArguments, backends: [Backend], console: Console, now: Timestamp) {
    self.arguments = arguments
    self.backends = backends
    self.console = console
    self.printer = Printer(console, color: arguments.value(.color))
    self.now = now
  }

  /// Whether the result is JSON.
  var wantsJSON: Bool { arguments.has(.json) }
  /// Whether more is to be said.
  var isVerbose: Bool { arguments.has(.verbose) }
}
