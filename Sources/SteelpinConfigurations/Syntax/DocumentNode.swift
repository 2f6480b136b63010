// SPDX-License-Identifier: Apache-2.0

/// A value of a JSON document or a property list, with its place.
package struct DocumentNode: Sendable {
  /// The kinds of value.
  package indirect enum Value: Sendable {
    case array([DocumentNode])
    case boolean(Bool)
    case null
    /// A number as JSON writes it.
    case number(String)
    case object([Member])
    /// Data or a date of a property list, which no pin configuration wants.
    case other(String)
    case string(String)
  }

  /// A member of an object, in the order of the file.
  package struct Member: Sendable {
    package let key: String
    package let keyPosition: SourcePosition
    package let value: DocumentNode

    package init(key: String, keyPosition: SourcePosition, value: DocumentNode) {
      self.key = key
      self.keyPosition = keyPosition
      self.value = value
    }
  }

  package let value: Value
  package let position: SourcePosition
  /// The octets of the text that it is made of; empty if it is not made of text.
  package let range: Range<Int>

  package init(value: Value, position: SourcePosition, range: Range<Int> = 0..<0) {
    self.value = value
    self.position = position
    self.range = range
  }

  /// What the value is, for messages.
  package var kind: String {
    switch value {
    case .array: "an array"
    case .boolean: "a boolean"
    case .null: "null"
    case .number: "a number"
    case .object: "a dictionary"
    case .other(let kind): kind
    case .string: "a string"
    }
  }

  /// The members; nil if this is no object.
  package var members: [Member]? {
    if case .object(let members) = value { members } else { nil }
  }

  /// The first member of a key.
  package subscript(_ key: String) -> DocumentNode? { members?.first { $0.key == key }?.value }
}

/// How deep and how large documents may be.
enum DocumentLimits {
  static let depth = 64
  static let nodes = 2_000_000
}
