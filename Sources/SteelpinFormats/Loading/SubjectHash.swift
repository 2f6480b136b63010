// SPDX-License-Identifier: Apache-2.0
internal import Steelpin

/// The name under which OpenSSL looks for a certificate in a directory: eight hexadecimal digits of its subject
/// (X509_NAME_hash; c_rehash makes the links).
enum SubjectHash {
  /// The digits, from the SHA-1 of the name in OpenSSL's canonical form (x_name.c): text in UTF-8, ASCII letters small,
  /// white space at the ends dropped and runs of it made one space. Nil for text that is none.
  static func of(_ name: DistinguishedName) -> String? {
    var canonical: [UInt8] = []
    for attributes in name.relativeNames {
      var set: [[UInt8]] = []
      for attribute in attributes {
        guard let value = value(attribute) else { return nil }
        set.append(DER.sequence(DER.objectIdentifier(attribute.type), value))
      }
      canonical += DER.setOf(set)
    }
    return Hex.encode(SHA1.hash(canonical).prefix(4).reversed())
  }

  private static func value(_ attribute: NameAttribute) -> [UInt8]? {
    switch attribute.tag {
    case .bmpString, .ia5String, .printableString, .teletexString, .universalString, .utf8String, .visibleString:
      guard let text = attribute.text else { return nil }
      return DER.element(.utf8String, folded(text.utf8))
    default: return DER.element(attribute.tag, attribute.value)
    }
  }

  private static func folded(_ text: some Collection<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var hasSpace = false
    for octet in text {
      if octet == 0x20 || 0x09...0x0D ~= octet {
        hasSpace = !result.isEmpty
      } else {
        if hasSpace { result.append(0x20) }
        hasSpace = false
        result.append(0x41...0x5A ~= octet ? octet + 0x20 : octet)
      }
    }
    return result
  }
}
