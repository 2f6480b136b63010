// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Steelpin
import SteelpinHTTP
import SteelpinMatrix
import SteelpinTestSupport
import Testing

/// Each server is one that means harm; afterwards the session still serves.
@Suite("hostile servers") struct HostileServerTests {
  private func session(_ change: (inout PinningOptions) -> Void = { _ in }) throws -> PinnedURLSession {
    let local = try HostPattern(parsing: "127.0.0.1")
    var table = HostTable(HostMap([(local, .policy(TrustPolicy(anchors: .only(try TestCerts.roots()))))]))
    table.plainHTTPHosts = [local]
    return Demands.session(table, by: trustBackends()[0], change)
  }

  private func check(
    scheme: String = "http", timeout: TimeInterval = 60, _ codes: Set<URLError.Code>,
    _ change: (inout PinningOptions) -> Void = { _ in }, _ script: @escaping @Sendable (ScriptedConnection) -> Void
  ) async throws {
    let good = try LoopbackHTTPServer { _ in .init(Array("good".utf8)) }
    let bad = try ScriptedServer(script)
    let session = try session(change)
    var request = URLRequest(url: try #require(URL(string: "\(scheme)://127.0.0.1:\(bad.port)/")))
    request.timeoutInterval = timeout
    let error = try await failure { try await session.data(for: request) }
    #expect(codes.contains(error.code), "\(error)")
    #expect(!error.localizedDescription.isEmpty)
    let (data, _) = try await session.data(from: try #require(URL(string: good.url)))
    #expect(data == Data("good".utf8))
  }

  @Test("header fields without end") func endlessHeaders() async throws {
    try await check([.dataLengthExceedsMaximum]) { connection in
      connection.receive()
      connection.send(Array("HTTP/1.1 200 OK\r\n".utf8))
      var number = 0
      while connection.send(Array("X-Field-\(number): \(String(repeating: "x", count: 500))\r\n".utf8)) { number += 1 }
    }
  }

  @Test("one header field without end") func endlessField() async throws {
    // libcurl has a limit of its own for one line.
    try await check([.dataLengthExceedsMaximum]) { connection in
      connection.receive()
      connection.send(Array("HTTP/1.1 200 OK\r\nX: ".utf8))
      while connection.send(Array(repeating: UInt8(ascii: "x"), count: 65536)) {}
    }
  }

  @Test(
    "a length that no body has, in answer to a request with a body",
    arguments: [Int64.max, .max - 1, .max - 5, .max / 2] as [Int64])
  func impossibleLength(_ length: Int64) async throws {
    let bad = try ScriptedServer { connection in
      connection.receive()
      connection.send(Array("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\nabc".utf8))
    }
    var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(bad.port)/")))
    request.httpMethod = "POST"
    request.httpBody = Data("hello".utf8)
    let session = try session()
    let failed = try await failure { try await session.data(for: request) }
    #expect([.networkConnectionLost, .dataLengthExceedsMaximum].contains(failed.code), "\(failed)")
  }

  @Test("interim responses without end") func endlessInterim() async throws {
    try await check([.dataLengthExceedsMaximum]) { connection in
      connection.receive()
      while connection.send(Array("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n".utf8)) {}
    }
  }

  @Test("a body over the limit, announced or not", arguments: ["Content-Length: 1073741824\r\n", ""])
  func longBody(_ length: String) async throws {
    try await check([.dataLengthExceedsMaximum], { $0.maximumBodySize = 1 << 20 }) { connection in
      connection.receive()
      connection.send(Array("HTTP/1.1 200 OK\r\n\(length)\r\n".utf8))
      while connection.send(Array(repeating: 0, count: 65536)) {}
    }
  }

  @Test(
    "silence after the connection, and after the head", arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"])
  func silence(_ beginning: String) async throws {
    try await check(timeout: 0.5, [.timedOut]) { connection in
      connection.receive()
      connection.send(Array(beginning.utf8))
      connection.receiveAll()
    }
  }

  @Test("silence instead of a handshake") func silentHandshake() async throws {
    try await check(scheme: "https", timeout: 0.5, [.timedOut]) { $0.receiveAll() }
  }

  @Test("a drip that keeps the connection alive ends with the time for the whole") func drip() async throws {
    let bad = try ScriptedServer { connection in
      connection.receive()
      connection.send(Array("HTTP/1.1 200 OK\r\n\r\n".utf8))
      while connection.send([0]) { Thread.sleep(forTimeInterval: 0.05) }
    }
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForResource = 1
    let local = try HostPattern(parsing: "127.0.0.1")
    var table = HostTable(unknownHost: .system)
    table.plainHTTPHosts = [local]
    let session = Demands.session(table, by: trustBackends()[0], configuration: configuration)
    let url = try #require(URL(string: "http://127.0.0.1:\(bad.port)/"))
    #expect(try await failure { try await session.data(from: url) }.code == .timedOut)
  }

  @Test(
    "a reset at each stage",
    arguments: [
      "", "HT", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nbody",
    ])
  func reset(_ beginning: String) async throws {
    try await check([.networkConnectionLost, .badServerResponse]) { connection in
      connection.receive()
      connection.send(Array(beginning.utf8))
      connection.resetAtEnd()
    }
  }

  @Test("a reset in the handshake") func resetHandshake() async throws {
    try await check(scheme: "https", [.secureConnectionFailed, .networkConnectionLost]) { connection in
      connection.receive()
      connection.resetAtEnd()
    }
  }

  @Test("no TLS where TLS should be") func plainText() async throws {
    try await check(scheme: "https", [.secureConnectionFailed]) { connection in
      connection.receive()
      connection.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8))
    }
  }

  @Test(
    "answers that are not HTTP",
    arguments: [
      "hello\r\n\r\n", "HTTP/9.9 200 OK\r\n\r\n", "HTTP/1.1 9999 OK\r\n\r\n", "HTTP/1.1\r\n\r\n",
      "\0\0\0\0\0\0\0\0\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnope",
    ])
  func malformed(_ answer: String) async throws {
    try await check([.badServerResponse, .networkConnectionLost, .cannotDecodeContentData, .unknown]) { connection in
      connection.receive()
      connection.send(Array(answer.utf8))
    }
  }

  @Test("a chain of 200 certificates is judged or refused, and not trusted", ExternalTool.openssl.required)
  func longChain() async throws {
    let lab = try #require(try labs().first).value
    var issuer = lab.root
    var chain: [[UInt8]] = []
    for number in 0..<199 {
      let recipe = CertificateRecipe.intermediate(
        "Link \(number)", pathLength: nil, key: KeyRecipe(.ecdsa(bits: 256), label: "intermediate"))
      issuer = try lab.issue(recipe, by: issuer)
      chain.insert(issuer.der, at: 0)
    }
    let leaf = try lab.issue(.leaf(["www.steelpin.test"]), by: issuer)
    chain.insert(leaf.der, at: 0)
    let directory = try ScratchDirectory()
    let key = directory.url.appendingPathComponent(
      try directory.write(Array(PEM.privateKey(try leaf.key.pkcs8()).utf8), as: "key.pem"))
    let server = try await ServerFixture.openssl(chain: chain.map(PEM.certificate).joined(), key: key.path)
    let url = try #require(URL(string: "https://www.steelpin.test:\(server.port)/"))
    let policy = TrustPolicy(anchors: .only(lab.anchors))
    let session = Demands.session(try HostTable([Demands.host: .policy(policy)]), by: trustBackends()[0])
    let error = try await failure { try await session.data(from: url) }
    #expect(
      [.serverCertificateUntrusted, .serverCertificateHasUnknownRoot, .secureConnectionFailed].contains(error.code))
  }
}
