// SPDX-License-Identifier: Apache-2.0

extension TLSFailure.Kind {
  /// What a fatal alert of the server means at this point of a handshake.
  ///
  /// A handshake_failure instead of a ServerHello is how most servers say that no cipher suite or version fits.
  package static func received(_ alert: TLSAlert, afterServerHello: Bool) -> TLSFailure.Kind {
    switch alert {
    case .protocolVersion, .insufficientSecurity, .handshakeFailure:
      afterServerHello ? .alertReceived(alert.rawValue) : .noCommonParameters
    default: .alertReceived(alert.rawValue)
    }
  }

  /// What went wrong when our own library answered the server with this alert.
  package static func sent(_ alert: TLSAlert) -> TLSFailure.Kind {
    switch alert {
    case .internalError: .engine
    case .protocolVersion, .insufficientSecurity: .noCommonParameters
    default: .protocolViolation
    }
  }
}

/// Looks at the first bytes of a server, so that text is told from a damaged handshake before a library sees it.
package struct RecordPreamble: Sendable {
  private var first: [UInt8] = []

  /// A preamble of which nothing has arrived.
  package init() {}

  /// Takes bytes that arrived; only the first 64 of the connection are kept.
  package mutating func receive(_ bytes: ArraySlice<UInt8>) {
    first.append(contentsOf: bytes.prefix(max(0, 64 - first.count)))
  }

  /// The failure if what has arrived cannot begin a TLS record with an alert or a ServerHello; RFC 8446 sections 5.1
  /// and 4.1.3.
  ///
  /// Libraries differ in how long they go on with such a server, and in what they call it.
  package var failure: TLSFailure.Kind? {
    let alert: UInt8 = 21
    let handshake: UInt8 = 22
    guard let type = first.first else { return nil }
    guard type == alert || type == handshake, first.count == 1 || first[1] == 3 else { return .notTLS(first) }
    var reader = HandshakeReader(first.dropFirst(3))
    guard let length = reader.integer(octets: 2) else { return nil }
    guard 1...(Self.fragmentLimit) ~= length else { return .protocolViolation }
    guard type == handshake else { return nil }
    let serverHello = 2
    if let message = reader.integer(octets: 1), message != serverHello { return .protocolViolation }
    if let length = reader.integer(octets: 3), length > Self.helloLimit { return .protocolViolation }
    return nil
  }

  /// What a fragment may take that is not encrypted, RFC 8446 section 5.1.
  private static let fragmentLimit = 1 << 14

  /// More than the fields of a ServerHello can take in any use of them.
  private static let helloLimit = 20_000
}
