// SPDX-License-Identifier: Apache-2.0

/// A text file as UTF-8, with the place of every octet in it.
package struct SourceText: Sendable {
  /// The file as it was named.
  package let file: String
  /// The text in UTF-8 without a byte order mark.
  package let bytes: [UInt8]
  /// Where each line begins.
  private let lineStarts: [UInt32]
  /// How many octets before each block are not the first of their character, so that a column far to the right is found
  /// without a walk along its line.
  private let continuations: [UInt32]

  /// Decodes UTF-8 or UTF-16, told apart by the byte order mark, or by the zero octet beside the first character.
  package init(_ bytes: [UInt8], file: String) throws(ConfigurationError) {
    guard bytes.count <= ConfigurationSource.maximumSize else {
      throw ConfigurationSource.tooLarge(bytes.count, file: file)
    }
    self.file = file
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      self.bytes = Array(bytes.dropFirst(3))
    } else if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
      self.bytes = try Self.transcode(bytes.dropFirst(2), bigEndian: bytes[0] == 0xFE, file: file)
    } else if bytes.count >= 2, bytes[0] == 0 || bytes[1] == 0 {
      self.bytes = try Self.transcode(bytes[...], bigEndian: bytes[0] == 0, file: file)
    } else {
      self.bytes = bytes
    }
    self.lineStarts = Self.findLines(self.bytes)
    self.continuations = Self.countContinuations(self.bytes)
    if let offset = UTF8Check.firstError(self.bytes) {
      throw ConfigurationError(
        .encodingInvalid, at: position(at: offset), "this octet is not UTF-8",
        hint: "save the file as UTF-8")
    }
  }

  /// The place of an octet; one past the end is the end of the file.
  package func position(at offset: Int) -> SourcePosition {
    let offset = min(max(0, offset), bytes.count)
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if Int(lineStarts[middle]) <= offset { low = middle } else { high = middle }
    }
    let start = Int(lineStarts[low])
    let column = 1 + offset - start - (continuations(before: offset) - continuations(before: start))
    return SourcePosition(file: file, line: low + 1, column: column)
  }

  private static let blockSize = 1024

  private static func countContinuations(_ bytes: [UInt8]) -> [UInt32] {
    var counts: [UInt32] = [0]
    var count: UInt32 = 0
    for (index, octet) in bytes.enumerated() {
      if octet & 0xC0 == 0x80 { count += 1 }
      if (index + 1).isMultiple(of: blockSize) { counts.append(count) }
    }
    return counts
  }

  private func continuations(before offset: Int) -> Int {
    let block = offset / Self.blockSize
    let rest = bytes[(block * Self.blockSize)..<offset]
    return Int(continuations[block]) + rest.count { $0 & 0xC0 == 0x80 }
  }

  /// The text of a range of octets.
  package func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// The ranges of the lines, without their ends.
  package var lines: [Range<Int>] {
    lineStarts.indices.map { index in
      let start = Int(lineStarts[index])
      var end = index + 1 < lineStarts.count ? Int(lineStarts[index + 1]) : bytes.count
      while end > start, bytes[end - 1] == UInt8(ascii: "\n") || bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
      return start..<end
    }
  }

  /// Whether the text contains some ASCII, exactly.
  package func contains(_ needle: StaticString) -> Bool { offset(of: "\(needle)") != nil }

  /// The offset of the first place at or after `start` where some text stands.
  package func offset(of needle: String, from start: Int = 0) -> Int? {
    let wanted = Array(needle.utf8)
    guard let first = wanted.first, bytes.count >= wanted.count, start >= 0 else { return nil }
    let last = bytes.count - wanted.count
    var index = start
    while index <= last {
      if bytes[index] == first, bytes[index..<index + wanted.count].elementsEqual(wanted) { return index }
      index += 1
    }
    return nil
  }

  private static func findLines(_ bytes: [UInt8]) -> [UInt32] {
    var starts: [UInt32] = [0]
    for index in bytes.indices {
      let isEnd =
        bytes[index] == UInt8(ascii: "\n")
        || bytes[index] == UInt8(ascii: "\r") && (index + 1 == bytes.count || bytes[index + 1] != UInt8(ascii: "\n"))
      if isEnd { starts.append(UInt32(index + 1)) }
    }
    return starts
  }

  private static func transcode(
    _ bytes: ArraySlice<UInt8>, bigEndian: Bool, file: String
  ) throws(ConfigurationError) -> [UInt8] {
    let start = SourcePosition(file: file, line: 1, column: 1)
    guard bytes.count.isMultiple(of: 2) else {
      throw ConfigurationError(.encodingInvalid, at: start, "the UTF-16 text has an odd number of octets")
    }
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      units.append(bigEndian ? first << 8 | second : second << 8 | first)
      index += 2
    }
    var output: [UInt8] = []
    output.reserveCapacity(units.count)
    let isInvalid = Unicode.Scalar.transcode(units, to: &output)
    guard !isInvalid else {
      throw ConfigurationError(.encodingInvalid, at: start, "the text is not UTF-16", hint: "save the file as UTF-8")
    }
    return output
  }
}

extension Unicode.Scalar {
  /// Appends UTF-16 as UTF-8; true if a surrogate stands alone.
  fileprivate static func transcode(_ units: [UInt16], to output: inout [UInt8]) -> Bool {
    Swift.transcode(
      units.makeIterator(), from: UTF16.self, to: UTF8.self, stoppingOnError: true, into: { output.append($0) })
  }
}

/// Checks UTF-8.
enum UTF8Check {
  /// The offset of the first octet that is not part of well-formed UTF-8 (RFC 3629); nil if all are.
  static func firstError(_ bytes: [UInt8]) -> Int? {
    var index = 0
    while index < bytes.count {
      let lead = bytes[index]
      if lead < 0x80 {
        index += 1
        continue
      }
      let (length, low, high): (Int, UInt8, UInt8) =
        switch lead {
        case 0xC2...0xDF: (2, 0x80, 0xBF)
        case 0xE0: (3, 0xA0, 0xBF)
        case 0xE1...0xEC, 0xEE...0xEF: (3, 0x80, 0xBF)
        case 0xED: (3, 0x80, 0x9F)
        case 0xF0: (4, 0x90, 0xBF)
        case 0xF1...0xF3: (4, 0x80, 0xBF)
        case 0xF4: (4, 0x80, 0x8F)
        default: (0, 0, 0)
        }
      guard length > 0, index + length <= bytes.count, low...high ~= bytes[index + 1],
        bytes[(index + 2)..<(index + length)].allSatisfy({ 0x80...0xBF ~= $0 })
      else { return index }
      index += length
    }
    return nil
  }
}
