// SPDX-License-Identifier: Apache-2.0

/// A value of a JSON document or a property list, with its place.
package struct DocumentNode: Sendable {
  /// The kinds of value.
  package indirect enum Value: Sendable {
    case array([DocumentNode])
    case boolean(Bool)
    case null
    /// A number as it is written.
    case number(String)
    case object([Member])
    /// Data or a date of a property list, which no pin configuration wants.
    case other(String)
    case string(String)
  }

  /// A member of an object, in the order of the file.
  package struct Member: Sendable {
    let key: String
    let keyPosition: SourcePosition
    let value: DocumentNode
  }

  let value: Value
  let position: SourcePosition

  /// What the value is, for messages.
  var kind: String {
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
  var members: [Member]? {
    if case .object(let members) = value { members } else { nil }
  }

  /// The first member of a key.
  subscript(_ key: String) -> DocumentNode? { members?.first { $0.key == key }?.value }
}

/// How deep and how large documents may be.
enum DocumentLimits {
  static let depth = 64
  static let nodes = 2_000_000
}

/// What a reader of one file collects.
struct ReadingSession {
  let file: String
  var findings: [LintFinding] = []

  init(file: String) { self.file = file }

  /// Adds a finding that makes the platform refuse or misread the file.
  mutating func error(_ code: LintCode, _ position: SourcePosition, _ message: String, hint: String) {
    findings.append(LintFinding(code, .error, at: position, message, hint: hint))
  }

  /// Adds a finding that the platform passes over.
  mutating func warning(_ code: LintCode, _ position: SourcePosition, _ message: String, hint: String) {
    findings.append(LintFinding(code, .warning, at: position, message, hint: hint))
  }

  /// The text of a node that must be a string.
  mutating func string(_ node: DocumentNode, _ what: String) -> String? {
    if case .string(let text) = node.value { return text }
    wrong(node, what, "a string")
    return nil
  }

  /// The value of a node that must be a boolean.
  mutating func boolean(_ node: DocumentNode, _ what: String) -> Bool? {
    if case .boolean(let value) = node.value { return value }
    wrong(node, what, "a boolean")
    return nil
  }

  /// The items of a node that must be an array.
  mutating func array(_ node: DocumentNode, _ what: String) -> [DocumentNode]? {
    if case .array(let items) = node.value { return items }
    wrong(node, what, "an array")
    return nil
  }

  /// The members of a node that must be an object.
  mutating func members(_ node: DocumentNode, _ what: String) -> [DocumentNode.Member]? {
    if let members = node.members { return members }
    wrong(node, what, "a dictionary")
    return nil
  }

  private mutating func wrong(_ node: DocumentNode, _ what: String, _ wanted: String) {
    error(.valueWrong, node.position, "\(what) is \(node.kind), not \(wanted)", hint: "make it \(wanted)")
  }

  /// Reports a key that the format does not know.
  mutating func unknown(_ member: DocumentNode.Member, in place: String, known: [String]) {
    warning(
      .keyUnknown, member.keyPosition, "'\(member.key)' means nothing in \(place)",
      hint: "the keys are \(known.joined(separator: ", "))")
  }
}
