// SPDX-License-Identifier: Apache-2.0
public import Steelpin

/// A GeneralName to be written (RFC 5280 4.2.1.6): in a subjectAltName, a name constraint, or the place of a service.
/// A string literal is a DNS name.
public enum GeneralNameRecipe: Sendable, Hashable {
  /// The DER of a GeneralName, written as it is.
  case der([UInt8])
  /// directoryName.
  case directory(NameRecipe)
  /// dNSName, written as it is: `*.example.test`, and an address or a U-label that does not belong there, too.
  case dns(String)
  /// rfc822Name.
  case email(String)
  /// iPAddress: an address, or `address/prefix`, as name constraints want it, such as `10.0.0.0/8`.
  case ip(String)
  /// iPAddress of the given octets, of any number.
  case ipOctets([UInt8])
  /// otherName with its type and the DER of its value.
  case otherName(OID, [UInt8])
  /// registeredID.
  case registeredID(OID)
  /// uniformResourceIdentifier.
  case uri(String)

  /// The DER of the name.
  func der(in field: String) throws(RecipeError) -> [UInt8] {
    switch self {
    case .der(let bytes): bytes
    // A CHOICE cannot be tagged implicitly (X.680 31.2.7).
    case .directory(let name): DER.explicit(4, name.der)
    case .dns(let text): DER.element(.context(2), Array(text.utf8))
    case .email(let text): DER.element(.context(1), Array(text.utf8))
    case .ip(let text): DER.element(.context(7), try Self.octets(ofAddress: text, in: field))
    case .ipOctets(let octets): DER.element(.context(7), octets)
    case .otherName(let type, let value):
      DER.implicit(0, DER.sequence(DER.objectIdentifier(type), DER.explicit(0, value)))
    case .registeredID(let oid): DER.implicit(8, DER.objectIdentifier(oid))
    case .uri(let text): DER.element(.context(6), Array(text.utf8))
    }
  }

  private static func octets(ofAddress text: String, in field: String) throws(RecipeError) -> [UInt8] {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let address: [UInt8]
    switch try? HostName(parts[0]) {
    case .ipv4(let octets), .ipv6(let octets): address = octets
    case .dns, nil:
      throw .invalidValue(field: field, reason: "\(text) is no IP address; write 192.0.2.1 or 2001:db8::1")
    }
    guard parts.count == 2 else { return address }
    guard let prefix = UInt8(parts[1]), prefix <= address.count * 8 else {
      throw .invalidValue(field: field, reason: "\(text) has no prefix length from 0 to \(address.count * 8)")
    }
    return address
      + address.indices.map { index in
        let bits = min(8, max(0, Int(prefix) - index * 8))
        return UInt8(truncatingIfNeeded: 0xFF << (8 - bits))
      }
  }
}

extension GeneralNameRecipe: ExpressibleByStringLiteral {
  /// A DNS name.
  public init(stringLiteral text: String) { self = .dns(text) }
}

extension [GeneralNameRecipe] {
  /// The names one after another, in DER.
  func der(in field: String) throws(RecipeError) -> [UInt8] {
    var bytes: [UInt8] = []
    for name in self { bytes += try name.der(in: field) }
    return bytes
  }
}
