// SPDX-License-Identifier: Apache-2.0

/// Writes PEM as RFC 7468 section 3 wants it from generators: 64 columns, LF, nothing else.
package enum PEMText {
  /// Appends one block.
  package static func append(_ der: [UInt8], label: String, to text: inout [UInt8]) {
    text.reserveCapacity(text.count + der.count / 48 * 65 + 160)
    text += "-----BEGIN \(label)-----\n".utf8
    appendBase64(der, to: &text)
    text += "-----END \(label)-----\n".utf8
  }

  private static func appendBase64(_ der: [UInt8], to text: inout [UInt8]) {
    let whole = der.count / 3 * 3
    var column = 0
    for index in stride(from: 0, to: whole, by: 3) {
      let group = UInt32(der[index]) << 16 | UInt32(der[index + 1]) << 8 | UInt32(der[index + 2])
      text.append(alphabet[Int(group >> 18)])
      text.append(alphabet[Int(group >> 12 & 63)])
      text.append(alphabet[Int(group >> 6 & 63)])
      text.append(alphabet[Int(group & 63)])
      column += 4
      if column == 64 {
        text.append(10)
        column = 0
      }
    }
    if whole < der.count {
      let isDouble = der.count - whole == 2
      let group = UInt32(der[whole]) << 16 | (isDouble ? UInt32(der[whole + 1]) << 8 : 0)
      text.append(alphabet[Int(group >> 18)])
      text.append(alphabet[Int(group >> 12 & 63)])
      text.append(isDouble ? alphabet[Int(group >> 6 & 63)] : UInt8(ascii: "="))
      text.append(UInt8(ascii: "="))
      column += 4
    }
    if column > 0 { text.append(10) }
  }

  private static let alphabet: [64 of UInt8] = {
    var alphabet = [64 of UInt8](repeating: 0)
    for (index, octet) in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8.enumerated() {
      alphabet[index] = octet
    }
    return alphabet
  }()
}
