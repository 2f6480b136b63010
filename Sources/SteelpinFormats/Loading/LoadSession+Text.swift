// SPDX-License-Identifier: Apache-2.0
import Steelpin

/// Text: its encodings, PEM, and base64 without boundaries.
extension LoadSession {
  /// The text as UTF-8 without a byte order mark; bytes of other encodings stay as they are.
  mutating func decodeText(_ bytes: [UInt8]) throws(LoadError) -> [UInt8] {
    let start = FilePlace(file: name)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      note(.byteOrderMark, start)
      return Array(bytes.dropFirst(3))
    }
    guard let wide = WideText(bytes) else { return bytes }
    note(.wideText, start, "the text is \(wide.name)")
    guard let text = wide.decode(bytes) else {
      throw LoadError(
        .unknownContent, start, "is \(wide.name) text that is damaged", remedy: "get the file again from its source")
    }
    return text
  }

  /// Loads all PEM blocks; false if there is none.
  mutating func loadPEM(_ text: [UInt8]) throws(LoadError) -> Bool {
    var scanner = PEMScanner(text)
    var found = false
    while true {
      let block: PEMBlock
      do throws(PEMFault) {
        guard let next = try scanner.next() else { return found }
        block = next
      } catch {
        let place = FilePlace(
          file: name, block: scanner.blockCount > 0 ? scanner.blockCount : nil, offset: error.offset, line: error.line,
          column: error.column)
        guard passesOverBroken else { throw LoadError(error.code, place, error.what, remedy: error.remedy) }
        note(.brokenEntry, place, error.what)
        found = true
        continue
      }
      let place = FilePlace(file: name, block: scanner.blockCount, offset: block.start, line: block.line)
      if !found || !block.traits.isEmpty { noteTraits(block.traits, at: place) }
      found = true
      try addBlock(block, at: place)
    }
  }

  /// One note of a kind is enough for a file.
  private mutating func noteTraits(_ traits: PEMTraits, at place: FilePlace) {
    for (trait, code) in PEMTraits.notes where traits.contains(trait) {
      if !file.notes.contains(where: { $0.code == code }) { note(code, place) }
    }
  }

  private mutating func addBlock(_ block: PEMBlock, at place: FilePlace) throws(LoadError) {
    let label = String(decoding: block.label, as: UTF8.self)
    if label.hasSuffix("PRIVATE KEY") || label.hasPrefix("PGP ") || label.hasPrefix("SSH2 ") {
      // The content is not looked at: there is nothing in it that may be used.
      addItem(ContentErrors.kind(ofLabel: label, isEncrypted: block.isEncrypted), [], at: place)
      return
    }
    if label == "TRUSTED CERTIFICATE" {
      let value = try outerValue(of: block.content[...], at: place)
      note(.trustAttributesIgnored, place)
      try addCertificate(Array(value), at: place)
      return
    }
    if block.content.isEmpty {
      throw LoadError(.truncated, place, "the block is empty", remedy: "get the file again from its source")
    }
    if label.hasSuffix("PARAMETERS") || label == "ATTRIBUTE CERTIFICATE" {
      addItem(.other, block.content, at: place)
      return
    }
    if block.content.starts(with: Array("-----BEGIN ".utf8)) {
      throw LoadError(
        .unsupported, place, "the block holds PEM inside PEM",
        remedy: "decode it once: sed '/-----/d' FILE | base64 -d > decoded.pem")
    }
    if passesOverBroken {
      do throws(LoadError) {
        _ = try addOnlyValue(block.content, at: place)
      } catch {
        note(.brokenEntry, place, error.what)
      }
      return
    }
    _ = try addOnlyValue(block.content, at: place)
  }

  /// Loads base64 without boundaries; false if the text is something else.
  mutating func loadBareBase64(_ text: [UInt8]) throws(LoadError) -> Bool {
    // `MI` is how the base64 of every DER value with a long length starts: 0x30 0x82, or 0x30 0x80.
    let trimmed = text.drop { isBlank($0) || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }
    guard trimmed.starts(with: Array("MI".utf8)) else { return false }
    var body = PEMBody(capacity: trimmed.count / 4 * 3)
    var line = 1
    var lineStart = 0
    let counted = text[..<trimmed.startIndex].filter { $0 == 10 }.count
    line += counted
    for (offset, byte) in zip(trimmed.indices, trimmed) {
      switch byte {
      case 10:
        line += 1
        lineStart = offset + 1
      case _ where isBlank(byte): break
      case UInt8(ascii: "\""), UInt8(ascii: "'"): body.traits.insert(.quoted)
      case UInt8(ascii: "\\"): body.traits.insert(.escapes)
      case UInt8(ascii: "n") where offset > 0 && text[offset - 1] == UInt8(ascii: "\\"): break
      default:
        guard body.append(character: byte) else {
          throw LoadError(
            .badBase64,
            FilePlace(
              file: name, block: 1, offset: offset, line: line,
              column: text[lineStart..<offset].reduce(1) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }),
            "\(CharacterNames.describe(text[offset...])) cannot stand in base64",
            remedy: "remove or repair it, or get the file again from its source")
        }
      }
    }
    let place = FilePlace(file: name, block: 1, offset: trimmed.startIndex, line: 1 + counted)
    let traits = body.traits
    guard let der = body.finish() else {
      throw LoadError(
        .badBase64, place, "the base64 is incomplete", remedy: "characters are missing: get the file again")
    }
    note(.bareBase64, place)
    for (trait, code) in PEMTraits.notes where traits.contains(trait) && trait != .indented && trait != .spaces {
      note(code, place)
    }
    _ = try addOnlyValue(der, at: place)
    return true
  }
}

/// The wide encodings of text: UTF-16 as PowerShell 5 and Exchange write it, and UTF-32.
struct WideText {
  let name: String
  private let unitSize: Int
  private let isBigEndian: Bool
  private let markSize: Int

  /// The encoding that a byte order mark, or a hyphen with its zero bytes, tells; nil for text of single bytes.
  init?(_ bytes: [UInt8]) {
    let forms: [(start: [UInt8], name: String, size: Int, big: Bool, mark: Int)] = [
      ([0xFF, 0xFE, 0, 0], "UTF-32", 4, false, 4), ([0, 0, 0xFE, 0xFF], "UTF-32", 4, true, 4),
      ([0xFF, 0xFE], "UTF-16", 2, false, 2), ([0xFE, 0xFF], "UTF-16", 2, true, 2),
      ([0x2D, 0, 0x2D, 0], "UTF-16 without a byte order mark", 2, false, 0),
      ([0, 0x2D, 0, 0x2D], "UTF-16 without a byte order mark", 2, true, 0),
    ]
    guard let form = forms.first(where: { bytes.starts(with: $0.start) }) else { return nil }
    (name, unitSize, isBigEndian, markSize) = (form.name, form.size, form.big, form.mark)
  }

  /// The text in UTF-8; nil if it is not well formed.
  func decode(_ bytes: [UInt8]) -> [UInt8]? {
    let content = bytes.dropFirst(markSize)
    guard content.count.isMultiple(of: unitSize) else { return nil }
    let units = stride(from: content.startIndex, to: content.endIndex, by: unitSize).map { start in
      let unit = content[start..<start + unitSize]
      return isBigEndian
        ? unit.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } : unit.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    let text =
      unitSize == 2
      ? String(validating: units.map { UInt16(truncatingIfNeeded: $0) }, as: UTF16.self)
      : String(validating: units, as: UTF32.self)
    return text.map { Array($0.utf8) }
  }
}
