// SPDX-License-Identifier: Apache-2.0

/// Tells in a fraction of a microsecond that bytes are one whole certificate, for whoever copies certificates and reads
/// nothing of them.
///
/// It says yes only where ``Certificate/init(der:)`` would succeed. What it is not sure of, unusual encodings included,
/// is for that initialiser to judge.
package enum CertificateOutline {
  /// Whether the bytes are certainly a certificate, with nothing behind it.
  package static func isCertificate(_ der: Span<UInt8>) -> Bool {
    var file = OutlineCursor(position: 0, end: der.count)
    guard var outer = file.enter(sequence, der), file.isAtEnd, var fields = outer.enter(sequence, der),
      skipAlgorithm(&outer, der), isSignature(outer.enter(bitString, der), der), outer.isAtEnd
    else { return false }
    if fields.nextTag(der) == explicitVersion, !skipVersion(&fields, der) { return false }
    guard let serial = fields.enter(integer, der), isInteger(serial, der), skipAlgorithm(&fields, der),
      skipName(&fields, der), skipValidity(&fields, der), skipName(&fields, der), skipKey(&fields, der)
    else { return false }
    for tag in [issuerUniqueID, subjectUniqueID] where fields.nextTag(der) == tag {
      guard fields.skip(der) else { return false }
    }
    if fields.nextTag(der) == explicitExtensions, !skipExtensions(&fields, der) { return false }
    return fields.isAtEnd
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
      while !relative.isAtEnd {
        guard var attribute = relative.enter(sequence, der), skipIdentifier(&attribute, der), attribute.skip(der),
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

  private static func skipExtensions(_ fields: inout OutlineCursor, _ der: Span<UInt8>) -> Bool {
    guard var explicit = fields.enter(explicitExtensions, der), var list = explicit.enter(sequence, der),
      explicit.isAtEnd
    else { return false }
    while !list.isAtEnd {
      guard var entry = list.enter(sequence, der), skipIdentifier(&entry, der) else { return false }
      if entry.nextTag(der) == boolean {
        guard let flag = entry.enter(boolean, der), flag.count == 1, [0, 0xFF].contains(der[flag.position]) else {
          return false
        }
      }
      guard entry.enter(octetString, der) != nil, entry.isAtEnd else { return false }
    }
    return true
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
