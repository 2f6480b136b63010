// SPDX-License-Identifier: Apache-2.0
internal import Steelpin

/// Carries a session's bytes over a socket until its handshake is finished.
struct Handshake {
  struct Failure: Error {
    let code: ProbeError.Code
    var phase = ProbeError.Phase.handshake
    let detail: String
    let hint: String
    var alert: TLSAlert?
    var plainProtocol: String?
    var native: [NativeCode] = []
  }

  private let session: any TLSSession
  private let deadline: Deadline
  private let options: Probe.Options
  /// How long the server took to accept the connection.
  private let roundTrip: Duration
  private var phase = ProbeError.Phase.handshake
  /// The first bytes of the server, by which another protocol is recognised.
  private var firstBytes: [UInt8] = []
  private var receivedOctets = 0
  /// Why nothing more can be sent.
  private var brokenSend: SystemError?

  /// More than any handshake needs; a server that sends without end is not waited for.
  private static let octetLimit = 8 << 20

  init(_ session: any TLSSession, _ deadline: Deadline, _ options: Probe.Options, roundTrip: Duration) {
    self.session = session
    self.deadline = deadline
    self.options = options
    self.roundTrip = roundTrip
  }

  /// Shakes hands; returns what the server served.
  mutating func run(on socket: borrowing Socket) throws(Failure) -> HandshakeSummary {
    while try proceed(socket) == .needsInput {
      try flush(to: socket)
      switch try feed(from: socket, deadline) {
      case .timeout: throw timedOut
      case .end:
        if let brokenSend { throw reset(brokenSend) }
      case .data: break
      }
    }
    // The server has proved all that it has to; whether it is still there does not matter.
    try? flush(to: socket)
    guard let summary = session.summary, !summary.certificates.isEmpty else {
      throw Failure(
        code: .tlsFailed, detail: "the handshake was finished without a certificate",
        hint: "the server uses pre-shared keys, which Steelpin cannot judge")
    }
    return summary
  }

  /// In TLS 1.3 the server judges the client's certificate after our last message, so that its refusal comes late.
  ///
  /// Only a server that asked for a certificate can refuse, so nobody else is waited for. It has at least 200 ms for its
  /// answer, and more if it is far away; after session tickets, which mean that it accepted, an alert must be right
  /// behind. A server that says nothing accepted, too: it waits for a request.
  mutating func awaitVerdictOnClient(from socket: borrowing Socket) throws(Failure) {
    guard let summary = session.summary, summary.version >= .tls13, summary.requestsClientCertificate else { return }
    phase = .afterHandshake
    var patience = deadline.atMost(min(.seconds(1), .milliseconds(200) + roundTrip * 4))
    while true {
      switch try read(socket) {
      case .data: return
      case .closed:
        guard options.clientIdentity == nil else { return }
        throw Failure(
          code: .clientCertificateRequired, phase: phase,
          detail: "the server asked for a client certificate and hung up without one", hint: Self.clientHint)
      case .needsInput: break
      }
      guard try feed(from: socket, patience) != .timeout else { return }
      patience = patience.atMost(.milliseconds(50))
    }
  }

  /// Says goodbye, if the server still listens.
  func close(_ socket: borrowing Socket) {
    session.close()
    let bytes = session.takeOutput()
    _ = try? socket.send(bytes, deadline.atMost(.milliseconds(50)))
  }

  private func proceed(_ socket: borrowing Socket) throws(Failure) -> TLSProgress {
    do {
      return try session.handshake()
    } catch {
      throw failure(error, socket)
    }
  }

  private func read(_ socket: borrowing Socket) throws(Failure) -> TLSReadResult {
    do {
      return try session.read(atMost: 1)
    } catch {
      throw failure(error, socket)
    }
  }

  private enum Fed {
    case data
    case end
    case timeout
  }

  /// Hands the session what arrives next; a connection that was reset has ended.
  private mutating func feed(from socket: borrowing Socket, _ deadline: Deadline) throws(Failure) -> Fed {
    guard receivedOctets < Self.octetLimit else {
      throw Failure(
        code: .tlsFailed, phase: phase, detail: "the server sent \(receivedOctets) octets and no end of the handshake",
        hint: "this is no TLS server that any client could talk to")
    }
    let event: Socket.Event
    do {
      event = try socket.receive(deadline)
    } catch {
      guard phase == .handshake else {
        session.receiveEnd()
        return .end
      }
      throw reset(error)
    }
    switch event {
    case .data(let bytes):
      firstBytes += bytes.prefix(64 - min(64, firstBytes.count))
      receivedOctets += bytes.count
      session.receive(bytes[...])
      return .data
    case .end:
      session.receiveEnd()
      return .end
    case .timeout: return .timeout
    }
  }

