// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Steelpin
import SteelpinCommand
import SteelpinTestSupport
import Testing

@testable import SteelpinTool

/// The command with the libraries of this build against real servers. `scripts/live-matrix` does the same with more
/// servers, certificates of today, and the real executable.
@Suite(.serialized, .timeLimit(.minutes(2))) struct LiveTests {
  /// A server program that serves `leaf/p-256`.
  enum Server: String, Sendable, CaseIterable {
    case gnutls
    case openssl

    /// The program and its arguments.
    func command(port: UInt16, certificates: URL) -> (program: String, arguments: [String]) {
      func file(_ name: String) -> String { certificates.appendingPathComponent(name).path }
      switch self {
      case .gnutls:
        return (
          "gnutls-serv",
          [
            "--http", "--quiet", "--disable-client-cert", "--port", "\(port)", "--x509certfile",
            file("leaf/p-256/chain.pem"), "--x509keyfile", file("leaf/p-256/key.pem"),
          ]
        )
      case .openssl:
        return (
          "openssl",
          [
            "s_server", "-accept", "127.0.0.1:\(port)", "-www", "-cert", file("leaf/p-256/cert.pem"), "-key",
            file("leaf/p-256/key.pem"), "-cert_chain", file("ca/intermediate-p256/cert.pem"),
          ]
        )
      }
    }
  }

  private static let rows: [(options: String, status: ExitCode)] = [
    ("--pin sha256/vY0tPKh8Yrz92CNsiue2MowGZJ1a694th7HlI+6hBpU=", .success),
    ("--pin sha256/ljy5d1E+rJ26fGoytXYRcE114CmYmIRIn7PtVSslG3k= --pin-scope issuers", .success),
    ("--pin sha256/UogEtYq2+NZvqvlq2PUtGtYySunF1IYlsKoCi7mXuPU=", .pinMismatch),
    ("--verify-name www.example.org", .trustFailed),
    ("--at 2200-01-01", .trustFailed),
  ]

  @Test("right and wrong, with every pair of engine and backend", arguments: Server.allCases)
  func matrix(_ server: Server) async throws {
    let port = try LoopbackListener.freePort()
    let (program, arguments) = server.command(port: port, certificates: TestCerts.directory)
    let path = try #require(Self.find(program), "\(program) is not installed")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    for stream in [\Process.standardInput, \.standardOutput, \.standardError] {
      process[keyPath: stream] = FileHandle.nullDevice
    }
    try process.run()
    // Not terminate() and waitUntilExit(): gnutls-serv may take its time, and would block a thread of the other tests.
    defer { kill(process.processIdentifier, SIGKILL) }
    let root = TestCerts.directory.appendingPathComponent("ca/root-p256/cert.pem").path
    try await Self.waitForServer(port, root)
    for engine in backends.map(\.name) {
      for (options, status) in Self.rows {
        let words = ["check", "localhost:\(port)", "--resolve", "localhost:\(port):127.0.0.1", "--cacert", root]
        let result = await run(
          words + ["--engine", engine] + options.split(separator: " ").map(String.init), backends: backends)
        #expect(result.status == status, "engine \(engine), \(options)\n\(result)")
      }
    }
  }

  @Test(
    "servers without TLS are reached but have no verdict, with either engine", arguments: backends.map(\.name),
    [
      (.says(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)), "not-tls"),
      (.says(Array("SSH-2.0-OpenSSH_9.2\r\n".utf8)), "not-tls"), (.closes, "closed-early"),
    ] as [(ScriptedServer.Script, String)])
  func noTLS(_ engine: String, _ row: (script: ScriptedServer.Script, code: String)) async throws {
    let server = try ScriptedServer(row.script)
    let result = await run(["check", "127.0.0.1:\(server.port)", "--engine", engine], backends: backends)
    #expect(result.status == .noTLS, "\(result)")
    #expect(result.output.contains("'steelpin explain \(row.code)'"), "\(result)")
  }

  private static func find(_ program: String) -> String? {
    let directories = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return directories.map { "\($0)/\(program)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  private static func waitForServer(_ port: UInt16, _ root: String) async throws {
    for _ in 0..<200 {
      let result = await run(["pin", "show", "127.0.0.1:\(port)"], backends: backends)
      if result.status == .success { return }
      try await Task.sleep(for: .milliseconds(50))
    }
    Issue.record("the server does not answer")
  }
}
