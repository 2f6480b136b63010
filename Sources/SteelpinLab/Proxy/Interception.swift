// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Steelpin
internal import SteelpinProbe

/// One tunnel: the client on one side, the real server on the other, and TLS of our own with each.
struct Interception {
  private let server: any TLSServerEngine
  private let client: any TLSEngine
  private let destination: ProxyRequest.Destination
  private let deadline: Deadline
  private var seen = LabObservation()

  init(
    server: any TLSServerEngine, client: any TLSEngine, _ destination: ProxyRequest.Destination, _ deadline: Deadline
  ) {
    self.server = server
    self.client = client
    self.destination = destination
    self.deadline = deadline
  }

  mutating func run(on socket: borrowing Socket, _ configuration: TLSServerConfiguration) -> LabObservation {
    do {
      guard try socket.send(ProxyRequest.established, deadline) else {
        seen.ending = .timedOut
        return seen
      }
      try tunnel(socket, configuration)
    } catch let error as TLSFailure {
      switch error.kind {
      case .alertReceived, .closedEarly: break
      default: seen.serverFailure = seen.serverFailure ?? error.native.first.map { "\($0)" } ?? "\(error.kind)"
      }
    } catch is SystemError {
      seen.ending = .reset
    } catch {
      seen.serverFailure = "\(error)"
    }
    return seen
  }

  private mutating func tunnel(_ socket: borrowing Socket, _ configuration: TLSServerConfiguration) throws {
    let session = try server.makeServerSession(configuration)
    defer { seen.client = session.client }
    while true {
      guard let bytes = try receive(socket) else { return }
      if !seen.spokeTLS {
        let handshake: UInt8 = 22
        seen.spokeTLS = bytes.first == handshake
        guard seen.spokeTLS else { return }
      }
      session.receive(bytes[...])
      let progress: TLSProgress
      do {
        progress = try session.handshake()
      } catch {
        _ = try socket.send(session.takeOutput(), deadline)
        throw error
      }
      let output = session.takeOutput()
      if !output.isEmpty { seen.sawServer = true }
      // Whether the client still hears anything says nothing about what it sent before it left.
      _ = try? socket.send(output, deadline)
      if progress == .complete { break }
    }
    seen.finishedHandshake = true
    // The first octet that the client sends is what gives it away; only then is the real server needed.
    var request: [UInt8] = []
    while request.isEmpty {
      switch try session.read(atMost: 16384) {
      case .closed: return
      case .data(let bytes): request = bytes
      case .needsInput:
        guard let bytes = try receive(socket) else { return }
        session.receive(bytes[...])
      }
    }
    seen.received = request.count
    do {
      try relay(session, socket, request)
    } catch {
      // What becomes of the request says nothing about the client any more.
      try? session.write(Self.badGateway[...])
      session.close()
      _ = try? socket.send(session.takeOutput(), deadline)
    }
  }

  /// The next bytes of the client; nil at the end, which is noted.
  private mutating func receive(_ socket: borrowing Socket) throws -> [UInt8]? {
    switch try socket.receive(deadline) {
    case .data(let bytes): return bytes
    case .end: return nil
    case .timeout:
      seen.ending = .timedOut
      return nil
    }
  }

  private mutating func relay(
    _ session: any TLSServerSession, _ socket: borrowing Socket, _ request: [UInt8]
  ) throws {
    guard !isItself(socket) else { throw LabError("\(destination.text) is the proxy itself") }
    let upstream = try connect()
    let serverName = destination.host.isIPAddress ? nil : destination.host.description
    let remote = try client.makeClientSession(
      TLSClientConfiguration(serverName: serverName, applicationProtocols: ["http/1.1"]))
    while try remote.handshake() == .needsInput {
      _ = try upstream.send(remote.takeOutput(), deadline)
      guard case .data(let bytes) = try upstream.receive(deadline) else { throw LabError("the server left") }
      remote.receive(bytes[...])
    }
    try remote.write(request[...])
    while true {
      let fromClient = try pass(from: session, to: remote)
      let fromServer = try pass(from: remote, to: session)
      seen.received += fromClient.count
      _ = try upstream.send(remote.takeOutput(), deadline)
      _ = try socket.send(session.takeOutput(), deadline)
      guard !fromClient.isClosed, !fromServer.isClosed else { break }
      guard try feed(session, socket, remote, upstream) else { break }
    }
    session.close()
    remote.close()
    _ = try socket.send(session.takeOutput(), deadline)
    _ = try upstream.send(remote.takeOutput(), deadline)
  }

  /// Moves the application data that has arrived on one side to the other.
  private func pass(from source: any TLSChannel, to target: any TLSChannel) throws -> (count: Int, isClosed: Bool) {
    var count = 0
    while true {
      switch try source.read(atMost: 16384) {
      case .closed: return (count, true)
      case .needsInput: return (count, false)
      case .data(let bytes):
        count += bytes.count
        try target.write(bytes[...])
      }
    }
  }

  /// Waits until one side has something to say and takes it; false at the end of either or of the time.
  private func feed(
    _ session: any TLSServerSession, _ socket: borrowing Socket, _ remote: any TLSSession,
    _ upstream: borrowing Socket
  ) throws -> Bool {
    var states = [
      pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: upstream.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&states, 2, deadline.pollSlice) <= 0 {
      guard !deadline.isOver, !deadline.isCancelled else { return false }
    }
    let now = deadline.atMost(.zero)
    if states[0].revents != 0 {
      guard case .data(let bytes) = try socket.receive(now) else { return false }
      session.receive(bytes[...])
    }
    if states[1].revents != 0 {
      guard case .data(let bytes) = try upstream.receive(now) else { return false }
      remote.receive(bytes[...])
    }
    return true
  }

  /// Whether the client wants to be led back to this proxy.
  private func isItself(_ socket: borrowing Socket) -> Bool {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isKnown = withUnsafeMutableBytes(of: &address) { bytes in
      guard let base = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return false }
      return getsockname(socket.descriptor, base, &size) == 0
    }
    guard isKnown, UInt16(bigEndian: address.sin_port) == destination.port else { return false }
    return switch destination.host {
    case .dns(let name): name.text == "localhost" || name.text.hasSuffix(".localhost")
    case .ipv4(let octets): octets.first == 127 || octets.allSatisfy { $0 == 0 }
    case .ipv6(let octets): octets.dropLast().allSatisfy { $0 == 0 }
    }
  }

  private func connect() throws -> Socket {
    let name = destination.host.description
    for address in try Resolver.addresses(of: name, port: destination.port, deadline) {
      let socket = try Socket(family: address.family)
      if (try? socket.connect(to: address, deadline)) == true { return socket }
    }
    throw LabError("\(destination.text) cannot be reached")
  }

  private static let badGateway = Array(
    "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)
}
