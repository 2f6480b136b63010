// SPDX-License-Identifier: Apache-2.0

/// A cursor over DER (ITU-T X.690) that never copies: elements are slices of the bytes it was given, with their
/// indices, so that an error can name the offset in the original value.
///
/// Lengths must be definite and minimal, tag numbers below 31, values inside their parent, and nesting at most
/// ``maximumDepth`` deep.
package struct DERReader {
  /// How deep constructed values may nest; certificates need about ten levels.
  package static let maximumDepth = 32

  // One reference to the bytes and plain numbers: slices that are cut again and again would be counted each time.
  private let bytes: ArraySlice<UInt8>
  private let end: Int
  private let depth: Int

  /// The offset of the next element in the original array.
  package private(set) var offset: Int

  package init(_ bytes: ArraySlice<UInt8>) { self.init(bytes, bytes.indices, depth: 0) }

  fileprivate init(_ bytes: ArraySlice<UInt8>, _ range: Range<Int>, depth: Int) {
    self.bytes = bytes
    self.offset = range.lowerBound
    self.end = range.upperBound
    self.depth = depth
  }

  package var isAtEnd: Bool { offset == end }

  /// The tag of the next element, or nil at the end; nothing is consumed.
  package var nextTag: DERTag? { isAtEnd ? nil : DERTag(bytes[offset]) }

  /// Reads one element of any tag.
  package mutating func read() throws(DERError) -> DERElement {
    let start = offset
    guard start < end else { throw DERError(.truncated, at: start) }
    let tag = bytes[start]
    guard tag & 0x1F != 0x1F else { throw DERError(.unsupportedTag, at: start) }
    var cursor = start + 1
    guard cursor < end else { throw DERError(.truncated, at: start) }
    var length = Int(bytes[cursor])
    cursor += 1
    if length >= 0x80 {
      let count = length & 0x7F
      guard count != 0 else { throw DERError(.indefiniteLength, at: start) }
      guard count <= 4 else { throw DERError(.lengthTooLarge, at: start) }
      guard end - cursor >= count else { throw DERError(.truncated, at: start) }
      length = 0
      for _ in 0..<count {
        length = length << 8 | Int(bytes[cursor])
        cursor += 1
      }
      guard length >= 0x80, length >> (8 * (count - 1)) != 0 else { throw DERError(.lengthNotMinimal, at: start) }
    }
    guard end - cursor >= length else { throw DERError(.truncated, at: start) }
    offset = cursor + length
    return DERElement(
      tag: DERTag(tag), bytes: bytes, start: start, contentStart: cursor, end: cursor + length, depth: depth)
  }

  /// Reads one element that must have the given tag.
  package mutating func read(_ tag: DERTag) throws(DERError) -> DERElement {
    guard nextTag == tag else {
      throw DERError(nextTag == nil ? .truncated : .unexpectedTag(expected: tag, found: nextTag), at: offset)
    }
    return try read()
  }

  /// Reads the next element if it has the given tag.
  package mutating func readIfPresent(_ tag: DERTag) throws(DERError) -> DERElement? {
    nextTag == tag ? try read() : nil
  }

  /// Checks that nothing follows the last element.
  package func finish() throws(DERError) {
    guard isAtEnd else { throw DERError(.trailingBytes(end - offset), at: offset) }
  }

  /// The single element that fills the bytes exactly.
  package static func single(_ bytes: ArraySlice<UInt8>, _ tag: DERTag) throws(DERError) -> DERElement {
    var reader = DERReader(bytes)
    let element = try reader.read(tag)
    try reader.finish()
    return element
  }
}

/// One element of DER: its tag, its content, and the whole encoding with tag and length.
package struct DERElement {
  package let tag: DERTag
  fileprivate let bytes: ArraySlice<UInt8>
  fileprivate let start: Int
  fileprivate let contentStart: Int
  fileprivate let end: Int
  fileprivate let depth: Int

  /// Tag, length and content.
  package var encoded: ArraySlice<UInt8> { bytes[start..<end] }

  /// The content octets.
  package var content: ArraySlice<UInt8> { bytes[contentStart..<end] }

  /// A reader of the elements inside this one.
  package func reader() throws(DERError) -> DERReader {
    guard depth < DERReader.maximumDepth else { throw DERError(.tooDeep, at: start) }
    return DERReader(bytes, contentStart..<end, depth: depth + 1)
  }
}

/// An identifier octet of DER with a tag number below 31.
package struct DERTag: Hashable, Sendable {
  package let octet: UInt8

  package init(_ octet: UInt8) { self.octet = octet }

  package static let boolean = DERTag(0x01)
  package static let integer = DERTag(0x02)
  package static let bitString = DERTag(0x03)
  package static let octetString = DERTag(0x04)
  package static let null = DERTag(0x05)
  package static let objectIdentifier = DERTag(0x06)
  package static let enumerated = DERTag(0x0A)
  package static let utf8String = DERTag(0x0C)
  package static let numericString = DERTag(0x12)
  package static let printableString = DERTag(0x13)
  package static let teletexString = DERTag(0x14)
  package static let ia5String = DERTag(0x16)
  package static let utcTime = DERTag(0x17)
  package static let generalizedTime = DERTag(0x18)
  package static let visibleString = DERTag(0x1A)
  package static let universalString = DERTag(0x1C)
  package static let bmpString = DERTag(0x1E)
  package static let sequence = DERTag(0x30)
  package static let set = DERTag(0x31)

  /// A context-specific tag `[number]`, primitive or constructed.
  package static func context(_ number: UInt8, constructed: Bool = false) -> DERTag {
    DERTag(0x80 | (constructed ? 0x20 : 0) | number)
  }

  package var isConstructed: Bool { octet & 0x20 != 0 }
}

/// Why bytes are not the DER they should be, and where.
public struct DERError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Reason: Hashable, Sendable {
    case indefiniteLength
    case invalidValue(String)
    case lengthNotMinimal
    case lengthTooLarge
    case tooDeep
    case trailingBytes(Int)
    case truncated
    case unexpectedTag(expected: DERTag, found: DERTag?)
    case unsupportedTag
  }

  package let reason: Reason

  /// The offset, in bytes, of the element that is wrong, counted from the start of the value that was parsed.
  public let offset: Int

  package init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }

  /// The reason and the offset in words.
  public var description: String { "\(reasonText) at byte \(offset)" }

  private var reasonText: String {
    switch reason {
    case .indefiniteLength: "indefinite length, which DER forbids,"
    case .invalidValue(let what): what
    case .lengthNotMinimal: "length not in its shortest form"
    case .lengthTooLarge: "length of more than four bytes"
    case .tooDeep: "values nested more than \(DERReader.maximumDepth) deep"
    case .trailingBytes(let count): count == 1 ? "1 byte after the end" : "\(count) bytes after the end"
    case .truncated: "value cut short"
    case .unexpectedTag(let expected, let found):
      "tag 0x\(Hex.encode([expected.octet])) expected, found \(found.map { "0x" + Hex.encode([$0.octet]) } ?? "nothing"),"
    case .unsupportedTag: "tag number of 31 or more"
    }
  }
}
