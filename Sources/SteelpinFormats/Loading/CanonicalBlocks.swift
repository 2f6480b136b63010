// SPDX-License-Identifier: Apache-2.0
import Steelpin

/// Reads PEM blocks of certificates in the one form that ``PEMText`` writes, and no other: LF, 64 columns, nothing else.
/// Most bundles have it, and it can be read at the speed of memory; every other form is for ``PEMScanner``.
struct CanonicalBlocks {
  /// What was decoded last stands at the start; it only grows.
  private var buffer = [UInt8](repeating: 0, count: 4096)
  /// How many bytes were decoded last.
  private var count = 0
  /// The lines that the last block has.
  private(set) var lineCount = 0

  /// The bytes that were decoded last.
  var content: ArraySlice<UInt8> { buffer[..<count] }

  /// Decodes the block that starts at an offset; returns the offset behind the line break of its END line, or nil if
  /// there is no block, no whole one, or one in another form.
  mutating func read(_ text: Span<UInt8>, at start: Int) -> Int? {
    guard Self.matches(beginLine, text, at: start) else { return nil }
    var position = start + beginLine.count
    count = 0
    lineCount = 2
    while position < text.count, text[position] != dash {
      if buffer.count - count < columns { buffer += [UInt8](repeating: 0, count: buffer.count) }
      lineCount += 1
      if text.count - position > columns, text[position + columns] == lineFeed,
        Base64Line.decode(text, at: position, into: &buffer, at: count)
      {
        count += Base64Line.octetCount
        position += columns + 1
        continue
      }
      let length = decodeLastLine(text, at: position)
      guard length > 0 else { return nil }
      position += length + 1
      break
    }
    guard count > 0, Self.matches(endLine, text, at: position) else { return nil }
    return position + endLine.count
  }

  /// Decodes a line that is not full, or that ends with padding; returns the number of its characters, or 0 if it is not
  /// as it should be.
  private mutating func decodeLastLine(_ text: Span<UInt8>, at start: Int) -> Int {
    var decoder = Base64Decoder()
    var position = start
    while position - start <= columns, position < text.count, text[position] != lineFeed {
      guard decoder.append(text[position]) else { return 0 }
      position += 1
    }
    guard position - start <= columns, position < text.count, let octets = decoder.finish() else { return 0 }
    buffer.replaceSubrange(count..<count + octets.count, with: octets)
    count += octets.count
    return position - start
  }

  private static func matches(_ line: [UInt8], _ text: Span<UInt8>, at start: Int) -> Bool {
    guard text.count - start >= line.count else { return false }
    for index in line.indices where text[start + index] != line[index] { return false }
    return true
  }
}

private let columns = Base64Line.width
private let dash = UInt8(ascii: "-")
private let lineFeed: UInt8 = 10
private let beginLine = Array("-----BEGIN CERTIFICATE-----\n".utf8)
private let endLine = Array("-----END CERTIFICATE-----\n".utf8)
