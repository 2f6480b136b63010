// SPDX-License-Identifier: Apache-2.0

/// A library that can perform a TLS handshake as a client.
///
/// An engine never verifies a certificate: the chain is captured as the server sent it and judged afterwards by a
/// ``TrustEvaluator``.
public protocol TLSEngine: Sendable {
  /// The name that `--engine` takes, as in `openssl`.
  var name: String { get }

  /// Starts a client session; nothing is sent until ``TLSChannel/handshake()`` is called.
  func makeClientSession(_ configuration: TLSClientConfiguration) throws(BackendError) -> any TLSSession
}

/// One end of a TLS connection without its socket: ciphertext goes in and comes out as bytes, so that sockets,
/// deadlines, proxies and STARTTLS are written once for every library. Not thread safe.
public protocol TLSChannel: AnyObject {
  /// Takes bytes that arrived from the peer.
  func receive(_ ciphertext: ArraySlice<UInt8>)

  /// Takes the news that the peer closed its side of the connection.
  func receiveEnd()

  /// The bytes to send to the peer now; they are handed out once.
  func takeOutput() -> [UInt8]

  /// Goes on with the handshake as far as the bytes received allow.
  func handshake() throws(TLSFailure) -> TLSProgress

  /// Reads application data. After a TLS 1.3 handshake this is also how session tickets and late alerts are seen.
  func read(atMost count: Int) throws(TLSFailure) -> TLSReadResult

  /// Encrypts application data; the ciphertext is in ``takeOutput()``.
  func write(_ plaintext: ArraySlice<UInt8>) throws(TLSFailure)

  /// Queues a close_notify alert.
  func close()
}

/// A TLS connection as its client sees it.
public protocol TLSSession: TLSChannel {
  /// What was negotiated and served, as far as the handshake has come; nil before the server's certificates arrived.
  var summary: HandshakeSummary? { get }
}

/// How far a handshake has come.
public enum TLSProgress: Hashable, Sendable {
  /// The handshake is finished.
  case complete
  /// Bytes of the peer are awaited; send what ``TLSChannel/takeOutput()`` holds first.
  case needsInput
}

/// The outcome of reading application data.
public enum TLSReadResult: Hashable, Sendable {
  /// The peer closed the connection, with close_notify or without.
  case closed
  /// Decrypted application data, never empty.
  case data([UInt8])
  /// Bytes of the peer are awaited.
  case needsInput
}

/// What a client offers.
public struct TLSClientConfiguration: Sendable {
  /// The name for server_name (RFC 6066 section 3), an A-label without trailing dot; nil sends none, as for IP literals.
  public var serverName: String?
  /// ALPN protocols in order of preference (RFC 7301); empty sends no extension.
  public var applicationProtocols: [String]
  /// The lowest version offered.
  public var minimumVersion: TLSVersion
  /// The highest version offered.
  public var maximumVersion: TLSVersion
  /// A client certificate chain, leaf first, DER, and its PKCS#8 key; nil answers a request with no certificate.
  public var clientIdentity: ClientIdentity?

  /// TLS 1.2 and 1.3, `h2` and `http/1.1`, no client certificate.
  public init(
    serverName: String?, applicationProtocols: [String] = ["h2", "http/1.1"], minimumVersion: TLSVersion = .tls12,
    maximumVersion: TLSVersion = .tls13, clientIdentity: ClientIdentity? = nil
  ) {
    self.serverName = serverName
    self.applicationProtocols = applicationProtocols
    self.minimumVersion = minimumVersion
    self.maximumVersion = maximumVersion
    self.clientIdentity = clientIdentity
  }
}

/// A client's certificate chain and private key.
public struct ClientIdentity: Sendable {
  /// The certificates, leaf first, each DER.
  public let certificates: [[UInt8]]
  /// The private key as PKCS#8 DER (RFC 5958), not encrypted.
  public let privateKey: [UInt8]

  /// An identity from DER certificates, leaf first, and a PKCS#8 key.
  public init(certificates: [[UInt8]], privateKey: [UInt8]) {
    self.certificates = certificates
    self.privateKey = privateKey
  }
}

/// A version of TLS by its number on the wire.
public enum TLSVersion: UInt16, Sendable, Codable, CaseIterable, Comparable, CustomStringConvertible {
  /// TLS 1.0, RFC 2246.
  case tls10 = 0x0301
  /// TLS 1.1, RFC 4346.
  case tls11 = 0x0302
  /// TLS 1.2, RFC 5246.
  case tls12 = 0x0303
  /// TLS 1.3, RFC 8446.
  case tls13 = 0x0304

  /// Whether the left version is older.
  public static func < (left: TLSVersion, right: TLSVersion) -> Bool { left.rawValue < right.rawValue }

  /// The version as people write it, as in `TLS 1.3`.
  public var description: String {
    switch self {
    case .tls10: "TLS 1.0"
    case .tls11: "TLS 1.1"
    case .tls12: "TLS 1.2"
    case .tls13: "TLS 1.3"
    }
  }
}

/// What a server sent and what was agreed.
public struct HandshakeSummary: Sendable, Hashable, Codable {
  /// The negotiated version.
  public var version: TLSVersion
  /// The cipher suite by its IANA name, as in `TLS_AES_128_GCM_SHA256`.
  public var cipherSuite: String
  /// The key exchange group by its IANA name, as in `x25519` or `secp256r1`; nil if none or unknown.
  public var group: String?
  /// The ALPN protocol that the server chose; nil if none.
  public var applicationProtocol: String?
  /// The certificates exactly as served, in that order, each DER.
  public var certificates: [[UInt8]]
  /// The stapled OCSP response for the leaf (RFC 6066 section 8), DER; nil if none was sent.
  public var stapledOCSPResponse: [UInt8]?
  /// Whether the server asked for a client certificate during the handshake.
  public var requestsClientCertificate: Bool

  /// A summary of the given parts.
  public init(
    version: TLSVersion, cipherSuite: String, group: String?, applicationProtocol: String?, certificates: [[UInt8]],
    stapledOCSPResponse: [UInt8]?, requestsClientCertificate: Bool
  ) {
    self.version = version
    self.cipherSuite = cipherSuite
    self.group = group
    self.applicationProtocol = applicationProtocol
    self.certificates = certificates
    self.stapledOCSPResponse = stapledOCSPResponse
    self.requestsClientCertificate = requestsClientCertificate
  }
}

/// Why a handshake or a connection ended.
public struct TLSFailure: Error, Hashable, Sendable {
  /// The kinds of failure that callers tell apart.
  @nonexhaustive
  public enum Kind: Hashable, Sendable {
    /// The server sent a fatal alert; the description octet of RFC 8446 section 6.
    case alertReceived(UInt8)
    /// The connection ended in the middle of the handshake.
    case closedEarly
    /// The library failed for a reason of its own.
    case engine
    /// No protocol version or cipher suite in common.
    case noCommonParameters
    /// The first bytes of the server are not a TLS record; they are kept, 64 at most.
    case notTLS([UInt8])
    /// The server broke the protocol.
    case protocolViolation
  }

  /// What happened.
  public let kind: Kind
  /// What the library itself said, most recent cause first.
  public let native: [NativeCode]

  /// A failure of a kind with the library's words.
  public init(_ kind: Kind, native: [NativeCode]) {
    self.kind = kind
    self.native = native
  }
}
