// SPDX-License-Identifier: Apache-2.0

/// The bytes of a PEM body as they are decoded, and what is peculiar about its lines.
struct PEMBody {
  private var bytes: [UInt8] = []
  private var group: UInt32 = 0
  private var count = 0
  private var padding = 0
  private var sawNewline = false
  private var isAtLineStart = false
  private var pendingSpace = false
  private var hasText = false
  var traits: PEMTraits = []

  init(capacity: Int) { bytes.reserveCapacity(capacity) }

  /// Whether the next character starts a group of four.
  var isAtGroupStart: Bool { count == 0 && padding == 0 }

  /// Takes a whole group: four characters, 24 bits.
  @inline(__always)
  mutating func append(_ group: UInt32) {
    bytes.append(UInt8(truncatingIfNeeded: group >> 16))
    bytes.append(UInt8(truncatingIfNeeded: group >> 8))
    bytes.append(UInt8(truncatingIfNeeded: group))
  }

  /// Takes one character; false if it cannot stand here.
  mutating func append(character: UInt8) -> Bool {
    noteText()
    if character == UInt8(ascii: "=") {
      // Padding completes a group that has two or three characters.
      guard count >= 2, count + padding < 4 else { return false }
      padding += 1
      return true
    }
    let value = Base64Values.table[Int(character)]
    guard value < 64, padding == 0 else { return false }
    group = group << 6 | UInt32(value)
    count += 1
    if count == 4 {
      append(group)
      group = 0
      count = 0
    }
    return true
  }

  /// Remembers that a line ends here.
  mutating func noteNewline() {
    sawNewline = true
    isAtLineStart = true
    pendingSpace = false
  }

  /// Remembers white space: it indents a line, stands inside one, or trails it, which the next character tells.
  mutating func noteSpace() { pendingSpace = true }

  /// Remembers that base64 stands here.
  mutating func noteText() {
    if pendingSpace {
      traits.insert(isAtLineStart ? .indented : .spaces)
      pendingSpace = false
    }
    isAtLineStart = false
    hasText = true
  }

  /// The decoded bytes; nil if the last group is incomplete or has pad bits that are not zero.
  consuming func finish() -> [UInt8]? {
    switch (count, padding) {
    case (0, 0): break
    case (2, 2) where group & 0x0F == 0: bytes.append(UInt8(truncatingIfNeeded: group >> 4))
    case (3, 1) where group & 0x03 == 0:
      bytes.append(UInt8(truncatingIfNeeded: group >> 10))
      bytes.append(UInt8(truncatingIfNeeded: group >> 2))
    default: return nil
    }
    return bytes
  }
}

/// What each character of base64 stands for.
enum Base64Values {
  /// Six bits for each character of the alphabet, 255 for any other.
  static let table: [256 of UInt8] = {
    var table = [256 of UInt8](repeating: 255)
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for (value, character) in alphabet.utf8.enumerated() { table[Int(character)] = UInt8(value) }
    return table
  }()
}

/// Names for characters that people cannot see or tell apart.
enum CharacterNames {
  /// The first character of the bytes, in words.
  static func describe(_ bytes: ArraySlice<UInt8>) -> String {
    guard let first = bytes.first else { return "the end of the file" }
    if 0x21...0x7E ~= first { return "the character “\(Character(Unicode.Scalar(first)))”" }
    let text = bytes.prefix(4)
    let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    guard let scalar = String(validating: text.prefix(length), as: UTF8.self)?.unicodeScalars.first else {
      return "the byte 0x\(String(first, radix: 16, uppercase: true))"
    }
    let digits = String(scalar.value, radix: 16, uppercase: true)
    let code = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    guard let name = scalar.properties.name ?? scalar.properties.nameAlias else { return "the character \(code)" }
    return "\(name) (\(code))"
  }
}
