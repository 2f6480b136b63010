// SPDX-License-Identifier: Apache-2.0

/// Where the parts of a certificate are, found in a fraction of a microsecond, for whoever copies certificates and reads
/// little of them.
///
/// There is an outline only where ``Certificate/init(der:)`` would succeed. What is not surely a certificate, unusual
/// encodings included, is for that initialiser to judge.
package struct CertificateOutline: Sendable {
  /// The offsets of the encoding of the issuer's name.
  package let issuer: Range<Int>
  /// The offsets of the encoding of the subject's name.
  package let subject: Range<Int>
  /// The offsets of the encoding of the SubjectPublicKeyInfo.
  package let publicKey: Range<Int>
  /// The offsets of the extensions, one behind the other; empty if there are none.
  package private(set) var extensions = 0..<0

  /// Takes one whole certificate with nothing behind it.
  package init?(_ der: Span<UInt8>) {
    var file = OutlineCursor(position: 0, end: der.count)
    guard var outer = file.enter(sequence, der), file.isAtEnd, var fields = outer.enter(sequence, der),
      Self.skipAlgorithm(&outer, der), Self.isSignature(outer.enter(bitString, der), der), outer.isAtEnd
    else { return nil }
    if fields.nextTag(der) == explicitVersion, !Self.skipVersion(&fields, der) { return nil }
    guard let serial = fields.enter(integer, der), Self.isInteger(serial, der), Self.skipAlgorithm(&fields, der) else {
      return nil
    }
    var start = fields.position
    guard Self.skipName(&fields, der) else { return nil }
    issuer = start..<fields.position
    guard Self.skipValidity(&fields, der) else { return nil }
    start = fields.position
    guard Self.skipName(&fields, der) else { return nil }
    subject = start..<fields.position
    start = fields.position
    guard Self.skipKey(&fields, der) else { return nil }
    publicKey = start..<fields.position
    if fields.nextTag(der) == issuerUniqueID, !fields.skip(der) { return nil }
    if fields.nextTag(der) == subjectUniqueID, !fields.skip(der) { return nil }
    if fields.nextTag(der) == explicitExtensions {
      guard let list = Self.skipExtensions(&fields, der) else { return nil }
      extensions = list
    }
    guard fields.isAtEnd else { return nil }
  }

  /// Version 1 to 128, as its one octet says.
  private static func skipVersion(_ fields: inout OutlineCursor, _ der: Span<UInt8>) -> Bool {
    guard var explicit = fields.enter(explicitVersion, der), let version = explicit.enter(integer, der) else {
      return false
    }
    return version.count == 1 && der[version.position] < 0x80 && explicit.isAtEnd
  }

  private static func skipAlgorithm(_ fields: inout OutlineCursor, _ der: Span<UInt8>) -> Bool {
    guard var algorithm = fields.enter(sequence, der), skipIdentifier(&algorithm, der) else { return false }
    return algorithm.isAtEnd || algorithm.skip(der) && algorithm.isAtEnd
  }

  private static func skipName(_ fields: inout OutlineCursor, _ der: Span<UInt8>) -> Bool {
    guard var name = fields.enter(sequence, der) else { return false }
    while !name.isAtEnd {
      guard var relative = name.enter(set, der), !relative.isAtEnd else { return false }
      var count = 0
      while !relative.isAtEnd {
        count += 1
        guard count <= DERElement.maximumElements, var attribute = relative.enter(sequence, der),
          skipIdentifier(&attribute, der), attribute.skip(der),
          attribute.isAtEnd
        else { return false }
      }
    }
    return true
  }

  private static func skipValidity(_ fields: inout OutlineCursor, _ der: Span<UInt8>) -> Bool {
    guard var validity = fields.enter(sequence, der) else { return false }
    return validity.skip(der) && validity.skip(der) && validity.isAtEnd
  }

  private static func skipKey(_ fields: inout OutlineCursor, _ der: Span<UInt8>) -> Bool {
    guard var info = fields.enter(sequence, der), skipAlgorithm(&info, der), let key = info.enter(bitString, der) else {
      return false
    }
    return key.count > 0 && der[key.position] == 0 && info.isAtEnd
  }

  private static func skipExtensions(_ fields: inout OutlineCursor, _ der: Span<UInt8>) -> Range<Int>? {
    guard var explicit = fields.enter(explicitExtensions, der), var list = explicit.enter(sequence, der),
      explicit.isAtEnd
    else { return nil }
    let range = list.position..<list.end
    var count = 0
    while !list.isAtEnd {
      count += 1
      guard count <= CertificateParser.maximumExtensions, var entry = list.enter(sequence, der),
        skipIdentifier(&entry, der)
      else { return nil }
      if entry.nextTag(der) == boolean {
        guard let flag = entry.enter(boolean, der), flag.count == 1, [0, 0xFF].contains(der[flag.position]) else {
          return nil
        }
      }
      guard entry.enter(octetString, der) != nil, entry.isAtEnd else { return nil }
    }
    return range
  }

  /// Complete arcs in their shortest form (X.690 8.19.2).
  private static func skipIdentifier(_ fields: inout OutlineCursor, _ der: Span<UInt8>) -> Bool {
    guard let arcs = fields.enter(objectIdentifier, der) else { return false }
    var startsArc = true
    for index in arcs.position..<arcs.end {
      if startsArc, der[index] == 0x80 { return false }
      startsArc = der[index] & 0x80 == 0
    }
    return arcs.count > 0 && startsArc
  }

  /// The shortest form (X.690 8.3.2).
  private static func isInteger(_ value: OutlineCursor, _ der: Span<UInt8>) -> Bool {
    guard value.count > 1 else { return value.count == 1 }
    let (first, second) = (der[value.position], der[value.position + 1])
    return !(first == 0 && second < 0x80) && !(first == 0xFF && second >= 0x80)
  }

  private static func isSignature(_ value: OutlineCursor?, _ der: Span<UInt8>) -> Bool {
    guard let value else { return false }
    return value.count > 0 && der[value.position] == 0
  }
}

