// SPDX-License-Identifier: Apache-2.0

/// A distinguished name in the form in which RFC 5280 7.1 compares it: two names are the same exactly if their keys are.
///
/// Text attributes are compared after string preparation (RFC 4518): letter case folded, white space at the ends
/// dropped and runs of it made one space, whatever the string type. Other values are compared byte for byte.
package struct NameKey: Hashable, Sendable {
  private var bytes: [UInt8] = []
  /// The values outside ASCII, in order: String's own equality, which is canonical equivalence, compares them.
  private var unicode: [String] = []
  /// Whether all text was prepared; if not, a name that differs may still mean the same.
  private(set) var isPrepared = true
  /// Made once, as names are looked up far more often than they are parsed.
  private var hash = 0

  package init(_ name: DistinguishedName) {
    bytes.reserveCapacity(name.encoded.count)
    for attributes in name.relativeNames {
      // The order inside a SET does not count; after folding it may differ from that of the encodings.
      var parts = attributes.map(Part.init)
      if parts.count > 1 { parts.sort() }
      bytes.append(UInt8(ascii: "+"))
      for part in parts {
        append(part.bytes)
        if let text = part.unicode { unicode.append(text) }
        isPrepared = isPrepared && part.isPrepared
      }
    }
    var hasher = Hasher()
    hasher.combine(octets: bytes)
    hasher.combine(unicode)
    hash = hasher.finalize()
  }

  package static func == (left: NameKey, right: NameKey) -> Bool {
    left.hash == right.hash && left.bytes == right.bytes && left.unicode == right.unicode
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(hash) }

  /// Whether a name starts with all the relative names of a subtree's base (RFC 5280 7.1, last paragraph).
  package func isWithinSubtree(of base: NameKey) -> Bool {
    bytes.starts(with: base.bytes) && unicode.starts(with: base.unicode)
  }

  /// Length first, so that no two sequences of values give the same bytes.
  private mutating func append(_ value: [UInt8]) {
    for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: value.count >> shift)) }
    bytes += value
  }
}

/// One attribute in the form in which it is compared.
private struct Part: Comparable {
  private(set) var bytes: [UInt8]
  private(set) var unicode: String?
  private(set) var isPrepared = true

  init(_ attribute: NameAttribute) {
    bytes = Array(attribute.type.content)
    switch attribute.tag {
    case .utf8String, .printableString, .ia5String, .numericString, .visibleString:
      if attribute.value.allSatisfy({ 0x20...0x7E ~= $0 }) {
        bytes.append(UInt8(ascii: "="))
        Self.fold(attribute.value, into: &bytes)
        return
      }
    default: break
    }
    let folded = attribute.text.map(StringPreparation.fold)
    isPrepared = folded.map(StringPreparation.isStreamSafe) ?? true
    if let folded, isPrepared {
      bytes.append(UInt8(ascii: "="))
      if folded.utf8.allSatisfy({ $0 < 0x80 }) {
        Self.fold(Array(folded.utf8)[...], into: &bytes)
      } else {
        bytes.append(UInt8(ascii: "*"))
        unicode = folded.split(separator: " ").joined(separator: " ")
      }
    } else {
      bytes.append(attribute.tag.octet)
      bytes += attribute.value
    }
  }

  static func < (left: Part, right: Part) -> Bool {
    left.bytes == right.bytes
      ? (left.unicode ?? "") < (right.unicode ?? "") : left.bytes.lexicographicallyPrecedes(right.bytes)
  }

  private static func fold(_ text: ArraySlice<UInt8>, into result: inout [UInt8]) {
    let start = result.count
    var pendingSpace = false
    for octet in text {
      if octet == 0x20 {
        pendingSpace = result.count > start
        continue
      }
      if pendingSpace { result.append(0x20) }
      pendingSpace = false
      result.append(0x41...0x5A ~= octet ? octet | 0x20 : octet)
    }
  }
}
