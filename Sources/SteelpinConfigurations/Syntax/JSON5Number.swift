// SPDX-License-Identifier: Apache-2.0

/// Numbers of JSON5: decimal or hexadecimal, with a sign before them, and with nothing before or behind the point.
enum JSON5Number {
  /// The number as JSON writes it, so that whoever reads a value need not know JSON5; nil if the word is none.
  ///
  /// A fraction of zeros is left out: `2.` and `2.0` are the whole number 2. As in JSON5 no zero stands before other
  /// digits, which elsewhere makes a number octal.
  static func decimal(_ word: String) -> String? {
    var rest = Array(word.utf8)[...]
    let sign = rest.first == UInt8(ascii: "-") ? "-" : ""
    if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    if rest.starts(with: "0x".utf8) || rest.starts(with: "0X".utf8) {
      let digits = rest.dropFirst(2)
      guard digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-"),
        let value = UInt64(String(decoding: digits, as: UTF8.self), radix: 16)
      else { return nil }
      return sign + String(value)
    }
    let whole = takeDigits(&rest)
    var fraction = ""
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      fraction = takeDigits(&rest)
    }
    guard !(whole.isEmpty && fraction.isEmpty), whole.count == 1 || !whole.hasPrefix("0"),
      let exponent = exponent(rest)
    else { return nil }
    let hasFraction = fraction.utf8.contains { $0 != UInt8(ascii: "0") }
    let number = sign + (whole.isEmpty ? "0" : whole) + (hasFraction ? "." + fraction : "") + exponent
    return Double(number)?.isFinite == true ? number : nil
  }

  /// Whether a word is one of the numbers that JSON5 has and no document needs.
  static func isBoundless(_ word: String) -> Bool {
    let name = word.first == "+" || word.first == "-" ? word.dropFirst() : word[...]
    return name == "Infinity" || name == "NaN"
  }

  private static func takeDigits(_ rest: inout ArraySlice<UInt8>) -> String {
    let digits = rest.prefix { 0x30...0x39 ~= $0 }
    rest = rest.dropFirst(digits.count)
    return String(decoding: digits, as: UTF8.self)
  }

  /// What is behind the digits: nothing or an exponent.
  private static func exponent(_ rest: ArraySlice<UInt8>) -> String? {
    guard let letter = rest.first else { return "" }
    guard letter == UInt8(ascii: "e") || letter == UInt8(ascii: "E") else { return nil }
    var digits = rest.dropFirst()
    if digits.first == UInt8(ascii: "+") || digits.first == UInt8(ascii: "-") { digits.removeFirst() }
    guard !digits.isEmpty, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    return String(decoding: rest, as: UTF8.self)
  }
}
