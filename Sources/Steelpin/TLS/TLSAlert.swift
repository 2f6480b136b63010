// SPDX-License-Identifier: Apache-2.0

/// An alert by its number in IANA's "TLS Alerts" registry.
public struct TLSAlert: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
  /// The description octet of the alert, RFC 8446 section 6.
  public let rawValue: UInt8

  /// The alert of a number, known or not.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The sender closes its side in good order.
  public static let closeNotify = TLSAlert(rawValue: 0)
  /// No acceptable set of parameters.
  public static let handshakeFailure = TLSAlert(rawValue: 40)
  /// A certificate was corrupt, or its signature wrong.
  public static let badCertificate = TLSAlert(rawValue: 42)
  /// The version that the client offered is known but not supported.
  public static let protocolVersion = TLSAlert(rawValue: 70)
  /// The server requires stronger parameters than the client offered.
  public static let insufficientSecurity = TLSAlert(rawValue: 71)
  /// An error that has nothing to do with the peer.
  public static let internalError = TLSAlert(rawValue: 80)
  /// The sender gives up for a reason of its own.
  public static let userCanceled = TLSAlert(rawValue: 90)
  /// The server knows no host of the name that was asked for.
  public static let unrecognizedName = TLSAlert(rawValue: 112)
  /// The server requires a client certificate and got none.
  public static let certificateRequired = TLSAlert(rawValue: 116)

  /// The name in IANA's registry, as in `handshake_failure`; `alert 99` for a number without one.
  public var description: String {
    for (number, name) in Self.names where number == rawValue { return name }
    return "alert \(rawValue)"
  }

  private static let names: [(UInt8, String)] = [
    (0, "close_notify"), (10, "unexpected_message"), (20, "bad_record_mac"), (21, "decryption_failed"),
    (22, "record_overflow"), (30, "decompression_failure"), (40, "handshake_failure"), (41, "no_certificate"),
    (42, "bad_certificate"), (43, "unsupported_certificate"), (44, "certificate_revoked"),
    (45, "certificate_expired"), (46, "certificate_unknown"), (47, "illegal_parameter"), (48, "unknown_ca"),
    (49, "access_denied"), (50, "decode_error"), (51, "decrypt_error"), (52, "too_many_cids_requested"),
    (60, "export_restriction"), (70, "protocol_version"), (71, "insufficient_security"), (80, "internal_error"),
    (86, "inappropriate_fallback"), (90, "user_canceled"), (100, "no_renegotiation"), (109, "missing_extension"),
    (110, "unsupported_extension"), (111, "certificate_unobtainable"), (112, "unrecognized_name"),
    (113, "bad_certificate_status_response"), (114, "bad_certificate_hash_value"), (115, "unknown_psk_identity"),
    (116, "certificate_required"), (120, "no_application_protocol"), (121, "ech_required"),
  ]
}
