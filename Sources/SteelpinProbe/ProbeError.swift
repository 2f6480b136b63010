// SPDX-License-Identifier: Apache-2.0
public import Steelpin

/// Why there is no verdict about a server: it could not be reached, or spoke no TLS.
public struct ProbeError: Error, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The stable vocabulary of failures.
  @nonexhaustive
  public enum Code: String, Sendable, Hashable, Codable, CaseIterable {
    /// The task was cancelled.
    case cancelled
    /// The server wants a client certificate, and none was given.
    case clientCertificateRequired = "client-certificate-required"
    /// The server closed or reset the connection before the handshake was finished.
    case closedEarly = "closed-early"
    /// Nothing listens on the port.
    case connectionRefused = "connection-refused"
    /// The name has no address, or the resolver did not answer.
    case dnsFailed = "dns-failed"
    /// The server speaks another protocol.
    case notTLS = "not-tls"
    /// The time for resolution, connection and handshake is over.
    case timeout
    /// The server ended the handshake with an alert.
    case tlsAlert = "tls-alert"
    /// The server broke the protocol, or the library failed.
    case tlsFailed = "tls-failed"
    /// No version or cipher suite in common.
    case tlsNoCommonVersion = "tls-no-common-version"
    /// There is no route to the address, or it was not allowed.
    case unreachable
  }

  /// Whether the server was reached at all.
  public enum Reach: String, Sendable, Hashable, Codable {
    /// No byte came from the server: name, route, port or time.
    case unreachable
    /// It was reached, but there was no TLS to judge.
    case withoutTLS
  }

  /// The steps of a probe, in order.
  @nonexhaustive
  public enum Phase: String, Sendable, Hashable, Codable, CaseIterable {
    /// The name is looked up.
    case lookup
    /// The TCP connection is made.
    case connect
    /// The TLS handshake is under way.
    case handshake
    /// The handshake is finished, and the server judges the client's certificate (TLS 1.3).
    case afterHandshake = "after-handshake"
  }

  /// What happened.
  public let code: Code
  /// The step in which it happened.
  public let phase: Phase
  /// The host and port as asked for, as in `example.org:443`.
  public let target: String
  /// The address that was tried; nil if there was none yet.
  public let address: String?
  /// What happened, in words.
  public let detail: String
  /// What to do about it.
  public let hint: String
  /// The fatal alert that the server sent; nil if it sent none, or one that says no more than the code.
  public let alert: TLSAlert?
  /// What the server speaks instead of TLS, as in `plain HTTP` or `SSH`; nil if that is not known.
  public let plainProtocol: String?
  /// What libraries and the system said.
  public let native: [NativeCode]
  /// What the server had served before the handshake failed; nil if it had served no certificates. Nobody has proved to
  /// own the key of such a certificate, so a chain in it may be shown and may be refused, but is never trusted.
  public let served: HandshakeSummary?

  /// Whether the server was reached at all, which decides the exit code 20 or 21.
  public var reach: Reach {
    switch code {
    case .cancelled, .connectionRefused, .dnsFailed, .timeout, .unreachable: .unreachable
    case .clientCertificateRequired, .closedEarly, .notTLS, .tlsAlert, .tlsFailed, .tlsNoCommonVersion: .withoutTLS
    }
  }

  /// Where and what.
  public var description: String {
    let via = address.map { $0 == target ? "" : " (\($0))" } ?? ""
    return "\(target)\(via): \(detail)"
  }

  package init(
    _ code: Code, _ phase: Phase, target: String, address: String? = nil, detail: String, hint: String,
    alert: TLSAlert? = nil, plainProtocol: String? = nil, native: [NativeCode] = [], served: HandshakeSummary? = nil
  ) {
    self.code = code
    self.phase = phase
    self.target = target
    self.address = address
    self.detail = detail
    self.hint = hint
    self.alert = alert
    self.plainProtocol = plainProtocol
    self.native = native
    self.served = served
  }
}
