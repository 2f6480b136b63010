// SPDX-License-Identifier: Apache-2.0

extension Command {
  /// `steelpin completions`.
  static let completions = Command(
    "completions", "print the completion script of a shell", operands: "bash|fish|zsh",
    completion: .oneOf(["bash", "fish", "zsh"]),
    examples: [
      ("steelpin completions bash > /etc/bash_completion.d/steelpin", "for everybody, in bash"),
      ("steelpin completions zsh > ~/.zfunc/_steelpin", "in zsh, if ~/.zfunc is in fpath"),
      ("steelpin completions fish > ~/.config/fish/completions/steelpin.fish", "in fish"),
    ],
    options: [],
    statuses: [.success, .usage]
  ) { (invocation: Invocation) async throws(CommandError) in
    let shells: [(name: String, script: ([Command]) -> String)] = [
      ("bash", CompletionScripts.bash), ("fish", CompletionScripts.fish), ("zsh", CompletionScripts.zsh),
    ]
    guard let wanted = invocation.arguments.operands.first, invocation.arguments.operands.count == 1 else {
      throw .usage("completions needs the name of one shell", hint: "bash, fish or zsh")
    }
    guard let shell = shells.first(where: { $0.name == wanted }) else {
      throw .usage("there are no completions for '\(wanted)'", hint: "the shells are bash, fish and zsh")
    }
    try invocation.printer.result(text: shell.script(Command.all))
    return .success
  }
}
