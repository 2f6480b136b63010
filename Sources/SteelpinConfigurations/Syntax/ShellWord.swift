// SPDX-License-Identifier: Apache-2.0

/// A word of a command line, as a shell splits it.
struct ShellWord {
  let text: String
  let offset: Int

  /// The words of a line, and whether a backslash at its end joins it with the next.
  static func words(of line: Range<Int>, in text: SourceText) -> (words: [ShellWord], continues: Bool) {
    var words: [ShellWord] = []
    var current: [UInt8] = []
    var start: Int?
    var quote: UInt8?
    var index = line.lowerBound
    while index < line.upperBound {
      let octet = text.bytes[index]
      if let open = quote {
        if octet == open { quote = nil } else { current.append(octet) }
      } else if octet == UInt8(ascii: "'") || octet == UInt8(ascii: "\"") {
        quote = octet
        start = start ?? index + 1
      } else if octet <= 0x20 {
        if let begin = start { words.append(ShellWord(text: String(decoding: current, as: UTF8.self), offset: begin)) }
        (current, start) = ([], nil)
      } else if octet == UInt8(ascii: "#"), start == nil {
        break
      } else if octet == UInt8(ascii: "\\"), index + 1 == line.upperBound {
        if let begin = start { words.append(ShellWord(text: String(decoding: current, as: UTF8.self), offset: begin)) }
        return (words, true)
      } else {
        start = start ?? index
        current.append(octet)
      }
      index += 1
    }
    if let begin = start { words.append(ShellWord(text: String(decoding: current, as: UTF8.self), offset: begin)) }
    return (words, false)
  }
}
