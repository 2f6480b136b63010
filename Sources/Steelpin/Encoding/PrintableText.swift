// SPDX-License-Identifier: Apache-2.0

/// Text that strangers wrote (names in certificates, file names, answers of servers), made safe to show.
package enum PrintableText {
  /// The text with everything escaped as `\u{1B}` that a terminal might obey or that hides what is there: control
  /// characters, line separators, and the marks that reorder or join text.
  package static func escape(_ text: String) -> String {
    if text.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if isSafe(scalar) {
        result.unicodeScalars.append(scalar)
      } else {
        result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      }
    }
    return result
  }

  /// Octets as text; what is not UTF-8 is escaped as `\xE9`.
  package static func escape(octets: some Sequence<UInt8>) -> String {
    let octets = Array(octets)
    if let text = String(validating: octets, as: UTF8.self) { return escape(text) }
    return octets.map { octet in
      0x20...0x7E ~= octet ? String(Unicode.Scalar(octet)) : "\\x" + Hex.encode(CollectionOfOne(octet)).uppercased()
    }.joined()
  }

  private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
    default: true
    }
  }
}
