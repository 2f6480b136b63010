// SPDX-License-Identifier: Apache-2.0

/// A library that can perform a TLS handshake as a server, for tests of clients.
package protocol TLSServerEngine: Sendable {
  /// The library's name, as in `openssl`.
  var name: String { get }

  /// Starts a server session.
  func makeServerSession(_ configuration: TLSServerConfiguration) throws(BackendError) -> any TLSServerSession
}

/// One TLS connection as its server sees it. Not thread safe.
package protocol TLSServerSession: TLSChannel {
  /// What the client did so far.
  var client: TLSClientObservation { get }

  /// Queues a fatal alert after a finished handshake, as if the client had sent a damaged record.
  func breakOff()
}

/// What a server sends and demands. Nothing in it is checked but that the key belongs to the first certificate: servers
/// that are wrong are what it is for.
package struct TLSServerConfiguration: Sendable {
  /// What is sent, leaf first, each DER.
  package var certificates: [[UInt8]]
  /// The leaf's key as PKCS#8 DER, not encrypted.
  package var privateKey: [UInt8]
  /// The OCSP response that is stapled for clients that ask (RFC 6066 section 8); nil staples none.
  package var stapledOCSPResponse: [UInt8]?
  /// The lowest version.
  package var minimumVersion = TLSVersion.tls12
  /// The highest version.
  package var maximumVersion = TLSVersion.tls13
  /// The certificates whose names a request for a client certificate lists; empty asks for none.
  package var clientAuthorities: [[UInt8]] = []

  package init(certificates: [[UInt8]], privateKey: [UInt8], stapledOCSPResponse: [UInt8]? = nil) {
    self.certificates = certificates
    self.privateKey = privateKey
    self.stapledOCSPResponse = stapledOCSPResponse
  }
}

/// What a server learns of its client.
package struct TLSClientObservation: Sendable, Hashable {
  /// The name in server_name; nil if none was sent.
  package var serverName: String?
  /// The version that was negotiated; nil before that.
  package var version: TLSVersion?
  /// The client's certificate, DER; nil if it presented none.
  package var certificate: [UInt8]?
  /// The fatal alert that the client sent, or its user_canceled; nil if none.
  package var alert: TLSAlert?
  /// Whether the client sent close_notify.
  package var hasClosed = false

  package init() {}
}