extension CertificateOutline {
  /// basicConstraints as ``DecodedExtensions`` has them: nil if absent or malformed, and of several the first.
  package func basicConstraints(in der: ArraySlice<UInt8>) -> BasicConstraints? {
    var list = DERReader(der[extensions])
    while let element = try? list.read(.sequence), let item = try? CertificateExtension(element) {
      guard item.identifier == .basicConstraints else { continue }
      return try? BasicConstraints(DERReader.single(item.value, .sequence))
    }
    return nil
  }
}

/// A place in DER and the end of the value around it. Unlike ``DERReader`` it holds no bytes, so that it costs nothing
/// to make.
private struct OutlineCursor {
  var position: Int
  let end: Int

  var count: Int { end - position }
  var isAtEnd: Bool { position == end }

  @inline(__always)
  func nextTag(_ der: Span<UInt8>) -> UInt8? { position < end ? der[position] : nil }

  /// Steps over the next value, which must have the tag, and returns a cursor at its content.
  @inline(__always)
  mutating func enter(_ tag: UInt8, _ der: Span<UInt8>) -> OutlineCursor? {
    guard position < end, der[position] == tag else { return nil }
    return step(der)
  }

  /// Steps over the next value, whatever its tag.
  @inline(__always)
  mutating func skip(_ der: Span<UInt8>) -> Bool { step(der) != nil }

  private mutating func step(_ der: Span<UInt8>) -> OutlineCursor? {
    guard count >= 2, der[position] & 0x1F != 0x1F else { return nil }
    var length = Int(der[position + 1])
    var content = position + 2
    if length >= 0x80 {
      let octets = length - 0x80
      guard 1...3 ~= octets, end - content >= octets, der[content] != 0 else { return nil }
      length = 0
      for index in content..<content + octets { length = length << 8 | Int(der[index]) }
      guard length >= 0x80 else { return nil }
      content += octets
    }
    guard end - content >= length else { return nil }
    position = content + length
    return OutlineCursor(position: content, end: position)
  }
}

private let boolean: UInt8 = 0x01
private let integer: UInt8 = 0x02
private let bitString: UInt8 = 0x03
private let octetString: UInt8 = 0x04
private let objectIdentifier: UInt8 = 0x06
private let sequence: UInt8 = 0x30
private let set: UInt8 = 0x31
private let issuerUniqueID: UInt8 = 0x81
private let subjectUniqueID: UInt8 = 0x82
private let explicitVersion: UInt8 = 0xA0
private let explicitExtensions: UInt8 = 0xA3
