// SPDX-License-Identifier: Apache-2.0

/// Base64 as in RFC 4648 section 4, strictly: complete padding, zero pad bits, no other characters.
package enum Base64 {
  /// The text, with padding and without line breaks.
  package static func encode(_ bytes: some Collection<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var group: UInt32 = 0
    var count = 0
    for byte in bytes {
      group = group << 8 | UInt32(byte)
      count += 1
      guard count == 3 else { continue }
      for shift in [18, 12, 6, 0] as [UInt32] { text.append(alphabet[Int(group >> shift & 63)]) }
      group = 0
      count = 0
    }
    if count > 0 {
      group <<= UInt32(8 * (3 - count))
      for index in 0..<4 {
        text.append(index <= count ? alphabet[Int(group >> UInt32(18 - 6 * index) & 63)] : pad)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes that the text stands for; nil unless it is exactly one base64 value.
  package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    var decoder = Base64Decoder()
    decoder.reserveCapacity(text.count / 4 * 3)
    for character in text {
      guard decoder.append(character) else { return nil }
    }
    return decoder.finish()
  }

  fileprivate static let pad = UInt8(ascii: "=")
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The six bits of each character; 255 for a character outside the alphabet.
  fileprivate static let values: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()
}

/// Decodes base64 one character at a time, so that a caller can skip line breaks and point at the character that is
/// wrong.
package struct Base64Decoder {
  private var bytes: [UInt8] = []
  private var group: UInt32 = 0
  private var count = 0
  private var padding = 0
  private let values = Base64.values

  package init() {}

  package mutating func reserveCapacity(_ capacity: Int) { bytes.reserveCapacity(capacity) }

  /// Takes one character; false if it cannot stand here.
  package mutating func append(_ character: UInt8) -> Bool {
    if character == Base64.pad {
      // Padding completes a group that has two or three characters.
      guard count >= 2, count + padding < 4 else { return false }
      padding += 1
      return true
    }
    let value = values[Int(character)]
    guard value != 255, padding == 0 else { return false }
    group = group << 6 | UInt32(value)
    count += 1
    if count == 4 {
      bytes.append(UInt8(truncatingIfNeeded: group >> 16))
      bytes.append(UInt8(truncatingIfNeeded: group >> 8))
      bytes.append(UInt8(truncatingIfNeeded: group))
      group = 0
      count = 0
    }
    return true
  }

  /// The bytes, or nil if the last group is incomplete or has pad bits that are not zero.
  package consuming func finish() -> [UInt8]? {
    switch (count, padding) {
    case (0, 0): break
    case (2, 2) where group & 0x0F == 0: bytes.append(UInt8(group >> 4))
    case (3, 1) where group & 0x03 == 0:
      bytes.append(UInt8(group >> 10))
      bytes.append(UInt8(group >> 2 & 0xFF))
    default: return nil
    }
    return bytes
  }
}
