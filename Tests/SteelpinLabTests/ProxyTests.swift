// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinLab
import SteelpinMatrix
import SteelpinTestSupport
import Testing

/// The intercepting proxy between a client and a server that is right.
@Suite(.timeLimit(.minutes(10)), .enabled(if: tlsServerEngine != nil, "serves TLS with OpenSSL"))
struct ProxyTests {
  private static let clock = Timestamp.now()

  private struct Place {
    let proxy: LabProxy
    let listener: LabServer<LabConnection>
    let upstream: LabServer<LabConnection>
    let material: LabMaterial

    init(engine: any TLSEngine) throws {
      let server = try #require(tlsServerEngine)
      let scenario = try #require(LabScenario.named("right"))
      material = try scenario.makeMaterial(host: try HostName("localhost"), keys: keyRings[0].value, clock: clock)
      upstream = try LabServer(scenario, material, engine: server, lifetime: .seconds(3600))
      proxy = try LabProxy(server: server, client: engine, keys: KeyRing(keyRings[0].value.provider), clock: clock)
      listener = try proxy.start(lifetime: .seconds(3600))
    }

    /// Trusts the proxy's CA beside the right one, with or without the pin.
    func client(_ engine: any TLSEngine, pinned: Bool) throws -> LabClient {
      let anchors = AnchorSet(try ([proxy.authority] + material.authorities).map { try Certificate(der: $0) })
      let policy = TrustPolicy(
        anchors: .only(anchors), pinning: pinned ? .pins(PinSet([material.pin]), scope: .any) : .none, time: clock)
      let host = material.host
      return LabClient(engine: engine) { handshake in
        trustBackends().allSatisfy { backend in
          let chain = CertificateChain(der: handshake.certificates)
          return (try? backend.evaluate(chain, host: host, policy: policy))?.isTrusted == true
        }
      }
    }
  }

  @Test("a client without pins is fooled, and gets its answer", arguments: tlsEngines)
  func unpinned(_ engine: Named<any TLSEngine>) async throws {
    let place = try Place(engine: engine.value)
    let destination = "localhost:\(place.upstream.port)"
    let answer = try await place.client(engine.value, pinned: false)
      .talk(port: place.listener.port, through: destination)
    #expect(String(decoding: answer ?? [], as: UTF8.self).hasSuffix("steelpin lab\n"))
    let seen = try #require(await place.listener.results().first)
    #expect(seen.judgement.outcome == .accepted && !seen.judgement.isAsDemanded)
    #expect(seen.destination == destination)
    #expect(await place.upstream.results().map(\.judgement.outcome) == [.accepted])
  }

  @Test("a client that sends its request and resets at once is found out, too", arguments: tlsEngines)
  func resets(_ engine: Named<any TLSEngine>) async throws {
    let place = try Place(engine: engine.value)
    var client = try place.client(engine.value, pinned: false)
    client.resets = true
    _ = try await client.talk(port: place.listener.port, through: "localhost:\(place.upstream.port)")
    #expect(await place.listener.results().map(\.judgement.outcome) == [.accepted])
    place.upstream.cancel()
  }

  @Test("a client that is led to the proxy itself gets an answer, and no ring", arguments: tlsEngines)
  func itself(_ engine: Named<any TLSEngine>) async throws {
    let place = try Place(engine: engine.value)
    let answer = try await place.client(engine.value, pinned: false)
      .talk(port: place.listener.port, through: "localhost:\(place.listener.port)")
    #expect(String(decoding: answer ?? [], as: UTF8.self).hasPrefix("HTTP/1.1 502 "))
    #expect(await place.listener.results().map(\.judgement.outcome) == [.accepted])
    place.upstream.cancel()
  }

  @Test(
    "what is no request to a proxy is a client without TLS",
    arguments: ["CONNECT a.test:443 HTTP/1.1\n\n", "\u{16}\u{3}\u{1}", String(repeating: "x", count: 70_000)])
  func garbage(_ text: String) async throws {
    let place = try Place(engine: try #require(tlsEngines.first).value)
    try? LabClient.leave([Array(text.utf8)], at: place.listener.port)
    let results = await place.listener.results()
    #expect(LabResult(results.map(\.judgement)) == .notTLS, "\(results)")
    place.upstream.cancel()
  }

  @Test("a client with the pin is not, and nothing reaches the server", arguments: tlsEngines)
  func pinned(_ engine: Named<any TLSEngine>) async throws {
    let place = try Place(engine: engine.value)
    let client = try place.client(engine.value, pinned: true)
    let answer = try await client.talk(port: place.listener.port, through: "localhost:\(place.upstream.port)")
    #expect(answer == nil)
    let seen = try #require(await place.listener.results().first)
    #expect(seen.judgement.outcome == .silent && seen.judgement.isAsDemanded)
    // The same client, straight to the server.
    #expect(try await client.talk(port: place.upstream.port) != nil)
    #expect(await place.upstream.results().count == 1)
  }

  @Test("a server that cannot be reached changes nothing: the request was sent") func unreachable() async throws {
    let place = try Place(engine: tlsEngines[0].value)
    let answer = try await LabClient.careless(tlsEngines[0].value).talk(
      port: place.listener.port, through: "localhost:\(try LoopbackListener.freePort())")
    #expect(String(decoding: answer ?? [], as: UTF8.self).hasPrefix("HTTP/1.1 502 "))
    #expect(await place.listener.results().first?.judgement.outcome == .accepted)
    place.upstream.cancel()
  }

  @Test(
    "whatever is no CONNECT is refused, and is no TLS",
    arguments: [
      "GET http://localhost/ HTTP/1.1", "CONNECT localhost HTTP/1.1", "CONNECT localhost:0 HTTP/1.1",
      "CONNECT localhost:99999 HTTP/1.1", "CONNECT user@localhost:1 HTTP/1.1", "CONNECT  HTTP/1.1", "", "\u{FF}",
      "CONNECT https://localhost:1 HTTP/1.1",
    ])
  func otherRequests(_ line: String) async throws {
    let place = try Place(engine: tlsEngines[0].value)
    let answer = try LabClient.say(Array("\(line)\r\nHost: localhost\r\n\r\n".utf8), to: place.listener.port)
    #expect(String(decoding: answer, as: UTF8.self).hasPrefix("HTTP/1.1 405 "))
    #expect(await place.listener.results().map(\.judgement.outcome) == [.notTLS])
    place.upstream.cancel()
  }
}
