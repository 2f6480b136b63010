// SPDX-License-Identifier: Apache-2.0

/// Encodings of DER (ITU-T X.690): every function returns one complete element, and elements are put together by
/// concatenation. An absent optional element is the empty array.
package enum DER {
  /// An element of any tag around content octets that are already encoded.
  package static func element(_ tag: DERTag, _ content: some Collection<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = [tag.octet]
    let count = content.count
    bytes.reserveCapacity(count + 6)
    if count < 0x80 {
      bytes.append(UInt8(count))
    } else {
      let octets = bigEndian(UInt64(count))
      bytes.append(0x80 | UInt8(octets.count))
      bytes += octets
    }
    bytes += content
    return bytes
  }

  /// SEQUENCE of the given elements, in their order.
  package static func sequence(_ elements: [UInt8]...) -> [UInt8] { sequence(elements) }

  /// SEQUENCE of the given elements, in their order.
  package static func sequence(_ elements: [[UInt8]]) -> [UInt8] { element(.sequence, Array(elements.joined())) }

  /// SET OF the given elements, sorted by their encodings (X.690 11.6).
  package static func setOf(_ elements: [[UInt8]]) -> [UInt8] {
    element(.set, Array(elements.sorted { $0.lexicographicallyPrecedes($1) }.joined()))
  }

  /// `[number]` EXPLICIT around an element.
  package static func explicit(_ number: UInt8, _ element: [UInt8]) -> [UInt8] {
    Self.element(.context(number, constructed: true), element)
  }

  /// `[number]` IMPLICIT: the element with its tag replaced, primitive or constructed as it was.
  package static func implicit(_ number: UInt8, _ element: [UInt8]) -> [UInt8] {
    guard let first = element.first else { return [] }
    return [DERTag.context(number, constructed: DERTag(first).isConstructed).octet] + element.dropFirst()
  }
}

/// Values of the universal types.
extension DER {
  /// NULL.
  package static let null: [UInt8] = [DERTag.null.octet, 0]

  /// BOOLEAN.
  package static func boolean(_ value: Bool) -> [UInt8] { element(.boolean, [value ? 0xFF : 0x00]) }

  /// INTEGER in its shortest form.
  package static func integer(_ value: Int) -> [UInt8] { element(.integer, twosComplement(value)) }

  /// INTEGER that is not negative, from its big-endian magnitude of any length.
  package static func integer(magnitude: some Collection<UInt8>) -> [UInt8] {
    let digits = magnitude.drop { $0 == 0 }
    let sign: [UInt8] = (digits.first ?? 0x80) >= 0x80 ? [0] : []
    return element(.integer, sign + digits)
  }

  /// ENUMERATED in its shortest form.
  package static func enumerated(_ value: Int) -> [UInt8] { element(.enumerated, twosComplement(value)) }

  /// OBJECT IDENTIFIER.
  package static func objectIdentifier(_ oid: OID) -> [UInt8] { element(.objectIdentifier, oid.content) }

  /// OCTET STRING.
  package static func octetString(_ octets: some Collection<UInt8>) -> [UInt8] { element(.octetString, octets) }

  /// BIT STRING; the unused bits, the lowest of the last octet, are written as they are.
  package static func bitString(_ octets: some Collection<UInt8>, unusedBits: UInt8 = 0) -> [UInt8] {
    element(.bitString, [unusedBits] + octets)
  }

  /// BIT STRING with a named bit list: bit 0 is the highest of the first octet, and trailing zero bits are left out
  /// (X.690 11.2.2). Numbers outside 0 to 63 are left out too; no list of RFC 5280 is longer than nine.
  package static func namedBits(_ numbers: some Sequence<Int>) -> [UInt8] {
    let set = Set(numbers).filter { 0..<64 ~= $0 }
    guard let last = set.max() else { return bitString([]) }
    var octets = [UInt8](repeating: 0, count: last / 8 + 1)
    for number in set { octets[number / 8] |= 0x80 >> UInt8(number % 8) }
    return bitString(octets, unusedBits: UInt8(7 - last % 8))
  }

  /// A character string whose encoding is UTF-8 or a part of it: UTF8String, PrintableString, IA5String and the like.
  package static func string(_ tag: DERTag, _ text: some StringProtocol) -> [UInt8] { element(tag, Array(text.utf8)) }

  /// A time as RFC 5280 4.1.2.5 wants it: UTCTime for the years 1950 to 2049, otherwise GeneralizedTime.
  package static func time(_ time: Timestamp) -> [UInt8] {
    1950...2049 ~= time.calendar.year ? utcTime(time) : generalizedTime(time)
  }

  /// UTCTime `YYMMDDHHMMSSZ`; the century is lost.
  package static func utcTime(_ time: Timestamp) -> [UInt8] {
    let digits = compactDigits(time)
    return string(.utcTime, digits.dropFirst(max(0, digits.count - 12)) + "Z")
  }

  /// GeneralizedTime `YYYYMMDDHHMMSSZ`.
  package static func generalizedTime(_ time: Timestamp) -> [UInt8] {
    string(.generalizedTime, compactDigits(time) + "Z")
  }

  /// `YYYYMMDDHHMMSS`, from RFC 3339 text without its punctuation.
  private static func compactDigits(_ time: Timestamp) -> String {
    time.description.filter { $0.isASCII && $0.isNumber }
  }

  private static func bigEndian(_ value: UInt64) -> [UInt8] {
    Array((0..<8).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }.drop { $0 == 0 })
  }

  private static func twosComplement(_ value: Int) -> [UInt8] {
    var octets = (0..<8).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    while octets.count > 1,
      octets[0] == 0x00 && octets[1] < 0x80 || octets[0] == 0xFF && octets[1] >= 0x80
    {
      octets.removeFirst()
    }
    return octets
  }
}
