// SPDX-License-Identifier: Apache-2.0
import Steelpin

/// One block of PEM (RFC 7468), decoded.
struct PEMBlock {
  /// The words after BEGIN.
  let label: ArraySlice<UInt8>
  /// The offset of the BEGIN boundary.
  let start: Int
  /// The line of the BEGIN boundary.
  let line: Int
  /// The offset behind the END boundary.
  let end: Int
  /// The decoded body.
  let content: [UInt8]
  /// What is peculiar about the text.
  let traits: PEMTraits
  /// Whether a header of RFC 1421 says that the body is encrypted.
  let isEncrypted: Bool
}

/// Peculiarities of PEM text that the scanner forgives.
struct PEMTraits: OptionSet {
  let rawValue: UInt8

  static let carriageReturns = PEMTraits(rawValue: 1)
  static let escapes = PEMTraits(rawValue: 2)
  static let indented = PEMTraits(rawValue: 4)
  static let quoted = PEMTraits(rawValue: 8)
  static let spaces = PEMTraits(rawValue: 16)

  /// The note of each.
  static let notes: [(trait: PEMTraits, code: LoadNoteCode)] = [
    (.carriageReturns, .carriageReturns), (.escapes, .escapedNewlines), (.indented, .indented),
    (.quoted, .quoted), (.spaces, .spacesForNewlines),
  ]
}

/// What is wrong with PEM text, and where.
struct PEMFault: Error {
  let code: LoadErrorCode
  let offset: Int
  let line: Int
  let column: Int?
  let what: String
  let remedy: String?
}

/// Finds the blocks of PEM in bytes that may hold any text, in any or no encoding, between them.
///
/// It goes over every byte once, and decodes while it looks for the END line.
struct PEMScanner {
  private let bytes: [UInt8]
  private let values = Base64Values.table
  private var position: Int
  private var line: Int
  private var lineStart: Int

  /// How many blocks were begun.
  private(set) var blockCount = 0

  init(_ bytes: [UInt8], from position: Int = 0, line: Int = 1) {
    self.bytes = bytes
    self.position = position
    self.line = line
    self.lineStart = position
  }

  /// The line that the scanner has come to.
  var currentLine: Int { line }

  /// The next block; nil at the end. After a fault the scanner stands behind the line that is wrong.
  mutating func next() throws(PEMFault) -> PEMBlock? {
    while let boundary = try findBoundary() {
      guard boundary.isBegin else {
        throw fault(.endMismatch, boundary.start, "an END line without its BEGIN line")
      }
      blockCount += 1
      return try readBlock(at: boundary.start)
    }
    return nil
  }

  // MARK: Boundaries

  private mutating func findBoundary() throws(PEMFault) -> (start: Int, isBegin: Bool)? {
    while position < bytes.count {
      let byte = bytes[position]
      guard byte == dash || byte == 0xE2 else {
        advance(over: byte)
        continue
      }
      let start = position
      var dashes = 0
      while let width = dashWidth(at: position) {
        dashes += width == 1 ? 1 : 100
        position += width
      }
      if dashes == 0 { position += 1 }
      guard dashes > 0, let word = boundaryWord(at: position) else { continue }
      if dashes == 5, word.isExact { return (start, word.isBegin) }
      guard looksLikeBoundary(at: position) else { continue }
      throw fault(
        .boundaryDamaged, start, "the \(word.isBegin ? "BEGIN" : "END") line is damaged",
        remedy: "such a line has exactly five hyphens on either side of its words, in capitals")
    }
    return nil
  }

  /// Steps over one byte of text between blocks or in a body, and counts lines.
  private mutating func advance(over byte: UInt8) {
    position += 1
    guard byte == lineFeed || byte == carriageReturn && !(position < bytes.count && bytes[position] == lineFeed)
    else { return }
    line += 1
    lineStart = position
  }

  /// The bytes of a hyphen, or of a dash that a word processor puts in its place; nil if there is neither.
  private func dashWidth(at offset: Int) -> Int? {
    guard offset < bytes.count else { return nil }
    if bytes[offset] == dash { return 1 }
    guard offset + 2 < bytes.count, bytes[offset] == 0xE2, bytes[offset + 1] == 0x80,
      0x90...0x95 ~= bytes[offset + 2]
    else { return nil }
    return 3
  }

