// SPDX-License-Identifier: Apache-2.0

/// Why a certificate was revoked (CRLReason, RFC 5280 5.3.1).
@nonexhaustive
public enum RevocationReason: Int, Sendable, Hashable, Codable {
  /// unspecified; also what an entry without a reason means.
  case unspecified = 0
  /// keyCompromise.
  case keyCompromise = 1
  /// cACompromise.
  case cACompromise = 2
  /// affiliationChanged.
  case affiliationChanged = 3
  /// superseded.
  case superseded = 4
  /// cessationOfOperation.
  case cessationOfOperation = 5
  /// certificateHold: the only reason that can be taken back.
  case certificateHold = 6
  /// removeFromCRL, in delta lists only: the certificate is no longer on hold, or has expired.
  case removeFromCRL = 8
  /// privilegeWithdrawn.
  case privilegeWithdrawn = 9
  /// aACompromise.
  case aACompromise = 10

  init(_ element: DERElement) throws(DERError) {
    guard let reason = RevocationReason(rawValue: try element.smallInteger()) else {
      throw DERError(.invalidValue("unknown reason of revocation"), at: element.encoded.startIndex)
    }
    self = reason
  }

  /// Whether a certificate that was revoked for the reason stays so.
  var isPermanent: Bool { self != .certificateHold && self != .removeFromCRL }
}

extension RevocationReason: CustomStringConvertible {
  /// The name of RFC 5280's ASN.1, as in `keyCompromise`.
  public var description: String {
    switch self {
    case .aACompromise: "aACompromise"
    case .affiliationChanged: "affiliationChanged"
    case .cACompromise: "cACompromise"
    case .certificateHold: "certificateHold"
    case .cessationOfOperation: "cessationOfOperation"
    case .keyCompromise: "keyCompromise"
    case .privilegeWithdrawn: "privilegeWithdrawn"
    case .removeFromCRL: "removeFromCRL"
    case .superseded: "superseded"
    case .unspecified: "unspecified"
    }
  }
}

/// A set of reasons that a list covers (ReasonFlags, RFC 5280 4.2.1.13).
struct ReasonSet: OptionSet, Hashable, Sendable {
  /// Bit n of the BIT STRING is 1 shifted left by n.
  let rawValue: UInt16

  /// Bits 1 to 8; bit 0 is unused.
  static let all = ReasonSet(rawValue: 0x1FE)

  init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The set of the octets of a BIT STRING. Bits beyond those of RFC 5280 stand for no reason that exists.
  init(octets: ArraySlice<UInt8>) {
    var bits: UInt16 = 0
    for (index, octet) in octets.prefix(2).enumerated() {
      for bit in 0..<8 where octet & (0x80 >> UInt8(bit)) != 0 { bits |= 1 << UInt16(index * 8 + bit) }
    }
    self = ReasonSet(rawValue: bits).intersection(.all)
  }
}
