// SPDX-License-Identifier: Apache-2.0
public import Steelpin

/// The `steelpin` command as a function of its arguments and its world.
public enum CommandRunner {
  /// Runs one subcommand. `arguments` are those after the program's name; `now` is the clock of the whole run.
  public static func run(
    _ arguments: [String], backends: [Backend], console: Console, now: Timestamp = .now()
  ) async -> ExitCode {
    do throws(CommandError) {
      return try await dispatch(arguments, backends: backends, console: console, now: now)
    } catch {
      Printer(console, color: nil).report(error)
      return error.status
    }
  }

  private static func dispatch(
    _ arguments: [String], backends: [Backend], console: Console, now: Timestamp
  ) async throws(CommandError) -> ExitCode {
    guard let first = arguments.first else {
      _ = console.write(Array(Help.overview(Command.all).utf8), .errors)
      return .usage
    }
    switch first {
    case "--help", "-h", "help": return try help(arguments.dropFirst(), console)
    case "--version", "-V":
      return try await dispatch(["version"] + arguments.dropFirst(), backends: backends, console: console, now: now)
    default: break
    }
    let (command, rest) = try find(arguments)
    let parsed = try ParsedArguments(rest, options: command.options)
    let invocation = Invocation(arguments: parsed, backends: backends, console: console, now: now)
    if parsed.has(.help) {
      try invocation.printer.result(text: Help.text(of: command))
      return .success
    }
    if command.operands.isEmpty, let operand = parsed.operands.first {
      throw .usage("'steelpin \(command.name)' takes no argument, but was given '\(operand)'")
    }
    return try await command.run(invocation)
  }

  private static func help(_ words: ArraySlice<String>, _ console: Console) throws(CommandError) -> ExitCode {
    let printer = Printer(console, color: nil)
    guard !words.isEmpty else {
      try printer.result(text: Help.overview(Command.all))
      return .success
    }
    try printer.result(text: Help.text(of: find(Array(words)).command))
    return .success
  }

  /// The command that the first words name, the longest name first, and the arguments after its name.
  private static func find(_ arguments: [String]) throws(CommandError) -> (command: Command, rest: ArraySlice<String>) {
    for count in [2, 1] where arguments.count >= count {
      let name = arguments.prefix(count).joined(separator: " ")
      if let command = Command.all.first(where: { $0.name == name }) { return (command, arguments.dropFirst(count)) }
    }
    let group = Command.all.map(\.name).filter { $0.hasPrefix(arguments[0] + " ") }
    guard group.isEmpty else {
      if arguments.count > 1, !arguments[1].hasPrefix("-") {
        let near = NearestWord.to(arguments[1], among: group.map { String($0.dropFirst(arguments[0].count + 1)) })
        throw .usage(
          "unknown command '\(arguments[0]) \(arguments[1])'",
          hint: near.map { "did you mean 'steelpin \(arguments[0]) \($0)'?" }
            ?? "the commands are \(group.map { "steelpin \($0)" }.joined(separator: ", "))")
      }
      throw .usage(
        "'steelpin \(arguments[0])' needs a second word",
        hint: group.map { "steelpin \($0)" }.joined(separator: ", "))
    }
    let near = NearestWord.to(arguments[0], among: Command.all.map(\.name))
    throw .usage(
      "unknown command '\(arguments[0])'",
      hint: near.map { "did you mean 'steelpin \($0)'?" } ?? "'steelpin --help' lists the commands")
  }
}
