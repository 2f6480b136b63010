// SPDX-License-Identifier: Apache-2.0
internal import Steelpin

/// What became of a piece of a bundle all whose blocks are in the one form that most bundles have.
struct BundlePiece<Output: Sendable>: Sendable {
  /// What was made of one certificate.
  struct Entry: Sendable {
    let output: Output
    /// Of its BEGIN line, in the bytes that the piece is of.
    let offset: Int
    /// Of its BEGIN line, counted from the start of the piece.
    let line: Int
  }

  private(set) var entries: [Entry] = []
  private(set) var lineCount = 0

  /// Goes through whole blocks at the speed of memory; nil if one of them is in another form, or is no certificate.
  init?(
    _ bytes: [UInt8], _ range: Range<Int>, _ transform: (BundleStream.Item) throws(CertificateError) -> Output
  ) {
    var canonical = CanonicalBlocks()
    let text = bytes.span.extracting(0..<range.upperBound)
    var position = range.lowerBound
    while position < range.upperBound {
      let byte = text[position]
      // A hyphen, or the first byte of a dash that a word processor puts in its place.
      guard byte == UInt8(ascii: "-") || byte == 0xE2 else {
        position += 1
        // A carriage return alone ends a line, too; before a line feed it is part of one.
        if byte == 10 || byte == 13 && !(position < range.upperBound && text[position] == 10) { lineCount += 1 }
        continue
      }
      guard let next = canonical.read(text, at: position), let outline = CertificateOutline(canonical.content.span)
      else { return nil }
      let item = BundleStream.Item(
        der: canonical.content, isCanonical: true, outline: outline, text: bytes[position..<next])
      guard let output = try? transform(item) else { return nil }
      entries.append(Entry(output: output, offset: position, line: lineCount))
      lineCount += canonical.lineCount
      position = next
    }
  }

  /// Where to cut bytes that end with a block, so that each piece does and has about the size.
  static func cut(_ bytes: Span<UInt8>, size: Int) -> [Range<Int>] {
    var pieces: [Range<Int>] = []
    var start = 0
    while start < bytes.count {
      let end = bytes.count - start > size ? endOfBlock(bytes, from: start + size) : bytes.count
      pieces.append(start..<end)
      start = end
    }
    return pieces
  }

  /// The offset behind the next line that ends a block.
  private static func endOfBlock(_ bytes: Span<UInt8>, from start: Int) -> Int {
    let mark = Array("-----END ".utf8)
    var position = start
    var matched = 0
    while position < bytes.count, matched < mark.count {
      if bytes[position] == mark[matched] {
        matched += 1
      } else if bytes[position] == mark[0] {
        // Of a run of hyphens the last five are meant.
        matched = matched == 5 ? 5 : 1
      } else {
        matched = 0
      }
      position += 1
    }
    while position < bytes.count, bytes[position] != 10 { position += 1 }
    return min(position + 1, bytes.count)
  }
}
