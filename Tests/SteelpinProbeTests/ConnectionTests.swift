// SPDX-License-Identifier: Apache-2.0
import Foundation
import Steelpin
import SteelpinProbe
import SteelpinTestSupport
import Testing

/// Where a connection goes, how long it takes at most, and what is said when it fails before TLS.
@Suite("connections", .timeLimit(.minutes(10)))
struct ConnectionTests {
  private let engine: any TLSEngine

  init() throws { engine = try #require(tlsEngines.first).value }

  /// Connects; only a test of the deadline wants a short one, which a busy machine may miss.
  private func connect(
    _ target: String, timeout: Duration = .seconds(30), overrides: (inout AddressOverrides) throws -> Void = { _ in }
  ) async throws -> Outcome {
    var options = Probe.Options()
    options.timeout = timeout
    try overrides(&options.overrides)
    let endpoint = try Endpoint(target)
    do throws(ProbeError) {
      return .success(try await Probe(engine: engine, options: options).connect(to: endpoint))
    } catch {
      return .failure(error)
    }
  }

  /// A server whose greeting tells that it was reached.
  private func greeter(_ name: String, isIPv6: Bool = false) throws -> ScriptedServer {
    try ScriptedServer(isIPv6: isIPv6) { connection in
      connection.send(Array("SSH-\(name)\r\n".utf8))
      connection.receiveAll()
    }
  }

  @Test("a port at which nothing listens", arguments: ["127.0.0.1", "localhost", "[::1]"])
  func refused(_ host: String) async throws {
    let error = try #require(try await connect("\(host):\(LoopbackListener.freePort())").failure)
    #expect(error.code == .connectionRefused)
    #expect(error.phase == .connect)
    #expect(error.reach == .unreachable)
    #expect(error.native.first?.library == "system")
  }

  @Test("a name that does not exist", arguments: ["no-such-host.invalid", "a.b.c.invalid"])
  func unknownName(_ name: String) async throws {
    let error = try #require(try await connect(name, timeout: .seconds(2)).failure)
    #expect([.dnsFailed, .timeout].contains(error.code))
    #expect(error.phase == .lookup)
    #expect(error.target == "\(name):443")
    #expect(error.description.contains(name))
  }

  @Test("a host that takes no more connections is left at the deadline")
  func fullBacklog() async throws {
    let listener = try LoopbackListener(backlog: 0)
    // Nobody accepts: some connections wait in the queue, and the next one gets no answer at all.
    let waiting = (0..<3).map { _ in Task { try await connect("127.0.0.1:\(listener.port)", timeout: .seconds(4)) } }
    try await Task.sleep(for: .milliseconds(300))
    let error = try #require(try await connect("127.0.0.1:\(listener.port)", timeout: .seconds(2)).failure)
    #expect(error.code == .timeout)
    for task in waiting { #expect(try await task.value.failure?.code == .timeout) }
    withExtendedLifetime(listener) {}
  }

  @Test("a task that is cancelled stops soon")
  func cancellation() async throws {
    let server = try ScriptedServer { $0.receiveAll() }
    let endpoint = try Endpoint("127.0.0.1:\(server.port)")
    var options = Probe.Options()
    options.timeout = .seconds(50)
    let probe = Probe(engine: engine, options: options)
    let task = Task { () async throws(ProbeError) in try await probe.connect(to: endpoint) }
    try await Task.sleep(for: .milliseconds(100))
    task.cancel()
    let error = await #expect(throws: ProbeError.self) { try await task.value }
    #expect(error?.code == .cancelled)
  }

  @Test("IPv6")
  func ipv6() async throws {
    let server = try greeter("six", isIPv6: true)
    let error = try #require(try await connect("[::1]:\(server.port)").failure)
    #expect(error.plainProtocol == "SSH")
    #expect(error.address == "[::1]:\(server.port)")
    #expect(error.target == "[::1]:\(server.port)")
  }

  @Test(
    "--connect-to leads elsewhere",
    arguments: ["a.test:1:127.0.0.1:PORT", "::127.0.0.1:PORT", "a.test::127.0.0.1:PORT"])
  func connectTo(_ override: String) async throws {
    let server = try greeter("here")
    let text = override.replacing("PORT", with: "\(server.port)")
    let error = try #require(try await connect("a.test:1") { try $0.addConnectTo(text) }.failure)
    #expect(error.detail.contains("SSH-here"))
    #expect(error.target == "a.test:1")
    #expect(error.address == "127.0.0.1:\(server.port)")
  }

  @Test("--connect-to and then --resolve")
  func both() async throws {
    let server = try greeter("here")
    let outcome = try await connect("a.test:1") { overrides in
      try overrides.addConnectTo("other.test:1:x.test:9")
      try overrides.addConnectTo("A.test:1:B.test:\(server.port)")
      try overrides.addResolve("b.test:\(server.port):127.0.0.1")
    }
    #expect(try #require(outcome.failure).detail.contains("SSH-here"))
  }

  @Test("the next address is tried when one does not answer")
  func nextAddress() async throws {
    let server = try greeter("six", isIPv6: true)
    // No server of the tests has this address, whatever its port.
    let override = "a.test:\(server.port):127.9.9.9,[::1]"
    let error = try #require(try await connect("a.test:\(server.port)") { try $0.addResolve(override) }.failure)
    #expect(error.address == "[::1]:\(server.port)")
  }

  @Test("every address is told")
  func everyAddress() async throws {
    let server = try greeter("six", isIPv6: true)
    var options = Probe.Options()
    try options.overrides.addResolve("a.test:\(server.port):127.9.9.9,::1")
    let outcomes = try await Probe(engine: engine, options: options).connectToAll(
      of: Endpoint("a.test:\(server.port)"))
    #expect(outcomes.map { $0.failure?.code } == [.connectionRefused, .notTLS])
    #expect(outcomes.map { $0.failure?.address } == ["127.9.9.9:\(server.port)", "[::1]:\(server.port)"])
  }

  @Test(
    "what is no --connect-to",
    arguments: [
      "", "a", "a:1", "a:1:b", "a:1:b:2:c", "a:0:b:1", "a:1:b:65536", "a:x:b:1", "a b:1:c:1", "[::1:1:a:1", "a:1:b c:1",
    ])
  func noConnectTo(_ text: String) {
    var overrides = AddressOverrides()
    #expect(throws: AddressOverrideError.self) { try overrides.addConnectTo(text) }
  }

  @Test(
    "what is no --resolve",
    arguments: [
      "", "a", "a:1", "a:1:", "a:1:b", "a:1:127.0.0.1,", "a:0:127.0.0.1", ":1:127.0.0.1", "a::127.0.0.1",
      "a b:1:127.0.0.1",
    ])
  func noResolve(_ text: String) {
    var overrides = AddressOverrides()
    #expect(throws: AddressOverrideError.self) { try overrides.addResolve(text) }
  }

  @Test("many at a time")
  func many() async throws {
    let server = try ScriptedServer { $0.receive() }
    let engine = engine
    let endpoint = try Endpoint("localhost:\(server.port)")
    let codes = await withTaskGroup(of: ProbeError.Code?.self) { group in
      for _ in 0..<200 {
        group.addTask {
          do throws(ProbeError) {
            _ = try await Probe(engine: engine).connect(to: endpoint)
            return nil
          } catch {
            return error.code
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(codes.count == 200)
    #expect(codes.allSatisfy { $0 == .closedEarly })
  }
}