  /// Whether BEGIN or END comes next, whatever the case of its letters.
  private func boundaryWord(at offset: Int) -> (isBegin: Bool, isExact: Bool)? {
    if matches(beginWord, at: offset) { return (true, true) }
    if matches(endWord, at: offset) { return (false, true) }
    let next = bytes[offset...].prefix(12).drop { $0 == space }.map { $0 & 0xDF }
    if next.starts(with: beginWord.map { $0 & 0xDF }) { return (true, false) }
    if next.starts(with: endWord.map { $0 & 0xDF }) { return (false, false) }
    return nil
  }

  /// Whether the rest of the line speaks of what PEM holds, so that it is no ordinary text.
  private func looksLikeBoundary(at offset: Int) -> Bool {
    let words = bytes[offset...].prefix(64).prefix { $0 != lineFeed && $0 != carriageReturn }
    let text = words.map { 0x61...0x7A ~= $0 ? $0 & 0xDF : $0 }
    return boundaryNouns.contains { noun in
      text.indices.contains { text[$0...].starts(with: noun) }
    }
  }

  private func matches(_ word: [UInt8], at offset: Int) -> Bool {
    guard bytes.count - offset >= word.count else { return false }
    for index in word.indices where bytes[offset + index] != word[index] { return false }
    return true
  }

  // MARK: Blocks

  private mutating func readBlock(at start: Int) throws(PEMFault) -> PEMBlock {
    let beginLine = line
    let label = try readLabel(after: beginWord, of: start)
    let isEncrypted = skipHeaders()
    var body = PEMBody(capacity: min(bytes.count - position, 6000) / 4 * 3)
    while true {
      decodeGroups(into: &body)
      guard position < bytes.count else {
        throw PEMFault(
          code: .endMissing, offset: start, line: beginLine, column: nil,
          what: "the END line of the block that begins here is missing",
          remedy: "the file is cut short: get it again from its source")
      }
      if bytes[position] == dash { break }
      try decodeOne(into: &body)
    }
    let endStart = position
    guard matches(endBoundary, at: position) else {
      if matches(beginBoundary, at: position) {
        throw PEMFault(
          code: .endMissing, offset: start, line: beginLine, column: nil,
          what: "the END line of the block that begins here is missing; another begins at line \(line)",
          remedy: "the block is cut short: get it again from its source")
      }
      position += 1
      if boundaryWord(at: bytes[position...].prefix { $0 == dash }.endIndex) != nil {
        throw fault(
          .boundaryDamaged, endStart, "the END line is damaged",
          remedy: "such a line has exactly five hyphens on either side of its words, in capitals")
      }
      throw characterFault(at: endStart)
    }
    position += 5
    let endLine = line
    guard let content = body.finish() else {
      throw PEMFault(
        code: .badBase64, offset: endStart, line: endLine, column: nil,
        what: "the base64 before this END line is incomplete", remedy: "characters are missing: get the file again")
    }
    let endLabel = try readLabel(after: endWord, of: endStart)
    guard endLabel == label else {
      throw PEMFault(
        code: .endMismatch, offset: endStart, line: endLine, column: nil,
        what: "BEGIN \(Self.text(label)) at line \(beginLine) ends with END \(Self.text(endLabel))", remedy: nil)
    }
    return PEMBlock(
      label: label, start: start, line: beginLine, end: position, content: content, traits: body.traits,
      isEncrypted: isEncrypted)
  }

  /// Reads the words of a boundary whose BEGIN or END comes next, and its five hyphens.
  private mutating func readLabel(after word: [UInt8], of start: Int) throws(PEMFault) -> ArraySlice<UInt8> {
    let first = position + word.count
    var end = first
    while end < bytes.count, end - first < 64, 0x20...0x7E ~= bytes[end], bytes[end] != dash { end += 1 }
    guard matches(fiveDashes, at: end) else {
      position = first
      throw fault(
        .boundaryDamaged, start, "the \(word == beginWord ? "BEGIN" : "END") line is damaged",
        remedy: "such a line has exactly five hyphens on either side of its words, in capitals")
    }
    position = end + 5
    return bytes[first..<end]
  }

  /// Steps over the headers of RFC 1421, which end with an empty line, and tells whether they speak of encryption.
  private mutating func skipHeaders() -> Bool {
    var isEncrypted = false
    var cursor = position
    var newlines = 0
    var isHeader = false
    var endsBlank = false
    while cursor < bytes.count {
      let lineBytes = bytes[cursor...].prefix(1024).prefix { $0 != lineFeed }
      let isBlank = lineBytes.allSatisfy { $0 <= space }
      if newlines > 0, isBlank {
        endsBlank = true
        break
      }
      if !isBlank, newlines > 0 {
        // Only a header, or the continuation of one, is stepped over.
        guard lineBytes.contains(colon) || isHeader && lineBytes.first.map({ $0 == space || $0 == 9 }) == true else {
          break
        }
        isHeader = true
        isEncrypted = isEncrypted || Self.text(lineBytes).contains("ENCRYPTED")
      } else if !isBlank {
        return false
      }
      guard lineBytes.endIndex < bytes.count, bytes[lineBytes.endIndex] == lineFeed else { break }
      cursor = lineBytes.endIndex + 1
      newlines += 1
    }
    guard isHeader, endsBlank else { return false }
    position = cursor
    line += newlines
    lineStart = cursor
    return isEncrypted
  }

