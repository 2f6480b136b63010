// SPDX-License-Identifier: Apache-2.0
import SteelpinCommand
import SteelpinTestSupport
import Testing

@Suite struct OptionTableTests {
  @Test("names of commands and of their options are unique") func unique() {
    #expect(Set(Command.all.map(\.name)).count == Command.all.count)
    for command in Command.all {
      #expect(Set(command.options.map(\.name)).count == command.options.count, "\(command.name)")
    }
  }

  @Test("an option means the same in every command, but for what it writes and sees live") func oneDeclaration() {
    var declared: [String: Option] = [:]
    for option in Command.all.flatMap(\.options) {
      if let other = declared[option.name], !["live", "output", "to"].contains(option.name) {
        #expect(other.argument == option.argument && other.help == option.help, "--\(option.name)")
      }
      declared[option.name] = option
    }
  }

  @Test("help begins with three examples, lists every option and ends with the exit statuses", arguments: Command.all)
  func help(_ command: Command) throws {
    let lines = Help.text(of: command).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(lines[0] == "steelpin \(command.name): \(command.summary)")
    #expect(lines[2] == "Examples:")
    #expect(command.examples.count == 3)
    #expect(lines[3] == "  " + command.examples[0].line)
    for option in command.options { #expect(lines.contains { $0.hasPrefix("  --\(option.name)") }, "--\(option.name)") }
    let last = try #require(command.statuses.last)
    #expect(lines.suffix(2).joined().hasSuffix(last.meaning))
    #expect(lines.allSatisfy { $0.count <= 120 })
    #expect(command.examples.first?.line.hasPrefix("steelpin \(command.name)") == true)
  }

  @Test("every line of help is what --help and help print", arguments: Command.all)
  func helpIsReachable(_ command: Command) async {
    let words = command.name.split(separator: " ").map(String.init)
    let long = await run(words + ["--help"])
    let short = await run(words + ["-h"])
    let word = await run(["help"] + words)
    #expect(long.status == .success)
    #expect(long.output == Help.text(of: command))
    #expect(short.output == long.output)
    #expect(word.output == long.output)
    #expect(long.errors.isEmpty)
  }

  @Test("the completion scripts are scripts of their shells", arguments: ["bash", "zsh", "fish"])
  func completions(_ shell: String) async throws {
    let script = await run(["completions", shell])
    #expect(script.status == .success)
    for option in Command.all.flatMap(\.options) { #expect(script.output.contains(option.name), "\(option.name)") }
    let tool = ExternalTool(shell)
    guard tool.isInstalled else { return }
    let directory = try ScratchDirectory()
    let file = try directory.write(Array(script.output.utf8), as: "completion")
    let check = try tool.run(["-n", file], in: directory)
    #expect(check.succeeded, "\(check.text)")
  }

  @Test("bash completes commands, second words, options and their words", ExternalTool("bash").required)
  func bashCompletes() async throws {
    let script = await run(["completions", "bash"]).output
    let directory = try ScratchDirectory()
    let file = try directory.write(Array(script.utf8), as: "completion")
    func complete(_ words: [String]) throws -> Set<String> {
      let quoted = words.map { "'\($0)'" }.joined(separator: " ")
      let test = """
        source ./\(file); COMP_WORDS=(\(quoted)); COMP_CWORD=\(words.count - 1); _steelpin
        printf '%s\\n' "${COMPREPLY[@]}"
        """
      let answer = try ExternalTool("bash").run(["-c", test], in: directory).text
      return Set(answer.split(separator: "\n").map(String.init))
    }
    #expect(try complete(["steelpin", "comp"]) == ["completions"])
    #expect(try complete(["steelpin", "completions", "z"]) == ["zsh"])
    #expect(try complete(["steelpin", "explain", "--j"]) == ["--json"])
    #expect(try complete(["steelpin", "explain", "--color", "al"]) == ["always"])
  }

  @Test("the manual page is clean roff", ExternalTool("groff").required) func manual() async throws {
    let page = await run(["manual"])
    let directory = try ScratchDirectory()
    let file = try directory.write(Array(page.output.utf8), as: "steelpin.1")
    let check = try ExternalTool("groff").run(["-man", "-Tutf8", "-K", "utf8", "-ww", "-z", file], in: directory)
    #expect(check.text.isEmpty, "\(check.text)")
  }

  @Test("the manual page names every option and status") func manualIsComplete() async {
    let page = await run(["manual"]).output.replacing("\\-", with: "-")
    for option in Command.all.flatMap(\.options) { #expect(page.contains(".B --\(option.name)")) }
    for status in ExitCode.allCases { #expect(page.contains(".B \(status.rawValue)\n")) }
  }
}
