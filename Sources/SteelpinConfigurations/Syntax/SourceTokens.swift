// SPDX-License-Identifier: Apache-2.0

/// A token of Kotlin or Java source, as far as finding pins needs it: comments are gone, strings are decoded.
struct SourceToken: Sendable, Equatable {
  enum Kind: Sendable, Equatable {
    /// A string literal; nil if it has a template or is put together at run time.
    case string(String?)
    case symbol(UInt8)
    case word(String)
  }

  let kind: Kind
  let offset: Int

  func isSymbol(_ character: Unicode.Scalar) -> Bool { kind == .symbol(UInt8(truncatingIfNeeded: character.value)) }
}

/// Splits Kotlin or Java source into tokens.
struct SourceTokenizer {
  private let bytes: [UInt8]
  private var index = 0
  private var tokens: [SourceToken] = []

  static func tokens(of text: SourceText) throws(ConfigurationError) -> [SourceToken] {
    var tokenizer = SourceTokenizer(bytes: text.bytes)
    while tokenizer.index < tokenizer.bytes.count {
      guard tokenizer.step() else {
        throw ConfigurationError(.syntax, at: text.position(at: tokenizer.index), "a comment or a string has no end")
      }
      guard tokenizer.tokens.count <= DocumentLimits.nodes else {
        throw ConfigurationError(
          .limitExceeded, at: text.position(at: tokenizer.index),
          "more than \(DocumentLimits.nodes) tokens are not read")
      }
    }
    return tokenizer.tokens
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  /// Takes one token or one comment; false if it has no end.
  private mutating func step() -> Bool {
    let octet = bytes[index]
    if octet <= 0x20 {
      index += 1
    } else if starts(with: "//") {
      while index < bytes.count, bytes[index] != 0x0A { index += 1 }
    } else if starts(with: "/*") {
      guard let end = find("*/", from: index + 2) else { return false }
      index = end + 2
    } else if starts(with: "\"\"\"") {
      guard let end = find("\"\"\"", from: index + 3) else { return false }
      let content = bytes[(index + 3)..<end]
      let text = content.contains(UInt8(ascii: "$")) ? nil : String(decoding: content, as: UTF8.self)
      tokens.append(SourceToken(kind: .string(text), offset: index + 3))
      index = end + 3
    } else if octet == UInt8(ascii: "\"") || octet == UInt8(ascii: "'") {
      return string(octet)
    } else if Self.isWord(octet) {
      let start = index
      while index < bytes.count, Self.isWord(bytes[index]) { index += 1 }
      tokens.append(SourceToken(kind: .word(String(decoding: bytes[start..<index], as: UTF8.self)), offset: start))
    } else {
      tokens.append(SourceToken(kind: .symbol(octet), offset: index))
      index += 1
    }
    return true
  }

  private mutating func string(_ quote: UInt8) -> Bool {
    let start = index
    index += 1
    var content: [UInt8] = []
    var isLiteral = true
    while index < bytes.count, bytes[index] != 0x0A {
      let octet = bytes[index]
      index += 1
      if octet == quote {
        let text = isLiteral ? String(decoding: content, as: UTF8.self) : nil
        tokens.append(SourceToken(kind: .string(text), offset: start + 1))
        return true
      }
      if octet == UInt8(ascii: "\\"), index < bytes.count {
        content.append(bytes[index])
        index += 1
      } else {
        if octet == UInt8(ascii: "$") { isLiteral = false }
        content.append(octet)
      }
    }
    index = start
    return false
  }

  private func starts(with text: StaticString) -> Bool {
    bytes[index...].starts(with: "\(text)".utf8)
  }

  private func find(_ text: StaticString, from start: Int) -> Int? {
    let wanted = Array("\(text)".utf8)
    guard start <= bytes.count else { return nil }
    return bytes[start...].firstRange(of: wanted)?.lowerBound
  }

  private static func isWord(_ octet: UInt8) -> Bool {
    switch octet {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), 0x80...: true
    default: false
    }
  }
}
