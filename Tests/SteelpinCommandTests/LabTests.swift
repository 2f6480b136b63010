// SPDX-License-Identifier: Apache-2.0
import Foundation
import SteelpinCommand
import SteelpinTestSupport
import Testing

@testable import SteelpinTool

@Suite("lab", .timeLimit(.minutes(10))) struct LabTests {
  private static let serves = SteelpinTool.backends.contains { $0.serverEngine != nil }

  private func lab(_ words: [String]) async -> CommandRun {
    await run(["lab"] + words, backends: SteelpinTool.backends)
  }

  /// curl, which looks at no date of the tests' clock: the lab's certificates are around it.
  private static let curl = [
    "--", "sh", "-c", "curl -sS -k --pinnedpubkey \"sha256//${STEELPIN_LAB_PIN#sha256/}\" \"$STEELPIN_LAB_URL\"",
  ]

  @Test(
    "the status is the judgement", .enabled(if: serves, "serves TLS with OpenSSL"), ExternalTool("curl").required,
    arguments: [
      ("right", curl, .success), ("wrong-pin", curl, .success), ("expired", curl, .trustFailed),
      ("wrong-pin", ["--", "sh", "-c", "curl -sk \"$STEELPIN_LAB_URL\""], .pinMismatch),
      ("right", ["--", "sh", "-c", "curl -s http://localhost:$STEELPIN_LAB_PORT"], .noTLS),
      ("right", ["--", "true"], .unreachable), ("right", ["--once", "--max-time", "0.1"], .unreachable),
      ("right", ["--max-time", "0.1", "--", "sh", "-c", "trap '' TERM; while :; do sleep 0.1; done"], .unreachable),
    ] as [(String, [String], ExitCode)])
  func judgement(_ scenario: String, _ words: [String], _ status: ExitCode) async {
    let result = await lab([scenario] + words)
    #expect(result.status == status, "\(result)")
    #expect(result.output.hasPrefix("lab \(scenario)  https://localhost:"))
  }

  @Test(
    "events are one JSON object a line", .enabled(if: serves, "serves TLS with OpenSSL"), ExternalTool("curl").required)
  func events() async throws {
    let result = await lab(["right", "--json"] + Self.curl)
    let events = try result.output.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    #expect(Set(events.compactMap { $0["event"] as? String }) == ["listening", "connection", "command", "result"])
    #expect(events.allSatisfy { $0["schema"] as? String == "steelpin/1" })
    #expect((events.first?["port"] as? Int) != nil)
    let connection = try #require(events.first { $0["event"] as? String == "connection" })
    #expect(connection["outcome"] as? String == "accepted" && connection["asDemanded"] as? Bool == true)
    #expect(connection["serverName"] as? String == "localhost")
    #expect(events.last?["status"] as? Int == 0)
    let ca = try #require(events.first?["ca"] as? String)
    #expect(!FileManager.default.fileExists(atPath: ca), "temporary files are removed")
  }

  @Test(
    "a client through the proxy is fooled", .enabled(if: serves, "serves TLS with OpenSSL"),
    ExternalTool("curl").required)
  func proxy() async throws {
    let closed = try LoopbackListener.freePort()
    let curl = "curl -sk --noproxy '' https://localhost:\(closed)/"
    let result = await run(["lab", "proxy", "--", "sh", "-c", curl], backends: SteelpinTool.backends)
    #expect(result.status == .pinMismatch, "\(result)")
    #expect(result.output.contains("to localhost:\(closed): it was fooled"))
  }

  @Test("an interrupted lab leaves no files behind", .enabled(if: serves, "serves TLS with OpenSSL"))
  func interrupted() async throws {
    let interruption = Interruption()
    async let lab = run(
      ["lab", "right", "--json", "--once", "--max-time", "1"], backends: SteelpinTool.backends,
      interruption: interruption)
    while !interruption.press() { try await Task.sleep(for: .milliseconds(5)) }
    let result = await lab
    #expect(result.errors == "steelpin: interrupted after 0 connections\n")
    let line = try #require(result.output.split(separator: "\n").first)
    let event = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    #expect(!FileManager.default.fileExists(atPath: try #require(event["ca"] as? String)))
  }

  @Test("the list has every scenario, as text and as JSON") func list() async throws {
    let text = await lab(["--list"])
    #expect(text.status == .success && text.output.contains("trusted-ca-mitm"))
    let json = await lab(["--list", "--json"])
    let document = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    #expect((document["scenarios"] as? [Any])?.count == 17)
  }

  @Test(
    "bad command lines", .enabled(if: serves, "serves TLS with OpenSSL"),
    arguments: [
      ([], .usage), (["wrong-pim"], .usage), (["right", "--port", "0"], .usage),
      (["right", "--port", "70000"], .usage),
      (["right", "--once", "--connections", "2"], .usage), (["right", "--once", "--", "true"], .usage),
      (["right", "--connections", "0"], .usage), (["right", "--max-time", "never", "--once"], .usage),
      (["right", "--"], .usage), (["right", "wrong-pin", "--", "true"], .usage), (["right", "true"], .usage),
      (["proxy", "--"], .usage), (["proxy", "right", "--", "true"], .usage),
      (["right", "--host", "a..b", "--once"], .usage), (["right", "--", "/no/such/program"], .inputMissing),
      (["right", "--once", "--ca-file", "/no/such/place/ca.pem"], .inputOutput),
    ] as [([String], ExitCode)])
  func mistakes(_ words: [String], _ status: ExitCode) async {
    let result = await lab(words)
    #expect(result.status == status, "\(result)")
    #expect(!result.errors.isEmpty)
  }

  @Test("without a library that serves, that is said", arguments: [["lab", "right"], ["lab", "proxy"]])
  func unavailable(_ words: [String]) async {
    let result = await run(words, backends: [FakeLibrary.proves.backend("gnutls")])
    #expect(result.status == .backendUnavailable)
    #expect(result.errors.contains("lab serves TLS with OpenSSL"))
  }
}
