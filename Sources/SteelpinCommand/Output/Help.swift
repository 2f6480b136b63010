// SPDX-License-Identifier: Apache-2.0

/// The texts of `--help`, out of the tables.
package enum Help {
  /// The help of the whole program.
  package static func overview(_ commands: [Command]) -> String {
    var text = """
      steelpin: will a client that trusts these things accept this server, and why?

      Examples:
        steelpin pin show example.org
        steelpin check example.org --pin sha256/vY0tPKh8Yrz92CNsiue2MowGZJ1a694th7HlI+6hBpU=
        steelpin verify chain.pem --cacert roots.pem --host example.org

      Commands:

      """
    let width = commands.map(\.name.count).max() ?? 0
    for command in commands { text += "  \(pad(command.name, width))  \(command.summary)\n" }
    text += "\n'steelpin COMMAND --help' shows the options of a command.\n\n"
    return text + statuses(ExitCode.allCases)
  }

  /// The help of one command: examples first, exit statuses last.
  package static func text(of command: Command) -> String {
    var text = "steelpin \(command.name): \(command.summary)\n\nExamples:\n"
    for example in command.examples { text += "  \(example.line)\n      \(example.purpose)\n" }
    text += "\nUsage:\n  \(synopsis(of: command))\n"
    if !command.notes.isEmpty { text += "\n\(command.notes)\n" }
    text += "\nOptions:\n"
    let width = min(28, command.options.map(\.synopsis.count).max() ?? 0)
    for option in command.options {
      let help = option.help + (option.isRepeatable ? " (repeatable)" : "")
      let lines = wrap(help, width: 100 - width - 4)
      if option.synopsis.count > width {
        text += "  \(option.synopsis)\n"
      } else {
        text += "  \(pad(option.synopsis, width))  \(lines[0])\n"
      }
      for line in option.synopsis.count > width ? lines[...] : lines.dropFirst() {
        text += "  \(pad("", width))  \(line)\n"
      }
    }
    return text + "\n" + statuses(command.statuses)
  }

  /// The usage line of a command.
  static func synopsis(of command: Command) -> String {
    "steelpin \(command.name)" + (command.operands.isEmpty ? "" : " \(command.operands)") + " [OPTION]…"
  }

  private static func statuses(_ statuses: [ExitCode]) -> String {
    var text = "Exit status:\n"
    for status in statuses { text += "  \(pad(String(status.rawValue), 3))  \(status.meaning)\n" }
    return text
  }

  private static func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  /// Breaks a text into lines at spaces; there is always one line.
  private static func wrap(_ text: String, width: Int) -> [String] {
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
}
