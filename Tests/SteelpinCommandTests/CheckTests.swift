// SPDX-License-Identifier: Apache-2.0
import Foundation
import Steelpin
import SteelpinCommand
import SteelpinTestSupport
import Testing

/// `check` with libraries that prove everything and handshakes that serve the chain of `leaf/p-256`.
@Suite(.timeLimit(.minutes(10))) struct CheckTests {
  private static let pin = "sha256/vY0tPKh8Yrz92CNsiue2MowGZJ1a694th7HlI+6hBpU="
  private static let otherPin = "sha256/UogEtYq2+NZvqvlq2PUtGtYySunF1IYlsKoCi7mXuPU="
  private static let root = TestCerts.directory.appendingPathComponent("ca/root-p256/cert.pem").path
  private static let server = Result { try ScriptedServer(.says([0x16])) }

  private func backends(_ entry: String = "leaf/p-256") throws -> [Backend] {
    let chain = try TestCerts.chain(entry).certificates.map(\.der)
    return ["openssl", "gnutls"].map { FakeLibrary.proves.backend($0, serving: chain) }
  }

  private func check(_ arguments: String, entry: String = "leaf/p-256") async throws -> CommandRun {
    let words = "check --cacert \(Self.root) \(arguments)".split(separator: " ").map(String.init)
    return await run(words, backends: try backends(entry))
  }

  @Test(
    "statuses",
    arguments: [
      ("--pin \(pin)", .success), ("--pin \(otherPin)", .pinMismatch), ("", .success),
      ("--verify-name www.steelpin.test", .success), ("--verify-name www.example.org", .trustFailed),
      ("--at 2200-01-01", .trustFailed), ("--engine gnutls --backend openssl", .success),
    ] as [(String, ExitCode)])
  func statuses(_ options: String, _ status: ExitCode) async throws {
    let result = try await check("localhost:\(Self.server.get().port) \(options)")
    #expect(result.status == status, "\(result)")
    #expect(result.errors.isEmpty)
  }

  @Test(
    "no verdict, and why",
    arguments: [
      (.closes, "", .noTLS, "closed-early"),
      (.silent, "--max-time 0.5", .unreachable, "timeout"),
    ] as [(ScriptedServer.Script, String, ExitCode, String)])
  func noVerdict(_ script: ScriptedServer.Script, _ options: String, _ status: ExitCode, _ code: String) async throws {
    let server = try ScriptedServer(script)
    let result = try await check("localhost:\(server.port) \(options)")
    #expect(result.status == status, "\(result)")
    #expect(result.output.hasPrefix("NONE  localhost:\(server.port)  no verdict: "))
    #expect(result.output.contains("'steelpin explain \(code)'"))
  }

  @Test("nobody listens") func refused() async throws {
    let result = try await check("127.0.0.1:\(LoopbackListener.freePort())")
    #expect(result.status == .unreachable, "\(result)")
  }

  @Test("of several targets the most serious decides, and all are shown in order") func several() async throws {
    let good = try Self.server.get().port
    let closed = try LoopbackListener.freePort()
    let result = try await check("127.0.0.1:\(closed) localhost:\(good) localhost:\(closed)")
    #expect(result.status == .unreachable, "\(result)")
    let starts = result.output.split(separator: "\n").filter { !$0.hasPrefix(" ") }.map { $0.prefix(5) }
    #expect(starts == ["NONE ", "ok   ", "NONE "])
    let mismatch = try await check("localhost:\(good) 127.0.0.1:\(closed) --pin \(Self.otherPin)")
    #expect(mismatch.status == .pinMismatch)
    let untrusted = try await check("localhost:\(good) 127.0.0.1:\(closed) --verify-name other.test")
    #expect(untrusted.status == .trustFailed)
  }

  @Test("a mistake in the last argument is found before anything is contacted") func mistakesFirst() async throws {
    let result = try await check("localhost:\(Self.server.get().port) no_such..host")
    #expect(result.status == .usage)
    #expect(result.output.isEmpty)
  }

  @Test(
    "bad command lines say what is wrong",
    arguments: [
      ("", "check needs a host"), ("host:99999", "'host:99999' has a port that is not a number from 1 to 65535"),
      ("host:0", "'host:0' has a port"), ("smtp://host", "'smtp://host': smtp does not begin with TLS"),
      ("user@host", "has a user name before the host"), ("host --max-time 0", "--max-time '0' is not a number"),
      ("host --max-time nan", "--max-time 'nan' is not a number"),
      ("host --max-time 0x10", "--max-time '0x10' is not a number"),
      ("host --max-time 1e-300", "--max-time '1e-300' is not a number"),
      ("host --max-time 0.0001", "is not a number of seconds from 0.001 to 86400"),
      ("host --engine opensll", "'opensll' is no library"),
      ("host --servername 127.0.0.1", "is an address, which cannot be sent"),
      ("host --connect-to a:b", "--connect-to 'a:b' is not of the form"),
      ("host --resolve host:443:name", "--resolve 'host:443:name' is not of the form"),
      ("host --fail-on error", "--fail-on is one of warning, not 'error'"),
      ("010.0.0.1", "looks like an IPv4 address in an unusual spelling"),
    ])
  func badUsage(_ arguments: String, _ message: String) async throws {
    let result = try await check(arguments)
    #expect(result.status == .usage, "\(result)")
    #expect(result.output.isEmpty)
    #expect(result.errors.hasPrefix("steelpin: error: ") && result.errors.contains(message), "\(result)")
  }

  @Test("a host with a space") func space() async throws {
    let result = await run(["check", "my host"], backends: try backends())
    #expect(result.status == .usage)
    #expect(result.errors.contains("'my host' has a space in the host name"))
  }

  @Test("--connect-to and --resolve change where, not whom") func overrides() async throws {
    let port = try Self.server.get().port
    let redirected = try await check("www.steelpin.test --connect-to www.steelpin.test:443:127.0.0.1:\(port)")
    #expect(redirected.status == .success, "\(redirected)")
    let resolved = try await check("www.steelpin.test:\(port) --resolve www.steelpin.test:\(port):127.0.0.1")
    #expect(resolved.status == .success, "\(resolved)")
    let other = try await check("other.steelpin.test:\(port) --resolve other.steelpin.test:\(port):127.0.0.1")
    #expect(other.status == .trustFailed, "\(other)")
  }

  /// `leaf/p-256` with an escape sequence and a bell in place of every host name, in the subject and elsewhere.
  private func hostileChain() throws -> [[UInt8]] {
    try TestCerts.chain("leaf/p-256").certificates.map { certificate in
      certificate.der.replacing(Array("www.steelpin.test".utf8), with: Array("\u{1B}[31mwww\u{7}.s\n.test".utf8))
    }
  }

  @Test(
    "what a certificate says cannot reach the terminal as a command",
    arguments: ["check --verbose", "inspect", "pin show", "check --json", "inspect --json"])
  func escapes(_ command: String) async throws {
    let backends = [FakeLibrary.proves.backend("openssl", serving: try hostileChain())]
    let target = "localhost:\(try Self.server.get().port)"
    let words = command.split(separator: " ").map(String.init) + [target]
    let result = await run(words + (command.hasPrefix("pin") ? [] : ["--cacert", Self.root]), backends: backends)
    #expect(result.output.contains("[31mwww"), "\(result)")
    for character in ["\u{1B}", "\u{7}"] { #expect(!result.output.contains(character), "\(result)") }
    #expect(!result.output.contains("s\n.test"))
  }

  @Test("every address is checked, and each is named") func allAddresses() async throws {
    let port = try Self.server.get().port
    let result = try await check("localhost:\(port) --all-addresses --resolve localhost:\(port):127.0.0.1,127.0.0.2")
    #expect(result.status == .unreachable, "\(result)")
    #expect(result.output.hasPrefix("ok    localhost:\(port) at 127.0.0.1"), "\(result)")
    #expect(result.output.contains("NONE  localhost:\(port) at 127.0.0.2"), "\(result)")
  }

  @Test("the address of a connection in JSON is without port, reached or not") func addressInJSON() async throws {
    let port = try Self.server.get().port
    let words =
      "check localhost:\(port) --all-addresses --resolve localhost:\(port):127.0.0.1,127.9.9.9,[::ffff:127.9.9.9]"
    let result = await run(words.split(separator: " ").map(String.init) + ["--json"], backends: try backends())
    for address in ["127.0.0.1", "127.9.9.9", "::ffff:127.9.9.9"] {
      #expect(result.output.contains(#""address": "\#(address)""#), "\(result)")
    }
  }

  @Test("NO_COLOR is obeyed on a terminal", arguments: [true, false]) func noColor(_ isSet: Bool) async throws {
    let words = ["check", "localhost:\(try Self.server.get().port)", "--cacert", Self.root]
    let result = await run(
      words, backends: try backends(), terminal: true, environment: isSet ? ["NO_COLOR": "1"] : [:])
    #expect(result.output.contains("\u{1B}[32m") != isSet)
    #expect(result.output.contains("ok  "))
  }

  @Test("the JSON document has every target") func json() async throws {
    let port = try Self.server.get().port
    let closed = try LoopbackListener.freePort()
    let result = try await check("localhost:\(port) 127.0.0.1:\(closed) --json --pin \(Self.pin)")
    let document = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    #expect(document["schema"] as? String == "steelpin/1")
    #expect(document["status"] as? Int == 20)
    let targets = try #require(document["targets"] as? [[String: Any]])
    try #require(targets.map { $0["status"] as? Int } == [0, 20])
    #expect((targets[0]["verdicts"] as? [Any])?.count == 2)
    let handshake = (targets[0]["connection"] as? [String: Any])?["handshake"] as? [String: Any]
    #expect(handshake?["version"] as? String == "TLS 1.3")
    let error = (targets[1]["connection"] as? [String: Any])?["error"] as? [String: Any]
    #expect(error?["code"] as? String == "connection-refused")
    #expect((targets[1]["verdicts"] as? [Any])?.isEmpty == true)
  }

  @Test("an interrupted run prints the document of what is known") func interrupted() async throws {
    let silent = try ScriptedServer(.silent)
    let words = ["check", "localhost:\(silent.port)", "--max-time", "1", "--json", "--cacert", Self.root]
    let interruption = Interruption()
    async let result = run(words, backends: try backends(), interruption: interruption)
    while !interruption.press() { try await Task.sleep(for: .milliseconds(5)) }
    let run = try await result
    #expect(run.errors == "steelpin: interrupted after 0 of 1 targets\n")
    #expect(run.output.hasPrefix("{\n  \"schema\": \"steelpin/1\",\n  \"command\": \"check\",\n  \"status\": 130,\n"))
  }

  @Test("inspect shows a server, and looking is no judging") func inspect() async throws {
    let target = "localhost:\(try Self.server.get().port)"
    let result = await run(["inspect", target, "--cacert", Self.root], backends: try backends("leaf/expired"))
    #expect(result.status == .success, "\(result)")
    for part in ["2 certificates as served", "TLS 1.3", "expired ", "not trusted by openssl, gnutls", "pin  "] {
      #expect(result.output.contains(part), "\(part)\n\(result)")
    }
  }

  @Test("pin show says which certificate it cannot read") func unreadable() async throws {
    let chain = try TestCerts.chain("leaf/p-256").certificates.map(\.der)
    let backends = [FakeLibrary.proves.backend("openssl", serving: [Array(chain[0].dropLast()), chain[1]])]
    let result = await run(["pin", "show", "localhost:\(try Self.server.get().port)"], backends: backends)
    #expect(result.status == .badData, "\(result)")
    #expect(result.errors.contains("certificate 0 of those served cannot be read"), "\(result)")
    #expect(result.output.hasPrefix("sha256/+6pMTKTTTaxLuOQ3GzMlA09Ea5R/hqoyiqz1iH2IO7k="), "\(result)")
  }

  @Test("pin show of a server can be given to --pin") func pinShow() async throws {
    let target = "localhost:\(try Self.server.get().port)"
    let shown = await run(["pin", "show", target], backends: try backends())
    #expect(shown.status == .success)
    let directory = try ScratchDirectory()
    let file = try directory.write(Array(shown.output.utf8), as: "pins")
    let result = try await check("\(target) --pin @\(directory.url.appendingPathComponent(file).path)")
    #expect(result.status == .success, "\(result)")
    #expect(result.output.contains("pin met by the leaf"))
  }
}
