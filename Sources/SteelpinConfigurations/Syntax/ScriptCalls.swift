// SPDX-License-Identifier: Apache-2.0

/// Finds calls in JavaScript or TypeScript, past comments and strings.
enum ScriptCalls {
  /// Where the first argument of each call of a function begins.
  static func arguments(of function: StaticString, in text: SourceText) -> [Int] {
    let name = Array("\(function)(".utf8)
    let bytes = text.bytes
    var found: [Int] = []
    var index = 0
    while index < bytes.count {
      if let end = skipped(bytes, from: index) {
        index = end
      } else if bytes[index...].starts(with: name), index == 0 || !isWord(bytes[index - 1]) {
        index += name.count
        while index < bytes.count, bytes[index] <= 0x20 { index += 1 }
        found.append(index)
      } else {
        index += 1
      }
    }
    return found
  }

  /// The end of the comment or string that begins here; nil if none does. A quotation mark without another on its line is
  /// an apostrophe.
  private static func skipped(_ bytes: [UInt8], from start: Int) -> Int? {
    let rest = bytes[start...]
    if rest.starts(with: "//".utf8) { return rest.firstIndex(of: 0x0A) ?? bytes.count }
    if rest.starts(with: "/*".utf8) {
      return rest.dropFirst(2).firstRange(of: "*/".utf8)?.upperBound ?? bytes.count
    }
    let quote = bytes[start]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
    var index = start + 1
    while index < bytes.count, bytes[index] != 0x0A {
      if bytes[index] == quote { return index + 1 }
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return nil
  }

  private static func isWord(_ octet: UInt8) -> Bool {
    switch octet {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "$"): true
    default: false
    }
  }
}
