// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationXML
import Steelpin
import SteelpinCommand
import SteelpinTestSupport
import Testing

@testable import SteelpinTool

/// What strangers write into names neither breaks a report nor hides or reorders what it shows.
@Suite struct ReportTextTests {
  /// A bell, CSI, a carriage return, an override of the direction and a character that XML forbids, beside markup.
  private static let name = #"<b>&\"'\u0007\u009b31m\r\n\u202e\ufffe\u2028]]>"#
  private static let suite = """
    {
      schema: "steelpin-suite/1", name: "suite \(name)", clock: "2026-01-01", host: "a.test",
      certificates: {
        root: { kind: "root", subject: ["CN=root \(name)"] },
        leaf: { kind: "leaf", issuer: "root", names: ["a.test", "dns:x\(name)"] },
      },
      chains: { "chain \(name)": ["leaf"] },
      policies: { "policy \(name)": { anchors: ["root"] } },
      tables: [{ name: "table \(name)", clause: "clause \(name)", expect: "trusted" }],
    }
    """

  private static let hidden: [Unicode.Scalar] = ["\u{7}", "\u{9B}", "\r", "\u{202E}", "\u{FFFE}", "\u{2028}"]

  /// A well-formed document has no trouble with its text.
  private static func isWellFormed(_ text: String) -> Bool { XMLParser(data: Data(text.utf8)).parse() }

  @Test("of a suite", arguments: ["html", "junit", "markdown", "text"]) func suite(_ format: String) async throws {
    let directory = try ScratchDirectory()
    let file = try directory.write(Array(Self.suite.utf8), as: "suite.json5")
    let path = directory.url.appendingPathComponent(file).path
    let result = await run(["matrix", path, "--format", format], backends: SteelpinTool.backends)
    #expect(result.status == .trustFailed, "\(result.errors)")
    let scalars = Set(result.output.unicodeScalars)
    for scalar in Self.hidden { #expect(!scalars.contains(scalar), "U+\(String(scalar.value, radix: 16))") }
    for word in ["suite", "chain", "policy", "clause"] { #expect(result.output.contains(word), "\(word)") }
    #expect(result.output.contains("u{202E}") || result.output.contains("u\\{202E\\}"))
    if format == "junit" { #expect(Self.isWellFormed(result.output)) }
    if format == "html" { #expect(!result.output.contains("<b>")) }
  }

  @Test("of pin lint") func lint() async throws {
    let directory = try ScratchDirectory()
    let text = "{\"schema\": \"steelpin-pins/1\", \"a\u{202E}\u{9B}\": 1, \"hosts\": {}}"
    let file = try directory.write(Array(text.utf8), as: "steelpin\u{202E}\u{9B}\r.json")
    let path = directory.url.appendingPathComponent(file).path
    let result = await run(["pin", "lint", path, "--from", "steelpin", "--format", "junit"])
    #expect(result.output.contains("<testsuite name=") && result.output.contains("\\u{202E}"), "\(result)")
    let scalars = Set(result.output.unicodeScalars)
    for scalar in Self.hidden { #expect(!scalars.contains(scalar), "U+\(String(scalar.value, radix: 16))") }
    #expect(Self.isWellFormed(result.output))
  }

  @Test(
    "two formats of one file are refused before anything is read",
    arguments: [["matrix", "no.json5"], ["pin", "lint", "no.json"]])
  func sharedFile(_ words: [String]) async {
    let format = words[0] == "matrix" ? "html" : "sarif"
    let result = await run(words + ["--format", "\(format)=out", "--format", "json=out"])
    #expect(result.status == .usage)
    #expect(result.errors.contains("the formats \(format) and json cannot share the file 'out'"), "\(result)")
    let output = await run(words + ["--format", "\(format)=-", "--format", "json"])
    #expect(output.status == .usage)
    #expect(output.errors.contains("two formats cannot share standard output"))
  }

  @Test("--live of each command says what it does there", arguments: Command.all.filter { $0.name != "help" })
  func live(_ command: Command) {
    for option in command.options where option.name == "live" {
      #expect(option.help.contains("--builtin") == (command.name == "matrix"))
      #expect(option.help.contains("host") == (command.name != "matrix"))
    }
  }
}
