// SPDX-License-Identifier: Apache-2.0
internal import Steelpin

/// What a reader of one file collects.
package struct ReadingSession {
  package let file: String
  package var findings: [LintFinding] = []
  /// The first thing of the file that was seen and could not be read; nil if all was read.
  package private(set) var unread: LintFinding?

  package init(file: String) { self.file = file }

  /// Adds a finding that makes the platform refuse or misread the file.
  package mutating func error(_ code: LintCode, _ position: SourcePosition, _ message: String, hint: String) {
    findings.append(LintFinding(code, .error, at: position, message, hint: hint))
  }

  /// Adds a finding that the platform passes over.
  package mutating func warning(_ code: LintCode, _ position: SourcePosition, _ message: String, hint: String) {
    findings.append(LintFinding(code, .warning, at: position, message, hint: hint))
  }

  /// Adds a warning of something that demands pins and cannot be read, so that it is not known what is demanded.
  package mutating func unreadable(_ code: LintCode, _ position: SourcePosition, _ message: String, hint: String) {
    warning(code, position, message, hint: hint)
    unread = unread ?? findings.last
  }

  /// The text of a node that must be a string.
  package mutating func string(_ node: DocumentNode, _ what: String) -> String? {
    if case .string(let text) = node.value { return text }
    wrong(node, what, "a string")
    return nil
  }

  /// The value of a node that must be a boolean.
  package mutating func boolean(_ node: DocumentNode, _ what: String) -> Bool? {
    if case .boolean(let value) = node.value { return value }
    wrong(node, what, "a boolean")
    return nil
  }

  /// The items of a node that must be an array.
  package mutating func array(_ node: DocumentNode, _ what: String) -> [DocumentNode]? {
    if case .array(let items) = node.value { return items }
    wrong(node, what, "an array")
    return nil
  }

  /// The members of a node that must be an object.
  package mutating func members(_ node: DocumentNode, _ what: String) -> [DocumentNode.Member]? {
    if let members = node.members { return members }
    wrong(node, what, "a dictionary")
    return nil
  }

  private mutating func wrong(_ node: DocumentNode, _ what: String, _ wanted: String) {
    error(.valueWrong, node.position, "\(what) is \(node.kind), not \(wanted)", hint: "make it \(wanted)")
  }

  /// Reports a key that the format does not know.
  package mutating func unknown(_ member: DocumentNode.Member, in place: String, known: [String]) {
    warning(
      .keyUnknown, member.keyPosition, "'\(member.key)' means nothing in \(place)",
      hint: "the keys are \(known.joined(separator: ", "))")
  }

  /// The text of a member that must be one of some words; nil if it is another.
  package mutating func word(_ member: DocumentNode.Member, _ words: [String]) -> String? {
    guard let text = string(member.value, member.key) else { return nil }
    if words.contains(text) { return text }
    wrong(member, "one of \(words.joined(separator: ", "))")
    return nil
  }

  /// The value of a member that must be one of the cases of an enumeration; nil if it is another.
  package mutating func choice<Value: CaseIterable & RawRepresentable>(
    _ member: DocumentNode.Member, as type: Value.Type
  ) -> Value? where Value.RawValue == String {
    word(member, type.allCases.map(\.rawValue)).flatMap(Value.init)
  }

  /// Reports a member whose value is not what must stand there.
  package mutating func wrong(_ member: DocumentNode.Member, _ wanted: String) {
    error(.valueWrong, member.value.position, "'\(member.key)' is not \(wanted)", hint: "make it \(wanted)")
  }

  /// Refuses a key that cannot stand where it stands: a misspelt key must not weaken a check.
  package mutating func refuse(_ member: DocumentNode.Member, known: [String]) {
    error(
      .keyUnknown, member.keyPosition, "'\(member.key)' is no key that can stand here",
      hint: "the keys are \(known.joined(separator: ", "))")
  }
}
