// SPDX-License-Identifier: Apache-2.0
import Foundation
import Steelpin
import SteelpinProbe
import SteelpinTestSupport
import Testing

/// Servers that no client can talk to: each has one code, whichever library looks at it.
@Suite("servers that are no TLS servers", .timeLimit(.minutes(10)))
struct HostileServerTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let code: ProbeError.Code
    var plainProtocol: String?
    var alert: TLSAlert?
    let script: @Sendable (ScriptedConnection) -> Void
  }

  /// A case of a server that reads a ClientHello, sends bytes, and closes.
  private static func answer(
    _ name: String, _ code: ProbeError.Code, _ bytes: [UInt8], plainProtocol: String? = nil, alert: TLSAlert? = nil
  ) -> Case {
    Case(testDescription: name, code: code, plainProtocol: plainProtocol, alert: alert) { connection in
      connection.receive()
      connection.send(bytes)
    }
  }

  /// A case of a server that greets first.
  private static func banner(_ text: String, _ plainProtocol: String?) -> Case {
    Case(testDescription: text, code: .notTLS, plainProtocol: plainProtocol) { connection in
      connection.send(Array((text + "\r\n").utf8))
      connection.receiveAll()
    }
  }

  static let cases: [Case] = [
    Case(testDescription: "says nothing", code: .timeout) { $0.receiveAll() },
    Case(testDescription: "closes at once", code: .closedEarly) { _ in },
    Case(testDescription: "closes after the ClientHello", code: .closedEarly) { $0.receive() },
    Case(testDescription: "resets", code: .closedEarly) { connection in
      connection.receive()
      connection.resetAtEnd()
    },
    Case(testDescription: "drips", code: .timeout) { connection in
      let bytes = PlainHandshake.serverHello() + PlainHandshake.certificate([[UInt8](repeating: 0x30, count: 9000)])
      for byte in bytes {
        guard connection.send([byte]) else { return }
        Thread.sleep(forTimeInterval: 0.05)
      }
    },
    Case(testDescription: "stalls after its ServerHello", code: .timeout) { connection in
      connection.send(PlainHandshake.serverHello())
      connection.receiveAll()
    },
    answer(
      "plain HTTP", .notTLS, Array("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".utf8),
      plainProtocol: "plain HTTP"),
    Case(testDescription: "plain HTTP, byte by byte", code: .notTLS, plainProtocol: "plain HTTP") { connection in
      connection.receive()
      for byte in "HTTP/1.0 400 Bad Request\r\n\r\n".utf8 {
        guard connection.send([byte]) else { return }
        Thread.sleep(forTimeInterval: 0.002)
      }
    },
    banner("220 mail.example.org ESMTP", "SMTP"),
    banner("220 ProFTPD Server ready", "FTP"),
    banner("SSH-2.0-OpenSSH_9.2p1", "SSH"),
    banner("* OK IMAP4rev1 ready", "IMAP"),
    banner("+OK POP3 ready", "POP3"),
    banner("hello, who is there?", nil),
    answer("zeros", .notTLS, [UInt8](repeating: 0, count: 4096)),
    answer("one odd byte", .notTLS, [0x80]),
    answer("records of garbage", .tlsFailed, PlainHandshake.record(22, (0..<500).map { UInt8($0 * 37 % 256) })),
    answer(
      "a ServerHello of garbage", .tlsFailed,
      PlainHandshake.message(2, [3, 3] + (0..<500).map { UInt8($0 * 37 % 256) })),
    answer("application data at once", .notTLS, PlainHandshake.record(23, [1, 2, 3])),
    answer("a record that is cut off", .closedEarly, Array(PlainHandshake.serverHello().prefix(20))),
    answer("a record header that is cut off", .closedEarly, [22, 3]),
    answer("a record that is too long", .tlsFailed, [22, 3, 3, 0xFF, 0xFF] + [UInt8](repeating: 1, count: 70000)),
    answer("an empty record", .tlsFailed, [22, 3, 3, 0, 0]),
    answer(
      "a message that is too long", .tlsFailed,
      PlainHandshake.serverHello()
        + PlainHandshake.record(22, [11, 0xFF, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 10_000_000))),
    answer("no certificate in the list", .tlsFailed, PlainHandshake.serverHello() + PlainHandshake.certificate([])),
    answer("a suite that was not offered", .tlsFailed, PlainHandshake.serverHello(suite: [0, 0x3B + 0x80])),
    answer("TLS 1.0", .tlsNoCommonVersion, PlainHandshake.serverHello(version: 1)),
    answer("alert handshake_failure", .tlsNoCommonVersion, PlainHandshake.alert(40)),
    answer("alert protocol_version", .tlsNoCommonVersion, PlainHandshake.alert(70)),
    answer("alert insufficient_security", .tlsNoCommonVersion, PlainHandshake.alert(71)),
    answer("alert unrecognized_name", .tlsAlert, PlainHandshake.alert(112), alert: .unrecognizedName),
    answer("alert internal_error", .tlsAlert, PlainHandshake.alert(80), alert: .internalError),
    answer("alert 199", .tlsAlert, PlainHandshake.alert(199), alert: TLSAlert(rawValue: 199)),
    answer("alert access_denied", .tlsAlert, PlainHandshake.alert(49), alert: TLSAlert(rawValue: 49)),
  ]

  @Test("has one code", arguments: cases, tlsEngines)
  func code(_ test: Case, _ engine: Named<any TLSEngine>) async throws {
    let server = try ScriptedServer(test.script)
    let outcome = try await probe(engine.value, port: server.port) {
      $0.timeout = .seconds(test.code == .timeout ? 1 : 30)
    }
    let error = try #require(outcome.failure)
    #expect(error.code == test.code, "\(error) \(error.native)")
    #expect(error.plainProtocol == test.plainProtocol)
    #expect(error.alert == test.alert)
    #expect(error.phase == .handshake)
    #expect(error.address == "127.0.0.1:\(server.port)")
    #expect(error.reach == (test.code == .timeout ? .unreachable : .withoutTLS))
    #expect(error.served?.certificates ?? [] == [])
  }

  static let chains: [Named<[[UInt8]]>] = [
    Named("no DER at all", [[UInt8]("not a certificate".utf8)]),
    Named("one byte", [[0x30]]),
    Named("an empty certificate", [[]]),
    Named("a length that is too long", [[0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF, 0x02, 0x01]]),
    Named("a sequence of nothing", [[0x30, 0x00]]),
    Named("a certificate that is cut off", [Array((try? served("leaf/p-256"))?[0].prefix(200) ?? [])]),
    Named("broken before the leaf", [[1, 2, 3], (try? served("leaf/p-256"))?[0] ?? []]),
  ]

  @Test("a leaf that cannot be read is captured byte for byte", arguments: chains, tlsEngines)
  func brokenLeaf(_ chain: Named<[[UInt8]]>, _ engine: Named<any TLSEngine>) async throws {
    let server = try ScriptedServer { connection in
      connection.receive()
      connection.send(PlainHandshake.serverHello() + PlainHandshake.certificate(chain.value))
      // Enough for a library that waits for the whole flight before it looks.
      connection.send(PlainHandshake.message(14, []))
      connection.receiveAll()
    }
    let outcome = try await probe(engine.value, port: server.port) { $0.timeout = .seconds(30) }
    let error = try #require(outcome.failure)
    #expect(error.code == .tlsFailed, "\(error) \(error.native)")
    #expect(error.served?.certificates == chain.value)
    #expect(error.served?.version == .tls12)
    #expect(error.served?.cipherSuite == "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256")
  }

  @Test("a server that sends without end is left", arguments: tlsEngines)
  func endless(_ engine: Named<any TLSEngine>) async throws {
    let server = try ScriptedServer { connection in
      connection.receive()
      // Warnings, which no library answers.
      let warnings = (0..<1000).flatMap { _ in PlainHandshake.record(21, [1, 90]) }
      while connection.send(warnings) {}
    }
    let outcome = try await probe(engine.value, port: server.port) { $0.timeout = .seconds(5) }
    let error = try #require(outcome.failure)
    #expect([.tlsFailed, .timeout].contains(error.code), "\(error) \(error.native)")
  }
}
