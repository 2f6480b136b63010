// SPDX-License-Identifier: Apache-2.0
import Foundation
import Steelpin
import SteelpinCommand
import SteelpinFormats
import SteelpinTestSupport
import Testing

@testable import SteelpinTool

/// The command with the libraries of this build against real servers. `scripts/live-matrix` does the same with more
/// servers, certificates of today, and the real executable.
@Suite(.serialized, .timeLimit(.minutes(10))) struct LiveTests {
  /// A server program that serves `leaf/p-256`.
  enum Server: String, Sendable, CaseIterable {
    case gnutls
    case openssl

    func start() async throws -> ServerFixture {
      switch self {
      case .gnutls: try await .gnutls("leaf/p-256", ["--http"])
      case .openssl: try await .openssl("leaf/p-256")
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
    let fixture = try await server.start()
    let port = fixture.port
    let root = TestCerts.directory.appendingPathComponent("ca/root-p256/cert.pem").path
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
    "a client certificate is given to a server that wants one", arguments: backends.map(\.name), ["-tls1_2", "-tls1_3"])
  func clientCertificate(_ engine: String, _ version: String) async throws {
    let server = try await ServerFixture.openssl("leaf/p-256", ["-Verify", "2", version])
    func path(_ file: String) -> String { TestCerts.directory.appendingPathComponent(file).path }
    let words = ["check", "127.0.0.1:\(server.port)", "--any-host", "--cacert", path("bundle/roots.pem")]
    let check = { (more: [String]) in await run(words + ["--engine", engine] + more, backends: backends) }
    let certificate = path("leaf/wrong-eku/chain.pem")
    let none = await check([])
    #expect(none.status == .noTLS && none.output.contains("give one with --cert and --key"), "\(none)")
    let right = await check(["--cert", certificate, "--key", path("leaf/wrong-eku/key.pem")])
    #expect(right.status == .success, "\(right)")
    let foreign = await check(["--cert", certificate, "--key", path("leaf/p-384/key.pem")])
    #expect(foreign.status == .noTLS && foreign.output.contains("belong together"), "\(foreign)")
    let keyless = await check(["--cert", certificate])
    #expect(keyless.status == .badData && keyless.errors.contains("holds no private key"), "\(keyless)")
    let bare = await check(["--key", path("leaf/p-384/key.pem")])
    #expect(bare.status == .usage && bare.errors.contains("--key needs a --cert"), "\(bare)")
  }

  @Test("convert writes the chain that a server sends", arguments: backends.map(\.name))
  func convert(_ engine: String) async throws {
    let server = try await ServerFixture.openssl("leaf/p-256")
    let port = server.port
    let scratch = try ScratchDirectory()
    let output = scratch.url.appendingPathComponent("served.pem").path
    let result = await run(["convert", "127.0.0.1:\(port)", "--engine", engine, "-o", output], backends: backends)
    #expect(result.status == .success, "\(result)")
    #expect(
      try CertificateLoader().load(scratch.read("served.pem"), name: "served").certificates.map(\.certificate)
        == TestCerts.certificates("leaf/p-256/chain.pem"))
    let der = await run(
      ["convert", "https://127.0.0.1:\(port)/", "--leaf-only", "--engine", engine, "-o", output + ".cer"],
      backends: backends)
    #expect(der.status == .success, "\(der)")
    #expect(try scratch.read("served.pem.cer") == TestCerts.certificate("leaf/p-256").der)
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
}
