// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinProbe
import SteelpinTestSupport
import Synchronization
import Testing

/// RFC 6066 section 3: a name, never an address, in the ClientHello.
@Suite("server_name", .timeLimit(.minutes(10)))
struct ServerNameTests {
  /// A server that keeps the ClientHello.
  private final class Listener: Sendable {
    private let hello = Mutex<[UInt8]>([])

    var text: String { String(decoding: hello.withLock { $0 }, as: Unicode.ASCII.self) }

    func start() throws -> ScriptedServer {
      try ScriptedServer { [self] connection in
        let bytes = connection.receive()
        hello.withLock { $0 = bytes }
      }
    }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let option: String?
    let sent: String?

    init(_ option: String?, sends sent: String?) {
      self.option = option
      self.sent = sent
    }

    var testDescription: String { option ?? "the host" }
  }

  static let cases = [
    Case(nil, sends: "www.steelpin.test"), Case("Other.Example.", sends: "other.example"),
    Case("127.0.0.1", sends: nil), Case("::1", sends: nil), Case("", sends: nil),
  ]

  @Test("is what was asked for", arguments: cases, tlsEngines)
  func option(_ test: Case, _ engine: Named<any TLSEngine>) async throws {
    let listener = Listener()
    let server = try listener.start()
    _ = try await probe(engine.value, port: server.port) { $0.serverName = test.option }
    let text = listener.text
    #expect(text.contains("http/1.1"))
    for name in ["www.steelpin.test", "ther.Example", "other.example", "127.0.0.1", "::1"] {
      #expect(text.contains(name) == (name == test.sent), "\(name)")
    }
  }

  @Test("is not sent to an address", arguments: tlsEngines)
  func address(_ engine: Named<any TLSEngine>) async throws {
    let listener = Listener()
    let server = try listener.start()
    _ = try? await Probe(engine: engine.value).connect(to: Endpoint("127.0.0.1:\(server.port)"))
    #expect(listener.text.contains("http/1.1"))
    #expect(!listener.text.contains("127.0.0.1"))
  }
}