  // MARK: Bodies

  /// Decodes whole groups of four characters as long as nothing else comes.
  private mutating func decodeGroups(into body: inout PEMBody) {
    guard body.isAtGroupStart else { return }
    let start = position
    let end = bytes.count - 3
    var cursor = position
    while cursor < end {
      let a = values[Int(bytes[cursor])]
      let b = values[Int(bytes[cursor + 1])]
      let c = values[Int(bytes[cursor + 2])]
      let d = values[Int(bytes[cursor + 3])]
      guard (a | b | c | d) & 0x80 == 0 else { break }
      body.append(UInt32(a) << 18 | UInt32(b) << 12 | UInt32(c) << 6 | UInt32(d))
      cursor += 4
    }
    position = cursor
    if cursor > start { body.noteText() }
  }

  private mutating func decodeOne(into body: inout PEMBody) throws(PEMFault) {
    let byte = bytes[position]
    switch byte {
    case lineFeed:
      body.noteNewline()
      advance(over: byte)
    case carriageReturn:
      body.noteNewline()
      if !(position + 1 < bytes.count && bytes[position + 1] == lineFeed) { body.traits.insert(.carriageReturns) }
      advance(over: byte)
    case space, 9:
      body.noteSpace()
      position += 1
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      body.traits.insert(.quoted)
      position += 1
    case UInt8(ascii: ",") where body.traits.contains(.quoted):
      position += 1
    case UInt8(ascii: "\\"):
      guard let width = readEscape(into: &body) else { throw characterFault(at: position) }
      position += width
    default:
      guard body.append(character: byte) else { throw characterFault(at: position) }
      position += 1
    }
  }

  /// Takes `\n`, `\r`, `\t`, `\/`, a backslash at the end of a line, or a character of base64 as `\u` and four digits;
  /// returns the number of bytes, or nil for another escape.
  private func readEscape(into body: inout PEMBody) -> Int? {
    var next = position
    // Text that was escaped twice has two backslashes.
    while next < bytes.count, bytes[next] == UInt8(ascii: "\\"), next - position < 4 { next += 1 }
    guard next < bytes.count else { return nil }
    body.traits.insert(.escapes)
    switch bytes[next] {
    case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      body.noteNewline()
      return next + 1 - position
    case UInt8(ascii: "/"), lineFeed, carriageReturn: return next - position
    case UInt8(ascii: "u"):
      let digits = bytes[(next + 1)...].prefix(4)
      guard digits.count == 4, let code = Hex.decode(digits), code[0] == 0, body.append(character: code[1]) else {
        return nil
      }
      return next + 5 - position
    default: return nil
    }
  }

  // MARK: Faults

  private func fault(_ code: LoadErrorCode, _ offset: Int, _ what: String, remedy: String? = nil) -> PEMFault {
    PEMFault(code: code, offset: offset, line: line, column: nil, what: what, remedy: remedy)
  }

  private func characterFault(at offset: Int) -> PEMFault {
    let column = bytes[lineStart..<max(lineStart, offset)].reduce(1) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
    return PEMFault(
      code: .badBase64, offset: offset, line: line, column: column,
      what: "\(CharacterNames.describe(bytes[offset...])) cannot stand in base64",
      remedy: "remove or repair it, or get the file again from its source")
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.prefix(1024).map { 0x20...0x7E ~= $0 ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
  }
}

private let dash = UInt8(ascii: "-")
private let space = UInt8(ascii: " ")
private let colon = UInt8(ascii: ":")
private let lineFeed: UInt8 = 10
private let carriageReturn: UInt8 = 13
private let beginWord = Array("BEGIN ".utf8)
private let endWord = Array("END ".utf8)
private let fiveDashes = Array("-----".utf8)
private let beginBoundary = Array("-----BEGIN ".utf8)
private let endBoundary = Array("-----END ".utf8)
private let boundaryNouns = ["CERTIFICATE", "PKCS7", "PKCS12", "CMS", "PRIVATE KEY", "PUBLIC KEY", "X509"]
  .map { Array($0.utf8) }
