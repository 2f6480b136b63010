// SPDX-License-Identifier: Apache-2.0
internal import Steelpin

/// A JSON value whose members keep their order. Written by hand, since an encoder would cost start-up time.
package indirect enum JSONValue: Sendable, Hashable {
  case array([JSONValue])
  case bool(Bool)
  case integer(Int)
  case null
  case object([Member])
  case string(String)

  /// One member of an object.
  package struct Member: Sendable, Hashable {
    package let name: String
    package let value: JSONValue
  }

  /// A string, or null.
  package static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

  /// The strings of a list.
  package static func strings(_ list: some Sequence<String>) -> JSONValue { .array(list.map(JSONValue.string)) }

  /// The object with more members after its own.
  package func adding(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
    guard case .object(let own) = self else { return self }
    return .object(own + members.map { Member(name: $0.key, value: $0.value) })
  }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { Member(name: $0.0, value: $0.1) })
  }
}

extension JSONValue: ExpressibleByArrayLiteral {
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}

extension JSONValue: ExpressibleByStringLiteral {
  package init(stringLiteral value: String) { self = .string(value) }
}

extension JSONValue {
  /// RFC 8259 text in UTF-8 with two spaces a level and a line break at the end.
  package func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    write(to: &bytes, level: 0)
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }

  /// The same in one line, as in NDJSON.
  package func encodedLine() -> [UInt8] {
    var bytes: [UInt8] = []
    write(to: &bytes, level: nil)
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }

  /// Without a level everything stands in one line.
  private func write(to bytes: inout [UInt8], level: Int?) {
    switch self {
    case .array(let items):
      Self.writeList(items, "[", "]", to: &bytes, level) { $0.write(to: &$1, level: level.map { $0 + 1 }) }
    case .bool(let value): bytes += (value ? "true" : "false").utf8
    case .integer(let value): bytes += String(value).utf8
    case .null: bytes += "null".utf8
    case .object(let members):
      Self.writeList(members, "{", "}", to: &bytes, level) { member, bytes in
        Self.write(member.name, to: &bytes)
        bytes += ": ".utf8
        member.value.write(to: &bytes, level: level.map { $0 + 1 })
      }
    case .string(let text): Self.write(text, to: &bytes)
    }
  }

  private static func writeList<Item>(
    _ items: [Item], _ open: String, _ close: String, to bytes: inout [UInt8], _ level: Int?,
    _ write: (Item, inout [UInt8]) -> Void
  ) {
    bytes += open.utf8
    for (index, item) in items.enumerated() {
      if index > 0 { bytes += (level == nil ? ", " : ",").utf8 }
      if let level { breakLine(&bytes, level + 1) }
      write(item, &bytes)
    }
    if let level, !items.isEmpty { breakLine(&bytes, level) }
    bytes += close.utf8
  }

  private static func breakLine(_ bytes: inout [UInt8], _ level: Int) {
    bytes.append(UInt8(ascii: "\n"))
    bytes += repeatElement(UInt8(ascii: " "), count: 2 * level)
  }

  private static func write(_ text: String, to bytes: inout [UInt8]) {
    func escape(_ octet: UInt8) { bytes += Array(("\\u00" + Hex.encode([octet])).utf8) }
    bytes.append(UInt8(ascii: "\""))
    var octets = text.utf8.makeIterator()
    while let octet = octets.next() {
      switch octet {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), octet]
      case 0x0A: bytes += "\\n".utf8
      // DEL and the C1 controls are legal in JSON, but a terminal might obey them.
      case 0..<0x20, 0x7F: escape(octet)
      case 0xC2:
        guard let next = octets.next() else { continue }
        if next < 0xA0 { escape(next) } else { bytes += [octet, next] }
      default: bytes.append(octet)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
