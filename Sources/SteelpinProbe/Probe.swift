// SPDX-License-Identifier: Apache-2.0
public import Steelpin

/// Connects to a TLS server and captures what it serves. Nothing is verified here: the chain is judged afterwards by a
/// `TrustEvaluator`.
public struct Probe: Sendable {
  /// What a client offers, and how long it waits.
  public struct Options: Sendable {
    /// The name for server_name; nil is the host, or none if the host is an address (RFC 6066 section 3).
    public var serverName: String?
    /// ALPN protocols in order of preference; empty sends no extension.
    public var applicationProtocols = ["h2", "http/1.1"]
    /// The lowest version offered.
    public var minimumVersion = TLSVersion.tls12
    /// The highest version offered.
    public var maximumVersion = TLSVersion.tls13
    /// The client's certificate and key; nil answers a request with no certificate.
    public var clientIdentity: ClientIdentity?
    /// How long name resolution, connection and handshake may take together.
    public var timeout = Duration.seconds(10)
    /// Other hosts and addresses to connect to.
    public var overrides = AddressOverrides()

    /// The defaults: ten seconds, TLS 1.2 and 1.3, `h2` and `http/1.1`.
    public init() {}
  }

  /// The library that performs handshakes.
  public let engine: any TLSEngine
  /// What the client offers, and how long it waits.
  public let options: Options

  /// A probe that handshakes by an engine.
  public init(engine: any TLSEngine, options: Options = Options()) {
    self.engine = engine
    self.options = options
  }

  /// Connects to the first address of the endpoint that answers, and shakes hands.
  ///
  /// The port is that of the endpoint, else `defaultPort`. Throws ``ProbeError``; a task that is cancelled stops soon
  /// with the code `cancelled`.
  public func connect(to endpoint: Endpoint, defaultPort: UInt16 = 443) async throws(ProbeError) -> ProbeResult {
    try await Self.offload { cancellation in
      run(Attempt(self, endpoint, defaultPort, cancellation)) { (attempt) throws(ProbeError) in
        try attempt.first()
      }
    }.get()
  }

  /// Connects to every address of the endpoint in turn, all within the one timeout.
  ///
  /// Returns what came of each address, in the resolver's order. Throws ``ProbeError`` if there is no address.
  public func connectToAll(
    of endpoint: Endpoint, defaultPort: UInt16 = 443
  ) async throws(ProbeError) -> [Result<ProbeResult, ProbeError>] {
    try await Self.offload { cancellation in
      run(Attempt(self, endpoint, defaultPort, cancellation)) { (attempt) throws(ProbeError) in
        try attempt.all()
      }
    }.get()
  }

  private func run<Value>(
    _ attempt: Attempt, _ body: (Attempt) throws(ProbeError) -> Value
  ) -> Result<Value, ProbeError> {
    Result { () throws(ProbeError) in try body(attempt) }
  }
}

/// What a server served, and how it was reached.
public struct ProbeResult: Sendable, Hashable, Codable {
  /// The address that was connected to, as text.
  public let address: String
  /// The port that was connected to.
  public let port: UInt16
  /// The name that was sent in server_name; nil if none was.
  public let serverName: String?
  /// What was negotiated and served.
  public let handshake: HandshakeSummary
  /// Milliseconds until the name was resolved.
  public let resolveMilliseconds: Double
  /// Milliseconds that the TCP connection took.
  public let connectMilliseconds: Double
  /// Milliseconds that the TLS handshake took.
  public let handshakeMilliseconds: Double
  /// What else was noticed, in the order in which it happened.
  public let notes: [ProbeNote]
}

/// Something worth telling about a handshake that was finished all the same.
public struct ProbeNote: Sendable, Hashable, Codable {
  /// The stable vocabulary of notes.
  @nonexhaustive
  public enum Code: String, Sendable, Hashable, Codable, CaseIterable {
    /// An address that was tried before did not answer.
    case otherAddressFailed = "other-address-failed"
  }

  /// What was noticed.
  public let code: Code
  /// What was noticed, in words.
  public let detail: String

  init(_ code: Code, _ detail: String) {
    self.code = code
    self.detail = detail
  }
}
