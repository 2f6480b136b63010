// SPDX-License-Identifier: Apache-2.0

/// Gathers what a server says in a handshake from its messages, as the library in charge read and decrypted them.
///
/// Both engines show it the same messages, so they report the same facts under the same names; and the certificates are
/// the bytes of the Certificate message, before a parser that may refuse or reorder them. It judges nothing: what breaks
/// the protocol is left to the library.
package struct HandshakeObserver: Sendable {
  /// Whether the server answered the ClientHello with its own hello.
  package private(set) var sawServerHello = false

  private var version: TLSVersion?
  private var cipherSuite: UInt16?
  private var group: String?
  private var applicationProtocol: String?
  private var certificates: [[UInt8]]?
  private var stapledOCSPResponse: [UInt8]?
  private var requestsClientCertificate = false

  /// An observer of a new connection.
  package init() {}

  /// What is known; nil before the certificates.
  package var summary: HandshakeSummary? {
    guard let version, let cipherSuite, let certificates else { return nil }
    return HandshakeSummary(
      version: version, cipherSuite: CipherSuite.name(of: cipherSuite), group: group,
      applicationProtocol: applicationProtocol, certificates: certificates, stapledOCSPResponse: stapledOCSPResponse,
      requestsClientCertificate: requestsClientCertificate)
  }

  /// Takes a handshake message of the server: its type and its body without the header of four octets.
  package mutating func receive(type: UInt8, body: ArraySlice<UInt8>) {
    switch MessageType(rawValue: type) {
    case .serverHello: serverHello(body)
    case .encryptedExtensions: encryptedExtensions(body)
    case .certificate: certificate(body)
    case .serverKeyExchange: serverKeyExchange(body)
    case .certificateRequest: requestsClientCertificate = true
    case .certificateStatus: stapledOCSPResponse = stapledOCSPResponse ?? Self.ocspResponse(body)
    case nil: break
    }
  }

  /// RFC 5246 section 7.4.1.3 and RFC 8446 section 4.1.3.
  private mutating func serverHello(_ body: ArraySlice<UInt8>) {
    var reader = HandshakeReader(body)
    guard let legacyVersion = reader.uint16(), let random = reader.take(32),
      reader.vector(lengthOctets: 1) != nil,  // the session's id
      let suite = reader.uint16(), reader.take(1) != nil
    else { return }
    // A server of TLS 1.2 and older may end here.
    let extensions = reader.extensions() ?? [:]
    guard !random.elementsEqual(Self.helloRetryRequest) else { return }
    sawServerHello = true
    cipherSuite = suite
    let selected = extensions[ExtensionType.supportedVersions].flatMap(Self.uint16)
    version = TLSVersion(rawValue: selected ?? legacyVersion)
    if let share = extensions[ExtensionType.keyShare], let code = Self.uint16(share) {
      group = NamedGroup.name(of: code)
    }
    applicationProtocol = extensions[ExtensionType.applicationProtocols].flatMap(Self.applicationProtocol)
  }

  /// RFC 8446 section 4.3.1.
  private mutating func encryptedExtensions(_ body: ArraySlice<UInt8>) {
    var reader = HandshakeReader(body)
    guard let extensions = reader.extensions() else { return }
    applicationProtocol = extensions[ExtensionType.applicationProtocols].flatMap(Self.applicationProtocol)
  }

  /// RFC 5246 section 7.4.2 and RFC 8446 section 4.4.2.
  private mutating func certificate(_ body: ArraySlice<UInt8>) {
    guard let version, certificates == nil else { return }
    var reader = HandshakeReader(body)
    if version >= .tls13 {
      guard reader.vector(lengthOctets: 1) != nil else { return }  // certificate_request_context
    }
    guard let list = reader.vector(lengthOctets: 3) else { return }
    var entries = HandshakeReader(list)
    var served: [[UInt8]] = []
    while !entries.rest.isEmpty {
      guard let certificate = entries.vector(lengthOctets: 3) else { return }
      served.append(Array(certificate))
      guard version >= .tls13 else { continue }
      guard let extensions = entries.extensions() else { return }
      if served.count == 1, let status = extensions[ExtensionType.statusRequest] {
        stapledOCSPResponse = Self.ocspResponse(status)
      }
    }
    certificates = served
  }

  /// RFC 8422 section 5.4 (ECDHE) and RFC 5246 section 7.4.3 (DHE).
  private mutating func serverKeyExchange(_ body: ArraySlice<UInt8>) {
    guard let cipherSuite else { return }
    let name = CipherSuite.name(of: cipherSuite)
    var reader = HandshakeReader(body)
    if name.hasPrefix("TLS_ECDHE_") {
      let namedCurve = 3
      guard reader.integer(octets: 1) == namedCurve, let code = reader.uint16() else { return }
      group = NamedGroup.name(of: code)
    } else if name.hasPrefix("TLS_DHE_"), let prime = reader.vector(lengthOctets: 2) {
      group = NamedGroup.name(ofPrime: prime)
    }
  }

  /// The response in a CertificateStatus, RFC 6066 section 8.
  private static func ocspResponse(_ status: ArraySlice<UInt8>) -> [UInt8]? {
    var reader = HandshakeReader(status)
    let ocsp = 1
    guard reader.integer(octets: 1) == ocsp, let response = reader.vector(lengthOctets: 3), !response.isEmpty else {
      return nil
    }
    return Array(response)
  }

  /// The one protocol in the server's extension, RFC 7301 section 3.1.
  private static func applicationProtocol(_ data: ArraySlice<UInt8>) -> String? {
    var reader = HandshakeReader(data)
    guard let list = reader.vector(lengthOctets: 2) else { return nil }
    var names = HandshakeReader(list)
    return names.vector(lengthOctets: 1).map { String(decoding: $0, as: UTF8.self) }
  }

  private static func uint16(_ data: ArraySlice<UInt8>) -> UInt16? {
    var reader = HandshakeReader(data)
    return reader.uint16()
  }

  /// The random of a HelloRetryRequest, RFC 8446 section 4.1.3.
  private static let helloRetryRequest: [UInt8] = [
    0xCF, 0x21, 0xAD, 0x74, 0xE5, 0x9A, 0x61, 0x11, 0xBE, 0x1D, 0x8C, 0x02, 0x1E, 0x65, 0xB8, 0x91,
    0xC2, 0xA2, 0x11, 0x16, 0x7A, 0xBB, 0x8C, 0x5E, 0x07, 0x9E, 0x09, 0xE2, 0xC8, 0xA8, 0x33, 0x9C,
  ]
}

/// The handshake messages that say something about the server, RFC 8446 section 4 and RFC 6066 section 8.
private enum MessageType: UInt8 {
  case serverHello = 2
  case encryptedExtensions = 8
  case certificate = 11
  case serverKeyExchange = 12
  case certificateRequest = 13
  case certificateStatus = 22
}

/// The numbers of extensions, RFC 8446 section 4.2.
private enum ExtensionType {
  static let statusRequest: UInt16 = 5
  static let applicationProtocols: UInt16 = 16
  static let supportedVersions: UInt16 = 43
  static let keyShare: UInt16 = 51
}
