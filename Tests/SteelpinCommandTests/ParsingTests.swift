// SPDX-License-Identifier: Apache-2.0
import SteelpinCommand
import Testing

@Suite struct ParsingTests {
  private static let options = [
    Option("pin", "PIN", repeatable: true, "a pin"), Option("max-time", "SECONDS", "a time"),
    Option(flag: "json", "JSON"), Option("color", oneOf: ["auto", "always"], "colour"),
  ]

  private func parse(_ arguments: [String]) throws(CommandError) -> ParsedArguments {
    try ParsedArguments(arguments, options: Self.options)
  }

  @Test("options and operands mix, and both spellings of an argument are the same") func mixes() throws {
    let spaced = try parse(["a", "--pin", "1", "b", "--json", "--pin", "2"])
    #expect(spaced.operands == ["a", "b"])
    #expect(spaced.values(Self.options[0]) == ["1", "2"])
    #expect(spaced.has(Self.options[2]))
    #expect(try parse(["--pin=1", "--pin=2", "--json", "a", "b"]) == spaced)
  }

  @Test("a value may contain an equals sign and begin with a hyphen") func values() throws {
    let parsed = try parse(["--pin=sha256/AAAA=", "--max-time", "-1"])
    #expect(parsed.value(Self.options[0]) == "sha256/AAAA=")
    #expect(parsed.value(Self.options[1]) == "-1")
  }

  @Test("after -- everything is an operand, and - is one anyway") func operands() throws {
    #expect(try parse(["-", "--", "--json", "-x"]).operands == ["-", "--json", "-x"])
  }

  @Test(
    "what is wrong is said, with a hint",
    arguments: [
      (["--pni", "x"], "unknown option --pni", "did you mean --pin?"),
      (["--max", "x"], "unknown option --max", "did you mean --max-time?"),
      (["-x"], "unknown option -x", "--help lists the options"),
      (["--frobnicate=1"], "unknown option --frobnicate", "--help lists the options"),
      (["--pin"], "--pin needs an argument", "write --pin PIN"),
      (["--json=yes"], "--json takes no argument, but was given 'yes'", nil),
      (["--max-time", "1", "--max-time", "2"], "--max-time is given twice", "give it once"),
      (["--color", "alwais"], "--color is one of auto, always, not 'alwais'", "did you mean --color always?"),
    ] as [([String], String, String?)])
  func mistakes(_ arguments: [String], _ message: String, _ hint: String?) {
    let error = #expect(throws: CommandError.self) { try parse(arguments) }
    #expect(error?.message == message)
    #expect(error?.hint == hint)
    #expect(error?.status == .usage)
  }

  @Test(
    "what is wrong with a command's name, or with the place of a key, is said with a hint",
    arguments: [
      (["pin", "shwo"], "unknown command 'pin shwo'", "did you mean 'steelpin pin show'?"),
      (["pin", "zzzzzz"], "unknown command 'pin zzzzzz'", "the commands are steelpin pin "),
      (["pin"], "'steelpin pin' needs a second word", "steelpin pin "),
      (["pin", "--json"], "'steelpin pin' needs a second word", "steelpin pin "),
      (["pin", "backup", "a.test", "--output", "-"], "never written to standard output", "--output backup-2027"),
    ] as [([String], String, String)])
  func commands(_ arguments: [String], _ message: String, _ hint: String) async {
    let result = await run(arguments)
    #expect(result.status == .usage)
    #expect(result.output.isEmpty)
    #expect(result.errors.contains(message), "\(result)")
    #expect(result.errors.contains("hint: \(hint)"), "\(result)")
  }
}