  /// Sends what the session has to say. If the server does not take it any more, what it said before is still read: it
  /// may have told why.
  private mutating func flush(to socket: borrowing Socket) throws(Failure) {
    let bytes = session.takeOutput()
    guard !bytes.isEmpty, brokenSend == nil else { return }
    do {
      guard try socket.send(bytes, deadline) else { throw timedOut }
    } catch let error as SystemError {
      brokenSend = error
    } catch {
      throw timedOut
    }
  }

  private static let clientHint = "give one with --cert and --key"
  private static let otherEngine = "try the other engine with --engine"

  private var timedOut: Failure {
    let what = receivedOctets == 0 ? "the server accepted the connection but said nothing" : "the handshake stalled"
    return Failure(
      code: .timeout, detail: "\(what) within \(options.timeout.text) in all",
      hint: "check that a TLS server answers there, or give it more time with --max-time")
  }

  private func reset(_ error: SystemError) -> Failure {
    Failure(
      code: .closedEarly, detail: "the connection broke during the handshake: \(error.message)",
      hint: "something on the way, or the server, refuses TLS clients like this one", native: [NativeCode(error)])
  }

  private func failure(_ failure: TLSFailure, _ socket: borrowing Socket) -> Failure {
    // What an alert of ours says is for the server to know; whether it arrives does not matter.
    _ = try? socket.send(session.takeOutput(), deadline.atMost(.milliseconds(50)))
    switch failure.kind {
    case .notTLS:
      return notTLS(socket)
    case .alertReceived(let number):
      return refused(TLSAlert(rawValue: number), failure.native)
    case .closedEarly:
      return Failure(
        code: .closedEarly, phase: phase, detail: "the server closed the connection before the handshake was finished",
        hint: "check that the port speaks TLS, and that the server knows the name that was sent",
        native: failure.native)
    case .noCommonParameters:
      let (low, high) = (options.minimumVersion, options.maximumVersion)
      let versions = low == high ? "\(low)" : "\(low) to \(high)"
      return Failure(
        code: .tlsNoCommonVersion, detail: "no version or cipher suite in common; offered was \(versions)",
        hint: "the server may be older; such a server fails every current client", native: failure.native)
    case .engine:
      return Failure(
        code: .tlsFailed, phase: phase, detail: "the library gave the handshake up\(Self.words(failure.native))",
        hint: Self.otherEngine, native: failure.native)
    case .protocolViolation:
      return Failure(
        code: .tlsFailed, phase: phase,
        detail: "the server broke the rules of the handshake\(Self.words(failure.native))", hint: Self.otherEngine,
        native: failure.native)
    }
  }

  /// What a library said, to stand behind our own words.
  private static func words(_ native: [NativeCode]) -> String {
    native.first.map { ": \($0.message.isEmpty ? $0.code : $0.message)" } ?? ""
  }

  /// What a fatal alert of the server says.
  private func refused(_ alert: TLSAlert, _ native: [NativeCode]) -> Failure {
    let wantsClient = session.summary?.requestsClientCertificate == true && options.clientIdentity == nil
    if alert == .certificateRequired || wantsClient {
      return Failure(
        code: .clientCertificateRequired, phase: phase,
        detail: "the server requires a client certificate (alert '\(alert)')", hint: Self.clientHint, alert: alert,
        native: native)
    }
    let hint =
      alert == .unrecognizedName
      ? "the server knows no such name; send another with --servername" : "ask the server's log for its reason"
    return Failure(
      code: .tlsAlert, phase: phase, detail: "the server ended the handshake with the alert '\(alert)'", hint: hint,
      alert: alert, native: native)
  }

  /// Reads on for a moment, as the first bytes may not be enough to tell the protocol.
  private func notTLS(_ socket: borrowing Socket) -> Failure {
    let patience = deadline.atMost(.milliseconds(300))
    var bytes = firstBytes
    while bytes.count < 64, OtherProtocol.name(bytes) == nil,
      case .data(let more) = try? socket.receive(patience)
    {
      bytes += more.prefix(64 - bytes.count)
    }
    let shown = OtherProtocol.shown(bytes)
    guard let name = OtherProtocol.name(bytes) else {
      return Failure(code: .notTLS, detail: "the server does not speak TLS; it said \(shown)", hint: "check the port")
    }
    return Failure(
      code: .notTLS, detail: "the server speaks \(name), not TLS; it said \(shown)",
      hint: name == "plain HTTP" ? "check the port: https is usually on 443" : "check the port", plainProtocol: name)
  }
}
