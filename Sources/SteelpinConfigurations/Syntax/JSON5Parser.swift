// SPDX-License-Identifier: Apache-2.0
internal import Steelpin

/// Parses JSON5 (comments, single quotes, bare keys, trailing commas, hexadecimal numbers) with the place of every value. Strict where JSON
/// parsers differ: a key that stands twice in one object is an error.
package struct JSON5Parser {
  private let text: SourceText
  private var index: Int
  private var nodes = 0

  /// A parser of the value that begins at an offset, after spaces and comments.
  init(_ text: SourceText, at offset: Int = 0) {
    self.text = text
    self.index = offset
  }

  /// Parses the whole rest of the text as one value.
  package static func document(_ text: SourceText) throws(ConfigurationError) -> DocumentNode {
    var parser = JSON5Parser(text)
    let node = try parser.value()
    try parser.skipSpace()
    guard parser.index == text.bytes.count else { throw parser.unexpected("the end of the file") }
    return node
  }

  /// Parses one value and stops behind it.
  mutating func value(depth: Int = 0) throws(ConfigurationError) -> DocumentNode {
    try skipSpace()
    nodes += 1
    guard depth < DocumentLimits.depth, nodes <= DocumentLimits.nodes else {
      throw ConfigurationError(
        .limitExceeded, at: text.position(at: index),
        "more than \(DocumentLimits.depth) levels or \(DocumentLimits.nodes) values are not read")
    }
    let start = index
    let value: DocumentNode.Value =
      switch peek {
      case UInt8(ascii: "{"): .object(try members(depth))
      case UInt8(ascii: "["): .array(try items(depth))
      case UInt8(ascii: "\""), UInt8(ascii: "'"): .string(try string())
      default: try literal()
      }
    return DocumentNode(value: value, position: text.position(at: start), range: start..<index)
  }

  private var peek: UInt8? { index < text.bytes.count ? text.bytes[index] : nil }

  private mutating func members(_ depth: Int) throws(ConfigurationError) -> [DocumentNode.Member] {
    index += 1
    var members: [DocumentNode.Member] = []
    var keys = Set<String>()
    while true {
      try skipSpace()
      if take("}") { return members }
      let start = index
      let key = try key()
      let position = text.position(at: start)
      guard keys.insert(key).inserted else {
        throw ConfigurationError(
          .keyDuplicate, at: position, "the key '\(key)' stands twice in this object", hint: "remove one of the two")
      }
      try skipSpace()
      guard take(":") else { throw unexpected("':' after the key") }
      members.append(DocumentNode.Member(key: key, keyPosition: position, value: try value(depth: depth + 1)))
      try skipSpace()
      if take(",") { continue }
      guard peek == UInt8(ascii: "}") else { throw unexpected("',' or '}'") }
    }
  }

  private mutating func items(_ depth: Int) throws(ConfigurationError) -> [DocumentNode] {
    index += 1
    var items: [DocumentNode] = []
    while true {
      try skipSpace()
      if take("]") { return items }
      items.append(try value(depth: depth + 1))
      try skipSpace()
      if take(",") { continue }
      guard peek == UInt8(ascii: "]") else { throw unexpected("',' or ']'") }
    }
  }

  private mutating func key() throws(ConfigurationError) -> String {
    if peek == UInt8(ascii: "\"") || peek == UInt8(ascii: "'") { return try string() }
    let start = index
    while let octet = peek, Self.isWord(octet) { index += 1 }
    guard index > start, let first = text.bytes[start..<index].first, !(0x30...0x39 ~= first) else {
      throw unexpected("a key")
    }
    return text.string(start..<index)
  }

  private mutating func literal() throws(ConfigurationError) -> DocumentNode.Value {
    let start = index
    while let octet = peek, Self.isWord(octet) || "+-.".utf8.contains(octet) { index += 1 }
    let word = text.string(start..<index)
    switch word {
    case "true": return .boolean(true)
    case "false": return .boolean(false)
    case "null": return .null
    default: break
    }
    if let number = JSON5Number.decimal(word) { return .number(number) }
    index = start
    if JSON5Number.isBoundless(word) {
      throw ConfigurationError(
        .syntax, at: text.position(at: start), "'\(word)' is no number that can stand here",
        hint: "write a number that has an end")
    }
    guard let first = word.utf8.first(where: { !"+-.".utf8.contains($0) }), 0x30...0x39 ~= first else {
      throw unexpected("a value")
    }
    throw ConfigurationError(
      .syntax, at: text.position(at: start), "'\(word.prefix(40))' is no number, or one that is too large",
      hint: "JSON5 has no zero before other digits, and hexadecimal numbers have 64 bits here")
  }

  private static func isWord(_ octet: UInt8) -> Bool {
    switch octet {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...: true
    default: false
    }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard let octet = peek, UInt32(octet) == character.value else { return false }
    index += 1
    return true
  }

  private func unexpected(_ wanted: String) -> ConfigurationError {
    let position = text.position(at: index)
    guard let octet = peek else {
      return ConfigurationError(.syntax, at: position, "the file ends where \(wanted) must stand")
    }
    let found = 0x20...0x7E ~= octet ? "'\(Character(Unicode.Scalar(octet)))'" : "the octet 0x\(Hex.encode([octet]))"
    return ConfigurationError(.syntax, at: position, "\(found) stands where \(wanted) must stand")
  }

  private mutating func skipSpace() throws(ConfigurationError) {
    while let octet = peek {
      if octet == 0x20 || 0x09...0x0D ~= octet {
        index += 1
      } else if octet == UInt8(ascii: "/"), index + 1 < text.bytes.count {
        let start = index
        if text.bytes[index + 1] == UInt8(ascii: "/") {
          while let octet = peek, octet != 0x0A, octet != 0x0D { index += 1 }
        } else if text.bytes[index + 1] == UInt8(ascii: "*") {
          guard let end = text.offset(of: "*/", from: index + 2) else {
            throw ConfigurationError(.syntax, at: text.position(at: start), "the comment has no end")
          }
          index = end + 2
        } else {
          return
        }
      } else {
        return
      }
    }
  }
}

