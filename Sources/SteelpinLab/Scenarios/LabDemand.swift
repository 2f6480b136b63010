// SPDX-License-Identifier: Apache-2.0
package import Steelpin

/// What a client must do in a scenario.
package enum LabDemand: Sendable, Hashable {
  /// Trust the server, and send a request.
  case connect
  /// Give up by itself, and send nothing in plain text.
  case giveUp
  /// Present the certificate that the lab made for it, and send a request.
  case present
  /// Send nothing that is meant for the server: no octet of application data.
  case refuse

  /// The demand, for people.
  package var text: String {
    switch self {
    case .connect: "the client must trust the server and send a request"
    case .giveUp: "the client must give up by itself, and not fall back to plain text"
    case .present: "the client must present the certificate of client.pem and send a request"
    case .refuse: "the client must refuse the server and send it nothing"
    }
  }
}

/// What a server saw of one connection.
package struct LabObservation: Sendable, Hashable {
  /// How a connection ended.
  package enum Ending: String, Sendable, Hashable {
    /// The client closed it.
    case closed
    /// The client reset it.
    case reset
    /// The server reset it.
    case resetByServer = "reset-by-server"
    /// The time was over, and the client was still there.
    case timedOut = "timed-out"
  }

  /// What the server learnt in the handshake.
  package var client = TLSClientObservation()
  /// Whether the first octets were those of a TLS record.
  package var spokeTLS = false
  /// Whether the server had answered the ClientHello.
  package var sawServer = false
  /// Whether the handshake was finished.
  package var finishedHandshake = false
  /// The octets of application data that came.
  package var received = 0
  /// Whether the client went on in plain text after it had begun with TLS.
  package var fellBack = false
  /// How the connection ended.
  package var ending = Ending.closed
  /// Why the server ended the handshake; nil if it did not.
  package var serverFailure: String?

  package init() {}
}

/// What was made of one connection.
package struct LabJudgement: Sendable, Hashable {
  /// The words that programs read.
  package enum Outcome: String, Sendable, Hashable, CaseIterable {
    /// The client trusted the server and sent a request.
    case accepted
    /// The client gave up by itself.
    case gaveUp = "gave-up"
    /// There was no handshake for a reason that is no refusal: no common version, no client certificate.
    case handshakeFailed = "handshake-failed"
    /// The client left before the server had said anything, so it refused nothing.
    case leftEarly = "left-early"
    /// The client spoke no TLS.
    case notTLS = "not-tls"
    /// The client refused the server.
    case refused
    /// The handshake was finished, and nothing was sent.
    case silent
    /// The client was still there at the end.
    case waited
  }

  /// What the client did.
  package let outcome: Outcome
  /// Whether that is what the scenario demands.
  package let isAsDemanded: Bool
  /// What the client did, for people.
  package let text: String
}

extension LabDemand {
  /// Judges a connection.
  package func judge(_ seen: LabObservation, clientCertificate: [UInt8]? = nil) -> LabJudgement {
    if let failure = seen.serverFailure {
      return LabJudgement(outcome: .handshakeFailed, isAsDemanded: false, text: "there was no handshake: \(failure)")
    }
    guard seen.spokeTLS, !seen.fellBack else {
      let text = seen.fellBack ? "it fell back to plain text" : "it spoke no TLS"
      return LabJudgement(outcome: .notTLS, isAsDemanded: false, text: text)
    }
    if self == .giveUp {
      guard seen.ending != .timedOut else {
        return LabJudgement(outcome: .waited, isAsDemanded: false, text: "it was still waiting at the end")
      }
      return LabJudgement(outcome: .gaveUp, isAsDemanded: true, text: "it gave up" + Self.alert(seen))
    }
    if seen.received > 0 {
      let sent = "it trusted the server and sent \(seen.received) octets"
      switch self {
      case .refuse: return LabJudgement(outcome: .accepted, isAsDemanded: false, text: "it was fooled: \(sent)")
      case .present where seen.client.certificate != clientCertificate:
        return LabJudgement(
          outcome: .accepted, isAsDemanded: false, text: "\(sent), but presented another certificate")
      case .connect, .giveUp, .present: return LabJudgement(outcome: .accepted, isAsDemanded: true, text: sent)
      }
    }
    guard seen.ending != .timedOut else {
      return LabJudgement(
        outcome: .waited, isAsDemanded: false, text: "it neither sent a request nor closed the connection in time")
    }
    guard seen.sawServer || seen.client.alert != nil else {
      return LabJudgement(
        outcome: .leftEarly, isAsDemanded: false, text: "it left before the server had shown its certificate")
    }
    if seen.finishedHandshake, seen.client.alert == nil {
      // A client that looks at pins after the handshake refuses like this.
      return LabJudgement(
        outcome: .silent, isAsDemanded: self == .refuse,
        text: "it finished the handshake, sent nothing and closed the connection")
    }
    return LabJudgement(
      outcome: .refused, isAsDemanded: self == .refuse,
      text: "it refused" + (seen.client.alert == nil ? " without an alert, in the handshake" : Self.alert(seen)))
  }

  private static func alert(_ seen: LabObservation) -> String {
    seen.client.alert.map { " with the alert '\($0)' (\($0.rawValue))" } ?? ""
  }
}
