// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinLab
import SteelpinMatrix
import SteelpinTestSupport
import Testing

extension LabScenario: CustomTestStringConvertible {
  /// The name.
  public var testDescription: String { name }
}

/// Every scenario with a client that is right and one that trusts everybody, over either library.
@Suite(.timeLimit(.minutes(10)), .enabled(if: tlsServerEngine != nil, "serves TLS with OpenSSL"))
struct ScenarioTests {
  private static let clock = Timestamp.now()

  /// Scenarios that a client can only leave, since there is no connection to speak of.
  private static let hopeless: Set<String> = ["silent", "plain-http", "reset-in-handshake", "post-handshake-alert"]

  private func serve(
    _ scenario: LabScenario
  ) throws -> (server: LabServer<LabConnection>, material: LabMaterial) {
    let engine = try #require(tlsServerEngine)
    let material = try scenario.makeMaterial(
      host: try HostName("localhost"), keys: keyRings[0].value, clock: Self.clock)
    return (try LabServer(scenario, material, engine: engine, lifetime: .seconds(3600)), material)
  }

  @Test("a client that is right is judged to be", arguments: LabScenario.all, tlsEngines)
  func careful(_ scenario: LabScenario, _ engine: Named<any TLSEngine>) async throws {
    let (server, material) = try serve(scenario)
    var client = try LabClient.careful(engine.value, material, time: Self.clock)
    client.clientIdentity = material.client
    if scenario.name == "silent" { client.patience = .milliseconds(300) }
    let answer = try? await client.talk(port: server.port)
    let results = await server.results()
    #expect(LabResult(results.map(\.judgement)) == .behaved, "\(results)")
    let mayTalk = scenario.demand == .connect || scenario.demand == .present
    #expect((answer != nil) == mayTalk)
    if mayTalk { #expect(String(decoding: answer ?? [], as: UTF8.self).hasSuffix("steelpin lab\n")) }
  }

  @Test(
    "a client that trusts everybody is found out",
    arguments: LabScenario.all.filter { !hopeless.contains($0.name) }, tlsEngines)
  func careless(_ scenario: LabScenario, _ engine: Named<any TLSEngine>) async throws {
    let (server, _) = try serve(scenario)
    let answer = try? await LabClient.careless(engine.value).talk(port: server.port)
    let results = await server.results()
    let judgement = try #require(results.first?.judgement)
    switch scenario.demand {
    case .refuse:
      #expect(judgement.outcome == .accepted && !judgement.isAsDemanded)
      #expect(answer?.isEmpty == false, "the client is to believe that all is well")
    case .connect: #expect(judgement.outcome == .accepted && judgement.isAsDemanded)
    case .present: #expect(judgement.outcome == .handshakeFailed && !judgement.isAsDemanded)
    case .giveUp: Issue.record("\(scenario.name) is hopeless")
    }
  }

  @Test("a client that refuses a right server, or says nothing to it, is found out", arguments: tlsEngines)
  func refusesRight(_ engine: Named<any TLSEngine>) async throws {
    let (server, _) = try serve(try #require(LabScenario.named("right")))
    let answer = try await LabClient(engine: engine.value) { _ in false }.talk(port: server.port)
    #expect(answer == nil)
    let judgement = try #require(await server.results().first?.judgement)
    #expect(judgement.outcome == .silent && !judgement.isAsDemanded)
  }

  @Test("a client that sends its request and resets at once is found out", arguments: tlsEngines)
  func resets(_ engine: Named<any TLSEngine>) async throws {
    for _ in 0..<10 {
      let (server, _) = try serve(try #require(LabScenario.named("expired")))
      var client = LabClient.careless(engine.value)
      client.resets = true
      _ = try await client.talk(port: server.port)
      #expect(await server.results().map(\.judgement.outcome) == [.accepted])
    }
  }

  /// A record of a handshake that claims 512 octets, and the first 25 of them.
  private static let halfHello: [UInt8] = [22, 3, 1, 2, 0, 1, 0, 1, 0xFC, 3, 3] + [UInt8](repeating: 7, count: 19)

  @Test("a client that leaves within its ClientHello has refused nothing", arguments: ["expired", "right", "slow"])
  func early(_ name: String) async throws {
    let (server, _) = try serve(try #require(LabScenario.named(name)))
    try LabClient.leave([Self.halfHello], at: server.port)
    let results = await server.results().map(\.judgement)
    #expect(results.map(\.outcome) == [.leftEarly])
    #expect(LabResult(results) == .nobody)
  }

  @Test("plain text after the beginning of TLS is a fall back", arguments: ["silent", "plain-http"])
  func fallsBack(_ name: String) async throws {
    let request = Array("GET / HTTP/1.1\r\n\r\n".utf8)
    let whole: [UInt8] = [22, 3, 1, 0, 2, 7, 7]
    for (pieces, isFallBack) in [
      ([whole, request], true), ([whole + request], true), ([whole, [21, 3, 3, 0, 2, 2, 40]], false),
      ([Array(whole.prefix(6)), [7], [21, 3, 3, 0, 2, 2], [40]], false),
    ] {
      let (server, _) = try serve(try #require(LabScenario.named(name)))
      try LabClient.leave(pieces, at: server.port)
      let judgement = try #require(await server.results().first?.judgement)
      #expect(judgement.outcome == (isFallBack ? .notTLS : .gaveUp), "\(judgement)")
    }
  }

  @Test("a client without TLS is found out, and one that only looks at the port is not counted") func plain()
    async throws
  {
    let (server, _) = try serve(try #require(LabScenario.named("right")))
    let answer = try LabClient.say(Array("GET / HTTP/1.1\r\n\r\n".utf8), to: server.port)
    #expect(String(decoding: answer, as: UTF8.self).hasPrefix("HTTP/1.1 400 "))
    try LabClient.look(at: server.port)
    let results = await server.results()
    #expect(LabResult(results.map(\.judgement)) == .notTLS, "\(results)")
  }

  @Test(
    "certificates of scenarios are for the host that is asked for", arguments: ["www.lab.test", "192.0.2.1", "::1"])
  func hosts(_ text: String) throws {
    let host = try HostName(text)
    let material = try #require(LabScenario.named("right")).makeMaterial(
      host: host, keys: keyRings[0].value, clock: Self.clock)
    let anchors = AnchorSet(try material.authorities.map { try Certificate(der: $0) })
    for backend in trustBackends() {
      let verdict = try backend.evaluate(
        CertificateChain(der: material.server.certificates), host: host,
        policy: TrustPolicy(anchors: .only(anchors), time: Self.clock))
      #expect(verdict.isTrusted)
    }
  }

  @Test("a port that is taken is an error that says so") func taken() throws {
    let (server, material) = try serve(try #require(LabScenario.named("right")))
    defer { server.cancel() }
    let error = #expect(throws: LabError.self) {
      try LabServer(
        try #require(LabScenario.named("right")), material, engine: try #require(tlsServerEngine), port: server.port,
        lifetime: .seconds(1))
    }
    #expect(error?.description.contains("port \(server.port) of 127.0.0.1") == true)
  }

  @Test("names are unique, and nothing is said without words") func table() {
    #expect(Set(LabScenario.all.map(\.name)).count == LabScenario.all.count)
    for scenario in LabScenario.all { #expect(!scenario.summary.isEmpty && !scenario.summary.hasSuffix(".")) }
  }
}
