// SPDX-License-Identifier: Apache-2.0
import Foundation
import Steelpin
import SteelpinCommand
import SteelpinTestSupport
import Testing

@testable import SteelpinTool

/// What the commands write as JSON conforms to the schema that is published in docs/.
@Suite("JSON schema") struct SchemaTests {
  private static let directory = TestCerts.directory.path
  private static let chain = "\(directory)/leaf/p-256/chain.pem"
  private static let anchors = ["--cacert", "\(directory)/bundle/roots.pem"]
  private static let wrongPin = "sha256/0vE/zKcwijrsy3eTjDufStVlhq+433k4zpi3jnH+KUM="

  /// A command line, and the status that it ends with, so that the document is of the kind that it should be.
  static let rows: [(arguments: [String], status: ExitCode)] = [
    (["version", "--json"], .success),
    (["explain", "--json"], .success),
    (["verify", chain, "--host", "www.steelpin.test", "--json"] + anchors, .success),
    (
      ["verify", chain, "--host", "www.steelpin.test", "--pin", wrongPin, "--all-paths", "--json"] + anchors,
      .pinMismatch
    ),
    (["verify", "\(directory)/leaf/expired/chain.pem", "--host", "other.test", "--json"] + anchors, .trustFailed),
    (["inspect", chain, "\(directory)/leaf/rsa-2048/request.csr", "--json"], .success),
    (["inspect", "localhost:1", "--json"], .unreachable),
    (["check", "localhost:1", "--json"] + anchors, .unreachable),
    (["pin", "show", chain, "\(directory)/leaf/rsa-2048/request.csr", "--json"], .success),
    (["convert", chain, "--leaf-only", "--json"], .success),
    (["matrix", "--builtin", "--filter", "self-signed", "--json"], .success),
  ]

  @Test("every document conforms", arguments: rows)
  func conforms(_ row: (arguments: [String], status: ExitCode)) async throws {
    var arguments = row.arguments
    let directory = try ScratchDirectory()
    if arguments[0] == "convert" { arguments += ["-o", directory.url.appendingPathComponent("out.der").path] }
    let result = await run(arguments, backends: backends)
    #expect(result.status == row.status, "\(result)")
    #expect(try SchemaDocument("steelpin-1.schema.json").problems(result.output) == [])
  }

  @Test("so do the documents of pin configurations and backups") func configurations() async throws {
    let directory = try ScratchDirectory()
    let file = directory.url.appendingPathComponent("steelpin.json").path
    let text =
      #"{"schema": "steelpin-pins/1", "hosts": [{"host": "www.steelpin.test", "pins": ["\#(Self.wrongPin)"]}]}"#
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    let schema = try SchemaDocument("steelpin-1.schema.json")
    let lines: [(arguments: [String], status: ExitCode)] = [
      (["pin", "lint", file, "--json"], .success),
      (["check", "--config", file, "--chain", Self.chain, "--json"] + Self.anchors, .pinMismatch),
      (["pin", "backup", "a.test", "-o", directory.url.appendingPathComponent("backup").path, "--json"], .success),
    ]
    for line in lines {
      let result = await run(line.arguments, backends: backends)
      #expect(result.status == line.status, "\(result)")
      #expect(try schema.problems(result.output) == [])
    }
  }

  @Test("a document that does not conform is found out") func mutations() async throws {
    let schema = try SchemaDocument("steelpin-1.schema.json")
    let good = await run(Self.rows[2].arguments, backends: backends).output
    #expect(try schema.problems(good) == [])
    for (old, new) in [
      ("\"steelpin/1\"", "\"steelpin/2\""), ("\"verify\"", "\"verity\""), ("\"status\": 0", "\"status\": 1"),
      ("\"agree\": true", "\"agree\": 1"), ("\"outcome\"", "\"income\""), ("\"depth\": null", "\"depth\": \"0\""),
      ("\"trusted\"", "\"fine\""), ("\"sha256/", "\"sha1/"), ("\"attempts\": [", "\"more\": 1, \"attempts\": ["),
    ] {
      guard good.contains(old) else { continue }
      #expect(try schema.problems(good.replacingOccurrences(of: old, with: new)) != [], "\(old) → \(new)")
    }
  }
}
