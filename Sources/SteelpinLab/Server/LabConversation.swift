// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import Steelpin
package import SteelpinProbe

/// One connection of a client to the lab, from its first octet to its end.
package struct LabConversation {
  private let engine: any TLSServerEngine
  private let configuration: TLSServerConfiguration
  private let behaviour: LabBehaviour
  private let deadline: Deadline
  private var seen = LabObservation()
  private var hasBegun = false
  private var records = RecordBoundaries()

  package init(
    _ engine: any TLSServerEngine, _ configuration: TLSServerConfiguration, _ behaviour: LabBehaviour,
    _ deadline: Deadline
  ) {
    self.engine = engine
    self.configuration = configuration
    self.behaviour = behaviour
    self.deadline = deadline
  }

  /// Goes through the connection; nil if the client said nothing and left, as those do who look whether a port is open.
  package mutating func run(on socket: borrowing Socket) -> LabObservation? {
    do throws(Ended) {
      let first = try receive(socket)
      hasBegun = true
      // Every record of TLS begins with its type, and the ClientHello is a handshake message (RFC 8446 5.1).
      let handshake: UInt8 = 22
      seen.spokeTLS = first.first == handshake
      guard seen.spokeTLS else {
        try send(Self.plainAnswer, socket)
        try receiveToEnd(socket)
        return seen
      }
      seen.fellBack = !records.take(first)
      switch behaviour {
      case .silent: try receiveToEnd(socket)
      case .plainHTTP:
        try send(Self.plainAnswer, socket)
        try receiveToEnd(socket)
      case .reset:
        socket.resetAtEnd()
        seen.ending = .resetByServer
      case .breaksOff, .slow, .tls: try speakTLS(first, socket)
      }
      return seen
    } catch {
      guard error != .beforeFirstOctet else { return nil }
      if case .ending(let ending) = error { seen.ending = ending }
      return seen
    }
  }

  /// Why a conversation is over before its end.
  private enum Ended: Error, Equatable {
    case beforeFirstOctet
    case ending(LabObservation.Ending)
  }

  private mutating func speakTLS(_ first: [UInt8], _ socket: borrowing Socket) throws(Ended) {
    let session: any TLSServerSession
    do throws(BackendError) {
      session = try engine.makeServerSession(configuration)
    } catch {
      seen.serverFailure = "\(error)"
      return
    }
    defer { seen.client = session.client }
    session.receive(first[...])
    do throws(TLSFailure) {
      while try session.handshake() == .needsInput {
        guard exchange(session, socket) else { return }
      }
    } catch {
      // The client hears of it, if it is its fault.
      try flush(session, socket)
      if case .alertReceived = error.kind { return }
      if error.kind != .closedEarly { seen.serverFailure = Self.reason(error) }
      return
    }
    seen.finishedHandshake = true
    // Whether the client still hears anything says nothing about what it sent before it left.
    try? flush(session, socket)
    if behaviour == .breaksOff {
      session.breakOff()
      try flush(session, socket)
      return try receiveToEnd(socket)
    }
    try answer(session, socket)
  }

  /// Sends what there is to send and receives; false at the end.
  private mutating func exchange(_ session: any TLSServerSession, _ socket: borrowing Socket) -> Bool {
    try? flush(session, socket)
    do throws(Ended) {
      session.receive(try receive(socket)[...])
      return true
    } catch {
      if case .ending(let ending) = error { seen.ending = ending }
      return false
    }
  }

  /// Reads the request, answers it once, and waits until the client leaves.
  private mutating func answer(_ session: any TLSServerSession, _ socket: borrowing Socket) throws(Ended) {
    var hasAnswered = false
    while true {
      let result: TLSReadResult
      do throws(TLSFailure) { result = try session.read(atMost: 16384) } catch { return }
      switch result {
      case .closed: return
      case .data(let bytes):
        seen.received += bytes.count
        guard !hasAnswered else { continue }
        hasAnswered = true
        try? session.write(Self.answer[...])
        session.close()
        try? flush(session, socket)
      case .needsInput:
        try? flush(session, socket)
        // A client that was answered has a moment to leave in good order.
        session.receive(try receive(socket, hasAnswered ? deadline.atMost(.seconds(2)) : deadline)[...])
      }
    }
  }

  private mutating func flush(_ session: any TLSServerSession, _ socket: borrowing Socket) throws(Ended) {
    let output = session.takeOutput()
    if !output.isEmpty { seen.sawServer = true }
    guard behaviour == .slow, !seen.finishedHandshake, !output.isEmpty else { return try send(output, socket) }
    // About two seconds for a handshake's flight of two or three kilobytes.
    let size = max(1, output.count / 40)
    for start in stride(from: 0, to: output.count, by: size) {
      try send(Array(output[start..<min(start + size, output.count)]), socket)
      usleep(50_000)
    }
  }

  private func send(_ bytes: [UInt8], _ socket: borrowing Socket) throws(Ended) {
    guard !bytes.isEmpty else { return }
    do throws(SystemError) {
      if try !socket.send(bytes, deadline) { throw SystemError.timedOut }
    } catch {
      throw .ending(error.number == ETIMEDOUT ? .timedOut : .reset)
    }
  }

  private mutating func receiveToEnd(_ socket: borrowing Socket) throws(Ended) {
    while true {
      let bytes = try receive(socket)
      if seen.spokeTLS, !records.take(bytes) { seen.fellBack = true }
    }
  }

  private mutating func receive(
    _ socket: borrowing Socket, _ limit: Deadline? = nil
  ) throws(Ended) -> [UInt8] {
    let event: Socket.Event
    do throws(SystemError) {
      event = try socket.receive(limit ?? deadline)
    } catch {
      throw hasBegun ? .ending(.reset) : .beforeFirstOctet
    }
    switch event {
    case .data(let bytes): return bytes
    case .end: throw hasBegun ? .ending(.closed) : .beforeFirstOctet
    case .timeout: throw hasBegun ? .ending(.timedOut) : .beforeFirstOctet
    }
  }

  private static func reason(_ error: TLSFailure) -> String {
    error.native.first.map { "\($0)" } ?? "\(error.kind)"
  }

  private static let plainAnswer = Array(
    "HTTP/1.1 400 Bad Request\r\nContent-Length: 11\r\nConnection: close\r\n\r\nno TLS here".utf8)
  private static let answer = Array(
    "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 13\r\nConnection: close\r\n\r\nsteelpin lab\n".utf8)
}

extension SystemError {
  fileprivate static var timedOut: SystemError { SystemError(number: ETIMEDOUT) }
}

extension Socket {
  /// Makes the connection end with a reset instead of in good order.
  fileprivate borrowing func resetAtEnd() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
  }
}
