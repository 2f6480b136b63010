// SPDX-License-Identifier: Apache-2.0
internal import Steelpin

/// Carries a session's bytes over a socket until its handshake is finished.
struct Handshake {
  struct Failure: Error {
    let code: ProbeError.Code
    let detail: String
    let hint: String
    var native: [NativeCode] = []
  }

  private let session: any TLSSession
  private let deadline: Deadline
  private let options: Probe.Options
  /// The first bytes of the server, by which another protocol is recognised.
  private var firstBytes: [UInt8] = []
  private var receivedOctets = 0

  /// More than any handshake needs; a server that sends without end is not waited for.
  private static let octetLimit = 8 << 20

  init(_ session: any TLSSession, _ deadline: Deadline, _ options: Probe.Options) {
    self.session = session
    self.deadline = deadline
    self.options = options
  }

  mutating func run(on socket: borrowing Socket) throws(Failure) -> HandshakeSummary {
    do {
      while try session.handshake() == .needsInput {
        try flush(to: socket)
        guard try feed(from: socket, deadline) != .timeout else { throw timedOut }
      }
      try flush(to: socket)
      try awaitVerdictOnClient(from: socket)
      session.close()
      try flush(to: socket)
    } catch let error as TLSFailure {
      // What an alert of ours says is for the server to know; whether it arrives does not matter.
      try? flush(to: socket)
      throw try describe(error, socket)
    } catch let error as SystemError {
      throw reset(error)
    } catch let error as Failure {
      throw error
    } catch {
      throw Failure(code: .tlsFailed, detail: "\(error)", hint: Self.otherEngine)
    }
    guard let summary = session.summary else {
      throw Failure(
        code: .tlsFailed, detail: "the handshake was finished without a certificate",
        hint: "the server uses pre-shared keys, which Steelpin cannot judge")
    }
    return summary
  }

  /// In TLS 1.3 the server judges the client's certificate after our last message, so that its refusal comes late. Only
  /// a server that asked for a certificate can refuse; anything else that it sends afterwards means that it did not.
  private mutating func awaitVerdictOnClient(from socket: borrowing Socket) throws {
    guard let summary = session.summary, summary.version >= .tls13, summary.requestsClientCertificate else { return }
    var patience = deadline.atMost(.seconds(1))
    while true {
      switch try session.read(atMost: 1) {
      case .data: return
      case .closed:
        throw Failure(
          code: .clientCertificateRequired, detail: "the server asked for a client certificate and hung up without one",
          hint: Self.clientHint)
      case .needsInput: break
      }
      guard try feed(from: socket, patience) != .timeout else { return }
      // Session tickets come before anything else that the server has to say, and an alert right behind them.
      patience = deadline.atMost(.milliseconds(100))
    }
  }

  private enum Fed {
    case data
    case end
    case timeout
  }

  /// Hands the session what arrives next.
  private mutating func feed(from socket: borrowing Socket, _ deadline: Deadline) throws -> Fed {
    guard receivedOctets < Self.octetLimit else {
      throw Failure(
        code: .tlsFailed, detail: "the server sent \(receivedOctets) octets and no end of the handshake",
        hint: "this is no sane server")
    }
    switch try socket.receive(deadline) {
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

  private func flush(to socket: borrowing Socket) throws {
    let bytes = session.takeOutput()
    guard try bytes.isEmpty || socket.send(bytes, deadline) else { throw timedOut }
  }

  private static let clientHint = "give one with --cert and --key"
  private static let otherEngine = "try the other engine with --engine"

  private var timedOut: Failure {
    let what = receivedOctets == 0 ? "the server accepted the connection but said nothing" : "the handshake stalled"
    return Failure(
      code: .timeout, detail: "\(what) within \(options.timeout.text) for all",
      hint: "check that a TLS server answers there, or give it more time with --max-time")
  }

  private func reset(_ error: SystemError) -> Failure {
    Failure(
      code: .closedEarly, detail: "the connection broke during the handshake: \(error.message)",
      hint: "something on the way, or the server, refuses TLS clients like this one",
      native: [NativeCode(library: "system", code: "errno \(error.number)", message: error.message)])
  }

  private mutating func describe(_ failure: TLSFailure, _ socket: borrowing Socket) throws(Failure) -> Failure {
    let wantsClient = session.summary?.requestsClientCertificate == true && options.clientIdentity == nil
    switch failure.kind {
    case .notTLS:
      return notTLS(socket)
    case .alertReceived(let number):
      let alert = TLSAlert(rawValue: number)
      if alert == .certificateRequired || wantsClient {
        return Failure(
          code: .clientCertificateRequired, detail: "the server requires a client certificate (alert '\(alert)')",
          hint: Self.clientHint, native: failure.native)
      }
      let hint =
        alert == .unrecognizedName
        ? "the server knows no such name; send another with --servername" : "ask the server's log for its reason"
      return Failure(
        code: .tlsAlert, detail: "the server ended the handshake with the alert '\(alert)'", hint: hint,
        native: failure.native)
    case .closedEarly:
      return Failure(
        code: .closedEarly, detail: "the server closed the connection before the handshake was finished",
        hint: "check that the port speaks TLS, and that the server knows the name that was sent",
        native: failure.native)
    case .noCommonParameters:
      let (low, high) = (options.minimumVersion, options.maximumVersion)
      let versions = low == high ? "\(low)" : "\(low) to \(high)"
      return Failure(
        code: .tlsNoCommonVersion, detail: "no version or cipher suite in common; offered was \(versions)",
        hint: "the server may be older; such a server fails every current client", native: failure.native)
    case .engine, .protocolViolation:
      return Failure(code: .tlsFailed, detail: "the handshake failed", hint: Self.otherEngine, native: failure.native)
    }
  }

  /// Reads on for a moment, as the first bytes may not be enough to tell the protocol.
  private mutating func notTLS(_ socket: borrowing Socket) -> Failure {
    let patience = deadline.atMost(.milliseconds(300))
    while firstBytes.count < 64, OtherProtocol.name(firstBytes) == nil, (try? feed(from: socket, patience)) == .data {}
    let shown = OtherProtocol.shown(firstBytes)
    guard let name = OtherProtocol.name(firstBytes) else {
      return Failure(
        code: .notTLS, detail: "the server does not speak TLS; it said \(shown)", hint: "check the port")
    }
    return Failure(
      code: .notTLS, detail: "the server speaks \(name), not TLS; it said \(shown)",
      hint: name == "plain HTTP" ? "check the port: https is usually on 443" : "check the port")
  }
}
