// SPDX-License-Identifier: Apache-2.0
internal import SteelpinReports

/// The manual page in the man macros of roff, out of the tables.
enum ManualPage {
  static func text(_ commands: [Command]) -> String {
    var lines = [
      ".TH STEELPIN 1 \"\" \"steelpin \(steelpinVersion)\"", ".SH NAME",
      "steelpin \\- certificate pinning and TLS inspection", ".SH SYNOPSIS",
      ".B steelpin\n.I COMMAND\n[\\fIARGUMENT\\fR]...", ".SH DESCRIPTION",
      "Will a client that trusts these things accept this server, and why?",
      "A chain is trusted only if a library proved one exact path to an anchor and no rule objects;",
      "pins are matched on that path. Nothing is fetched unless an option asks for it. The result goes to standard output, everything else to",
      "standard error.", ".SH COMMANDS",
    ]
    for command in commands {
      lines += [".SS \"\(escape(Help.synopsis(of: command)))\"", escape(sentence(command.summary))]
      if !command.notes.isEmpty { lines += [".PP", escape(command.notes)] }
      for example in command.examples {
        lines += [".PP", escape(sentence(example.purpose)), ".RS", ".nf", escape(example.line), ".fi", ".RE"]
      }
      lines += [".PP", "Options: " + escape(command.options.map { "--\($0.name)" }.joined(separator: ", ")) + "."]
    }
    lines.append(".SH OPTIONS")
    // An option that means something else in some commands stands here once for each meaning, with their names.
    let options = Dictionary(grouping: commands.flatMap { command in command.options.map { (command, $0) } }) {
      $0.1.name
    }
    for (_, uses) in options.sorted(by: { $0.key < $1.key }) {
      for (index, (_, option)) in uses.enumerated() where !uses[..<index].contains(where: { $0.1.help == option.help })
      {
        let users = uses.filter { $0.1.help == option.help }.map(\.0.name)
        let place = users.count < uses.count ? " (\(users.joined(separator: ", ")))" : ""
        lines += [".TP", ".B \(escape(option.synopsis + place))"]
        lines.append(escape(sentence(option.help)) + (option.isRepeatable ? " May be given more than once." : ""))
      }
    }
    lines.append(".SH \"EXIT STATUS\"")
    for status in ExitCode.allCases { lines += [".TP", ".B \(status.rawValue)", escape(sentence(status.meaning))] }
    lines += ["Of several targets the most serious decides: 13, 10, 11, 20, 21, 12, 0.", ".SH ENVIRONMENT"]
    lines += [".TP", ".B NO_COLOR", "No colour unless \\-\\-color always is given."]
    lines += [".TP", ".B SSL_CERT_FILE, SSL_CERT_DIR", "Where the system's anchors are."]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() + "." }

  /// A line of text as roff wants it: no backslash or hyphen of its own, and no control line.
  private static func escape(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let escaped = line.map { $0 == "\\" ? "\\e" : $0 == "-" ? "\\-" : String($0) }.joined()
      return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
    }.joined(separator: "\n")
  }
}