extension JSON5Parser {
  private mutating func string() throws(ConfigurationError) -> String {
    let start = index
    let quote = text.bytes[index]
    index += 1
    var octets: [UInt8] = []
    while let octet = peek {
      if octet == quote {
        index += 1
        return String(decoding: octets, as: UTF8.self)
      }
      guard octet >= 0x20 else { break }
      index += 1
      if octet == UInt8(ascii: "\\") { try escape(into: &octets) } else { octets.append(octet) }
    }
    throw ConfigurationError(.syntax, at: text.position(at: start), "the string has no end in its line")
  }

  private mutating func escape(into octets: inout [UInt8]) throws(ConfigurationError) {
    let start = index - 1
    guard let octet = peek else { return }
    index += 1
    switch octet {
    case UInt8(ascii: "b"): octets.append(0x08)
    case UInt8(ascii: "f"): octets.append(0x0C)
    case UInt8(ascii: "n"): octets.append(0x0A)
    case UInt8(ascii: "r"): octets.append(0x0D)
    case UInt8(ascii: "t"): octets.append(0x09)
    case UInt8(ascii: "v"): octets.append(0x0B)
    case UInt8(ascii: "u"):
      var units: [UInt16] = []
      repeat {
        let digits = text.bytes[index..<min(index + 4, text.bytes.count)]
        guard digits.count == 4, let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16) else {
          throw ConfigurationError(.syntax, at: text.position(at: start), "'\\u' needs four hexadecimal digits")
        }
        units.append(unit)
        index += 4
        guard units.count == 1, UTF16.isLeadSurrogate(unit), text.offset(of: "\\u", from: index) == index else { break }
        index += 2
      } while true
      octets += String(decoding: units, as: UTF16.self).utf8
    case 0x0A: break
    case 0x0D: if peek == 0x0A { index += 1 }
    default: octets.append(octet)
    }
  }
}
