// SPDX-License-Identifier: Apache-2.0
import Steelpin

/// A cursor over BER (ITU-T X.690 clause 8), for containers whose writers do not keep to DER: lengths may be indefinite
/// or longer than need be. Certificates inside are still read as DER.
struct BERReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { self.rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }

  /// The tag of the next element, or nil at the end.
  var nextTag: DERTag? { rest.first.map(DERTag.init) }

  mutating func read() throws(DERError) -> BERElement {
    let start = rest.startIndex
    let header = try Self.header(of: rest)
    let contentStart = header.contentStart
    var contentEnd = contentStart
    var end = contentStart
    if let length = header.length {
      contentEnd += length
      end = contentEnd
    } else {
      // The end of an indefinite value is found without recursion: only values that are indefinite too count levels.
      var cursor = contentStart
      var open = 1
      while open > 0 {
        if cursor + 1 < rest.endIndex, rest[cursor] == 0, rest[cursor + 1] == 0 {
          open -= 1
          contentEnd = cursor
          cursor += 2
          continue
        }
        let inner = try Self.header(of: rest[cursor...])
        cursor = inner.contentStart + (inner.length ?? 0)
        if inner.length == nil { open += 1 }
      }
      end = cursor
    }
    let element = BERElement(
      tag: DERTag(rest[start]), encoded: rest[start..<end], content: rest[contentStart..<contentEnd])
    rest = rest[end...]
    return element
  }

  mutating func read(_ tag: DERTag) throws(DERError) -> BERElement {
    guard nextTag == tag else {
      throw DERError(nextTag == nil ? .truncated : .unexpectedTag(expected: tag, found: nextTag), at: rest.startIndex)
    }
    return try read()
  }

  mutating func readIfPresent(_ tag: DERTag) throws(DERError) -> BERElement? {
    nextTag == tag ? try read() : nil
  }

  /// Where the content of the first element starts, and its length, which the bytes are known to have; nil if it is
  /// indefinite.
  static func header(of bytes: ArraySlice<UInt8>) throws(DERError) -> (contentStart: Int, length: Int?) {
    let start = bytes.startIndex
    guard let tag = bytes.first, bytes.count >= 2 else { throw DERError(.truncated, at: start) }
    guard tag & 0x1F != 0x1F else { throw DERError(.unsupportedTag, at: start) }
    let first = bytes[start + 1]
    var contentStart = start + 2
    if first == 0x80 {
      guard tag & 0x20 != 0 else { throw DERError(.indefiniteLength, at: start) }
      return (contentStart, nil)
    }
    var length = Int(first)
    if first > 0x80 {
      let count = Int(first & 0x7F)
      guard count <= 8 else { throw DERError(.lengthTooLarge, at: start) }
      guard bytes.endIndex - contentStart >= count else { throw DERError(.truncated, at: start) }
      length = 0
      for octet in bytes[contentStart..<contentStart + count] {
        guard length < 1 << 40 else { throw DERError(.lengthTooLarge, at: start) }
        length = length << 8 | Int(octet)
      }
      contentStart += count
    }
    guard bytes.endIndex - contentStart >= length else { throw DERError(.truncated, at: start) }
    return (contentStart, length)
  }
}

/// One element of BER.
struct BERElement {
  let tag: DERTag
  let encoded: ArraySlice<UInt8>
  let content: ArraySlice<UInt8>

  var reader: BERReader { BERReader(content) }

  /// The content of an OBJECT IDENTIFIER; nil for anything else.
  var objectIdentifier: OID? { tag == .objectIdentifier ? OID(content: content) : nil }
}
