// SPDX-License-Identifier: Apache-2.0
import Glibc
import Steelpin
import SteelpinLab
import SteelpinMatrix
import SteelpinProbe
import SteelpinTestSupport

/// A client as people write them: it shakes hands, decides, and sends a request or leaves.
struct LabClient: Sendable {
  var engine: any TLSEngine
  var clientIdentity: ClientIdentity?
  /// Whether it resets the connection as soon as its request is on the way.
  var resets = false
  /// How long it waits for anything.
  var patience = Duration.seconds(300)
  /// Decides by what was served.
  var trusts: @Sendable (HandshakeSummary) -> Bool

  /// Trusts everybody.
  static func careless(_ engine: any TLSEngine) -> LabClient { LabClient(engine: engine) { _ in true } }

  /// Trusts whom it is told to, requires the pin, and believes no certificate whose status it cannot know.
  static func careful(_ engine: any TLSEngine, _ material: LabMaterial, time: Timestamp) throws -> LabClient {
    var certificates: [Certificate] = []
    for der in material.authorities { certificates.append(try Certificate(der: der)) }
    let policy = TrustPolicy(
      anchors: .only(AnchorSet(certificates)), pinning: .pins(PinSet([material.pin]), scope: .leaf),
      revocation: RevocationPolicy(.staple, failure: .hard), time: time)
    return LabClient(engine: engine) { handshake in
      var chain = CertificateChain(der: handshake.certificates)
      chain.evidence.staple = handshake.stapledOCSPResponse.map { .response($0) } ?? .notSent
      return trustBackends().allSatisfy { backend in
        (try? backend.evaluate(chain, host: material.host, policy: policy))?.isTrusted == true
      }
    }
  }

  struct Failure: Error {
    let reason: String
  }

  /// Talks to a server of the loopback interface, or through a proxy there to a host; returns the answer, or nil if it
  /// did not trust the server.
  func talk(port: UInt16, host: String = "localhost", through tunnel: String? = nil) async throws -> [UInt8]? {
    try await withCheckedThrowingContinuation { continuation in
      OwnThread.run { continuation.resume(with: Result { try blockingTalk(port, host, tunnel) }) }
    }
  }

  private func blockingTalk(_ port: UInt16, _ host: String, _ tunnel: String?) throws -> [UInt8]? {
    let deadline = Deadline(after: patience, Cancellation())
    let socket = try Self.connect(port, deadline)
    if let tunnel {
      _ = try socket.send(Array("CONNECT \(tunnel) HTTP/1.1\r\nHost: \(tunnel)\r\n\r\n".utf8), deadline)
      let answer = try Self.receive(socket, deadline)
      guard String(decoding: answer, as: UTF8.self).hasPrefix("HTTP/1.1 200 ") else {
        throw Failure(reason: String(decoding: answer, as: UTF8.self))
      }
    }
    let session = try engine.makeClientSession(
      TLSClientConfiguration(serverName: host, clientIdentity: clientIdentity))
    while try session.handshake() == .needsInput {
      _ = try socket.send(session.takeOutput(), deadline)
      session.receive(try Self.receive(socket, deadline)[...])
    }
    guard let summary = session.summary else { throw Failure(reason: "nothing was served") }
    guard trusts(summary) else {
      session.close()
      _ = try? socket.send(session.takeOutput(), deadline)
      return nil
    }
    try session.write(Array("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n".utf8)[...])
    var answer: [UInt8] = []
    while true {
      _ = try socket.send(session.takeOutput(), deadline)
      if resets {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket.descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        return answer
      }
      switch try session.read(atMost: 4096) {
      case .closed: return answer
      case .data(let bytes): answer += bytes
      case .needsInput:
        guard case .data(let bytes) = try socket.receive(deadline) else { return answer }
        session.receive(bytes[...])
      }
    }
  }

  private static func connect(_ port: UInt16, _ deadline: Deadline) throws -> Socket {
    let address = try Resolver.addresses(of: "127.0.0.1", port: port, deadline)[0]
    let socket = try Socket(family: address.family)
    guard try socket.connect(to: address, deadline) else { throw Failure(reason: "no connection in time") }
    return socket
  }

  private static func receive(_ socket: borrowing Socket, _ deadline: Deadline) throws -> [UInt8] {
    guard case .data(let bytes) = try socket.receive(deadline) else { throw Failure(reason: "the server left") }
    return bytes
  }

  /// Connects and leaves.
  static func look(at port: UInt16) throws {
    _ = try connect(port, Deadline(after: .seconds(300), Cancellation()))
  }

  /// Sends octets one piece after the other and leaves.
  static func leave(_ pieces: [[UInt8]], at port: UInt16) throws {
    let deadline = Deadline(after: .seconds(300), Cancellation())
    let socket = try connect(port, deadline)
    for piece in pieces {
      _ = try socket.send(piece, deadline)
      usleep(50_000)
    }
  }

  /// Sends octets that are no TLS and waits for the answer.
  static func say(_ bytes: [UInt8], to port: UInt16) throws -> [UInt8] {
    let deadline = Deadline(after: .seconds(300), Cancellation())
    let socket = try connect(port, deadline)
    _ = try socket.send(bytes, deadline)
    return try receive(socket, deadline)
  }
}

extension LabServer {
  /// Lets what is open come to its end, and returns what came of all connections.
  func results() async -> [Event] {
    finish()
    var all: [Event] = []
    for await event in events { all.append(event) }
    return all
  }
}
