// SPDX-License-Identifier: Apache-2.0

extension DistinguishedName: CustomStringConvertible {
  /// The string form of RFC 4514, the most specific part first, with a space after each comma so that it reads well;
  /// control characters are escaped.
  public var description: String {
    relativeNames.reversed().map { attributes in
      attributes.map(\.description).joined(separator: "+")
    }.joined(separator: ", ")
  }
}

extension NameAttribute: CustomStringConvertible {
  /// Type and value as RFC 4514 writes them, as in `CN=example.org`; a value that is no text is
  /// its octets in hexadecimal.
  public var description: String {
    let name = Self.names.first { $0.type == type }?.name ?? type.description
    guard let text else { return "\(name)=#\(Hex.encode(value))" }
    return "\(name)=\(Self.escape(text))"
  }

  /// RFC 4514 2.4: these characters have a meaning in the string form.
  private static func escape(_ text: String) -> String {
    if text.utf8.allSatisfy({ isPlain($0) }), text.utf8.first != 0x20, text.utf8.last != 0x20 { return text }
    var result = ""
    let last = text.unicodeScalars.count - 1
    for (index, scalar) in text.unicodeScalars.enumerated() {
      switch scalar {
      case "\"", "+", ",", ";", "<", ">", "\\": result += "\\"
      case "#" where index == 0, " " where index == 0 || index == last: result += "\\"
      default: break
      }
      result.unicodeScalars.append(scalar)
    }
    return PrintableText.escape(result)
  }

  /// Printable ASCII that is never escaped, but for a space at an end.
  private static func isPlain(_ octet: UInt8) -> Bool {
    switch octet {
    case UInt8(ascii: "\""), 0x23, 0x2B, 0x2C, 0x3B, 0x3C, 0x3E, UInt8(ascii: "\\"): false
    default: 0x20...0x7E ~= octet
    }
  }

  /// The short names of RFC 4514 section 3 and others in wide use.
  private static let names: [(type: OID, name: String)] = [
    (.commonName, "CN"), (attribute(4), "SN"), (attribute(5), "serialNumber"), (attribute(6), "C"),
    (attribute(7), "L"), (attribute(8), "ST"), (attribute(9), "STREET"), (attribute(10), "O"), (attribute(11), "OU"),
    (attribute(12), "title"), (attribute(15), "businessCategory"), (attribute(42), "GN"),
    (attribute(97), "organizationIdentifier"), (.domainComponent, "DC"), (.emailAddress, "emailAddress"),
  ]

  /// `2.5.4.x`, the arc of X.520's attributes.
  private static func attribute(_ arc: UInt8) -> OID { OID([0x55, 4, arc]) }
}
