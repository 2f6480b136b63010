// SPDX-License-Identifier: Apache-2.0

/// An element of an XML document with its place. Comments and processing instructions are not kept.
struct XMLElement: Sendable {
  let name: String
  let attributes: [(name: String, value: String)]
  let position: SourcePosition
  var children: [XMLElement] = []
  /// The character data directly inside, put together.
  var text = ""
  /// Where the first character that is no space stands.
  var textPosition: SourcePosition?

  /// The value of an attribute.
  func attribute(_ name: String) -> String? { attributes.first { $0.name == name }?.value }

  /// The text without spaces around it.
  var trimmedText: String { Self.trim(text) }

  /// Where the text stands, for findings about it.
  var valuePosition: SourcePosition { textPosition ?? position }

  static func trim(_ text: String) -> String {
    let octets = text.utf8.drop { $0 <= 0x20 }
    let end = octets.lastIndex { $0 > 0x20 }.map { octets.index(after: $0) } ?? octets.startIndex
    return String(octets[..<end]) ?? text
  }
}
