// SPDX-License-Identifier: Apache-2.0
import Foundation
import Steelpin
import SteelpinCommand
import SteelpinTestSupport
import Testing

/// `check --record` and what `verify` makes of it, with libraries that prove everything.
@Suite(.timeLimit(.minutes(10))) struct RecordTests {
  private static let pin = "sha256/vY0tPKh8Yrz92CNsiue2MowGZJ1a694th7HlI+6hBpU="
  private static let otherPin = "sha256/UogEtYq2+NZvqvlq2PUtGtYySunF1IYlsKoCi7mXuPU="
  private static let root = TestCerts.directory.appendingPathComponent("ca/root-p256/cert.pem").path
  private static let server = Result { try ScriptedServer(.says([0x16])) }

  private let directory = Result { try ScratchDirectory() }

  private func path(_ name: String = "seen.json") throws -> String {
    try directory.get().url.appendingPathComponent(name).path
  }

  private func run(_ arguments: String) async throws -> CommandRun {
    let chain = try TestCerts.chain("leaf/p-256").certificates.map(\.der)
    let backends = ["openssl", "gnutls"].map { FakeLibrary.proves.backend($0, serving: chain) }
    return await SteelpinCommandTests.run(
      arguments.split(separator: " ").map(String.init) + ["--cacert", Self.root], backends: backends)
  }

  /// Records localhost, and a second name of it.
  private func record(_ more: String = "") async throws -> CommandRun {
    let port = try Self.server.get().port
    return try await run("check localhost:\(port) 127.0.0.1:\(port) --any-host --record \(path()) \(more)")
  }

  @Test("what was seen is judged again as of then") func replay() async throws {
    let recorded = try await record()
    #expect(recorded.status == .success && recorded.errors.isEmpty, "\(recorded)")
    let result = try await run("verify \(path()) --pin \(Self.pin)")
    let port = try Self.server.get().port
    // The certificate is for localhost, but for no address.
    #expect(result.status == .trustFailed, "\(result)")
    #expect(result.output.contains("ok    \(try path()) (localhost:\(port))  trusted; pin met by the leaf"))
    #expect(result.output.contains("FAIL  \(try path()) (127.0.0.1:\(port))  not trusted"), "\(result)")
    #expect(result.output.contains("recording  judged as of 2026-01-01T00:00:00Z"))
  }

  @Test(
    "the options of verify hold for recordings",
    arguments: [
      ("--host localhost", .success), ("--host www.example.org", .trustFailed), ("--any-host", .success),
      ("--any-host --at 2200-01-01", .trustFailed), ("--any-host --pin \(otherPin)", .pinMismatch),
    ] as [(String, ExitCode)])
  func options(_ options: String, _ status: ExitCode) async throws {
    _ = try await record()
    let result = try await run("verify \(path()) \(options)")
    #expect(result.status == status, "\(result)")
    #expect(result.output.contains("judged at --at") == options.contains("--at"))
  }

  @Test("the JSON document says what was recorded") func json() async throws {
    _ = try await record()
    let result = try await run("verify \(path()) --any-host --json")
    let document = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    let targets = try #require(document["targets"] as? [[String: Any]])
    let recorded = targets.compactMap { $0["recorded"] as? [String: Any] }
    #expect(recorded.compactMap { $0["host"] as? String } == ["localhost", "127.0.0.1"])
    #expect(recorded.compactMap { $0["time"] as? String } == ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"])
  }

  @Test("a recording has nothing but what the server sent") func privacy() async throws {
    let port = try Self.server.get().port
    let recorded = try await run(
      "check secret.test:1 --connect-to secret.test:1:127.0.0.1:\(port) --verify-name localhost --pin \(Self.pin)"
        + " --record \(path())")
    #expect(recorded.status == .success, "\(recorded)")
    let text = String(decoding: try directory.get().read("seen.json"), as: UTF8.self)
    for part in ["127.0.0.1", Self.pin, "secret", "openssl", "gnutls"] {
      #expect(!text.contains(part), "\(part)\n\(text)")
    }
    let document = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(Set(document.keys) == ["schema", "servers"])
  }

  @Test("a file is replaced only by --force, and no server is contacted for nothing") func overwriting() async throws {
    #expect(try await record().status == .success)
    let before = try directory.get().read("seen.json")
    let refused = try await run("check localhost:1 --record \(path())")
    #expect(refused.status == .wouldOverwrite && refused.output.isEmpty, "\(refused)")
    #expect(try directory.get().read("seen.json") == before)
    #expect(try await record("--force").status == .success)
    #expect(try await run("check localhost:1 --record \(path("no/such/place"))").status == .inputOutput)
    #expect(try await run("check localhost:1 --force").status == .usage)
  }

  @Test("a server without handshake is not recorded, and that is said") func nothing() async throws {
    let closing = try ScriptedServer(.closes)
    let result = try await run("check localhost:\(closing.port) --record \(path())")
    #expect(result.status == .noTLS, "\(result)")
    #expect(result.errors.contains("is not recorded"), "\(result)")
    #expect(throws: (any Error).self) { try directory.get().read("seen.json") }
  }

  @Test("a JSON object that is no recording is told, with or without --host", arguments: ["", "--host a.test"])
  func otherObject(_ more: String) async throws {
    for text in ["{}", " \n{ \"servers\": [] }", "{ \"schema\": \"steelpin-pins/1\" }"] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path("other.json")))
      let result = try await run("verify \(path("other.json")) \(more)")
      #expect(result.status == .badData)
      #expect(result.errors.contains("other.json' is a JSON object that is no recording: it has no 'schema' such as"))
    }
    // A text with certificates in it may begin as it likes.
    let certificate = try String(contentsOfFile: Self.root, encoding: .utf8)
    try Data("{ my root }\n\(certificate)".utf8).write(to: URL(fileURLWithPath: path("root.pem")))
    #expect(try await run("verify \(path("root.pem")) --any-host").status == .success)
  }

  @Test("recordings and other files do not mix, and a broken one is told by its place") func mistakes() async throws {
    _ = try await record()
    #expect(try await run("verify \(path()) \(Self.root)").status == .usage)
    let broken = try directory.get().write(Array("{\"schema\": \"steelpin-record/1\", \"x\": 1}".utf8), as: "broken")
    let result = try await run("verify \(path(broken))")
    #expect(result.status == .badData, "\(result)")
    #expect(result.errors.contains("broken:1:33: 'x' means nothing in the recording"), "\(result)")
    let empty = try directory.get().write(
      Array("{\"schema\": \"steelpin-record/1\", \"servers\": []}".utf8), as: "empty")
    #expect(try await run("verify \(path(empty))").status == .badData)
  }
}
