// SPDX-License-Identifier: Apache-2.0
import Foundation
import Steelpin
import SteelpinCommand
import SteelpinTestSupport
import Testing

@testable import SteelpinTool

@Suite("matrix SUITE") struct SuiteTests {
  private static let examples = TestCerts.directory.deletingLastPathComponent()
    .appendingPathComponent("Examples/suites")

  @Test("the examples are as they say", arguments: ["app", "broken", "testcerts"]) func examples(_ name: String) async {
    let path = Self.examples.appendingPathComponent("\(name).json5").path
    let result = await run(["matrix", path], backends: SteelpinTool.backends)
    #expect(result.status == .success, "\(result.output)\(result.errors)")
    #expect(result.output.contains(": 0 not as expected, 0 disagreements"))
  }

  private static let suite = #"""
    {
      schema: "steelpin-suite/1",
      clock: "2026-01-01", host: "a.test", system: ["root"],
      certificates: {
        root: { kind: "root" }, leaf: { kind: "leaf", issuer: "root", names: ["a.test"] },
        old: { like: "leaf", validity: "expired" },
      },
      chains: { right: ["leaf"], old: ["old"] },
      policies: { p: { anchors: "system" }, q: { anchors: "system", pins: ["key:root"] } },
      tables: [{ expect: "trusted" }], // as it should be
    }

    """#

  private static func withSuite(_ text: String, _ body: (String) async throws -> Void) async throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("steelpin-\(UUID())")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let file = directory.appendingPathComponent("suite.json5")
    try Data(text.utf8).write(to: file)
    try await body(file.path)
  }

  @Test("what is not as expected ends with status 11, and --update writes it") func update() async throws {
    try await Self.withSuite(Self.suite) { path in
      let first = await run(["matrix", path], backends: SteelpinTool.backends)
      #expect(first.status == .trustFailed)
      #expect(first.output.contains("DEVIATES  old / p"))
      let update = await run(["matrix", path, "--update"], backends: SteelpinTool.backends)
      #expect(update.status == .success)
      #expect(update.errors.contains("2 verdicts were written; review them"))
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(
        text.contains(
          #"tables: [{ expect: "trusted", except: [{ chains: ["old"], expect: "untrusted: expired" }] }], // as it"#))
      #expect(await run(["matrix", path], backends: SteelpinTool.backends).status == .success)
    }
  }

  @Test("a change of the file during the run is not lost", arguments: [true, false])
  func changed(_ isRemoved: Bool) async throws {
    guard let real = SteelpinTool.backends.first else { return }
    try await Self.withSuite(Self.suite) { path in
      let edited = Self.suite + "// a thought\n"
      // The library is asked for an evaluator when the suites have been read.
      let slow = Backend(
        name: real.name, libraryVersion: real.libraryVersion,
        makeEvaluator: { anchors in
          if isRemoved {
            try? FileManager.default.removeItem(atPath: path)
          } else {
            try? Data(edited.utf8).write(to: URL(fileURLWithPath: path))
          }
          return real.makeEvaluator(anchors)
        }, engine: real.engine, keyProvider: real.keyProvider, pkcs12: real.pkcs12)
      let result = await run(["matrix", path, "--update", "--backend", real.name], backends: [slow])
      #expect(result.status == .inputOutput)
      #expect(result.errors.contains("\(path): the file was changed while its rows were judged"), "\(result)")
      #expect(result.errors.contains("hint: nothing was written; run the command again"))
      let text = try? String(contentsOfFile: path, encoding: .utf8)
      #expect(text == (isRemoved ? nil : edited))
    }
  }

  @Test("standard input cannot be updated") func standardInput() async {
    let result = await run(["matrix", "-", "--update"], backends: SteelpinTool.backends)
    #expect(result.status == .usage)
    #expect(result.errors.contains("--update cannot write to standard input"))
  }

  @Test("a disagreement is not written", .enabled(if: SteelpinTool.backends.count > 0)) func disagreement() async throws
  {
    guard let real = SteelpinTool.backends.first else { return }
    let forged = Self.suite.replacingOccurrences(
      of: #"validity: "expired""#, with: #"faults: ["flip-signature-bit"]"#)
    try await Self.withSuite(forged) { path in
      let liar = FakeLibrary.proves.backend("liar", keys: real.keyProvider)
      let result = await run(["matrix", path, "--update"], backends: [real, liar])
      #expect(result.status == .backendsDisagree)
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(text == forged)
    }
  }

  @Test("a suite with a mistake is named with its place, and nothing is written") func mistake() async throws {
    let wrong = Self.suite.replacingOccurrences(of: "issuer: \"root\"", with: "isuer: \"root\"")
    try await Self.withSuite(wrong) { path in
      let report = path + ".xml"
      let result = await run(
        ["matrix", path, "--update", "--format", "junit=\(report)"], backends: SteelpinTool.backends)
      #expect(result.status == .configuration)
      #expect(result.errors.contains("\(path):5:51: 'isuer' is no key that can stand here"))
      #expect(result.output.isEmpty)
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(text == wrong)
      #expect(!FileManager.default.fileExists(atPath: report))
    }
    #expect(await run(["matrix", "/no/such/suite"], backends: SteelpinTool.backends).status == .inputMissing)
  }

  @Test("one row is explained, by a part of its name") func explain() async throws {
    try await Self.withSuite(Self.suite) { path in
      let one = await run(["matrix", path, "--explain", "right / q"], backends: SteelpinTool.backends)
      #expect(one.status == .success, "\(one)")
      #expect(one.output.hasPrefix("ok        right / q\n"))
      #expect(one.output.contains("sent, in this order\n        0  CN=a.test, issued by CN=root, sha256/"))
      #expect(one.output.contains("<- pin met"))
      let several = await run(["matrix", path, "--explain", "right"], backends: SteelpinTool.backends)
      #expect(several.status == .usage)
      #expect(several.errors.contains("name one of 'right / p', 'right / q'"))
    }
  }

  @Test("several suites are one run, and the filter is for all") func several() async throws {
    let path = Self.examples.appendingPathComponent("testcerts.json5").path
    let result = await run(
      ["matrix", path, "--builtin", "--filter", "wildcard", "--json"], backends: SteelpinTool.backends)
    #expect(result.status == .success)
    #expect(result.output.contains("\"name\": \"built-in matrix\""))
    #expect(result.output.contains("\"name\": \"testcerts\""))
  }
}
