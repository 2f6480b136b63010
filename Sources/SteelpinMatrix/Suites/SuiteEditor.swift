// SPDX-License-Identifier: Apache-2.0
internal import SteelpinConfigurations

/// Changes a text of JSON5 at the places of its values, so that comments and layout stay as they are.
struct SuiteEditor {
  private struct Edit {
    let range: Range<Int>
    let text: String
    /// Edits of one place are made in the order in which they were asked for.
    let order: Int
  }

  private let bytes: [UInt8]
  private var edits: [Edit] = []

  init(_ text: SourceText) { bytes = text.bytes }

  /// The text with all changes.
  func edited() -> [UInt8] {
    var result: [UInt8] = []
    var position = 0
    for edit in edits.sorted(by: { ($0.range.lowerBound, $0.order) < ($1.range.lowerBound, $1.order) }) {
      result += bytes[position..<max(position, edit.range.lowerBound)]
      result += edit.text.utf8
      position = max(position, edit.range.upperBound)
    }
    return result + bytes[position...]
  }

  /// Puts another string in the place of a value.
  mutating func replace(_ node: DocumentNode, with text: String) { edit(node.range, JSONText.quote(text)) }

  /// Adds members to an object, each a key and JSON5 text.
  mutating func add(_ members: [(key: String, value: String)], to object: DocumentNode) {
    let isQuoted = firstCharacter(in: object.range).map { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") } ?? false
    append(
      members.map { "\(isQuoted ? JSONText.quote($0.key) : $0.key): \($0.value)" }, to: object.range,
      after: object.members?.last?.value.range.upperBound)
  }

  /// JSON5 text of an array that is to be a member of an object: an item a line if the object has its members so.
  func list(_ items: [String], in object: DocumentNode) -> String {
    guard let last = object.members?.last?.value.range.upperBound, let indentation = indentation(ofLineWith: last)
    else { return "[" + items.joined(separator: ", ") + "]" }
    return "[" + items.map { "\(newline)\(indentation)  \($0)," }.joined() + "\(newline)\(indentation)]"
  }

  /// Adds items to an array, each JSON5 text.
  mutating func add(_ items: [String], to array: DocumentNode) {
    guard case .array(let known) = array.value else { return }
    append(items, to: array.range, after: known.last?.range.upperBound)
  }

  private mutating func edit(_ range: Range<Int>, _ text: String) {
    edits.append(Edit(range: range, text: text, order: edits.count))
  }

  private mutating func append(_ items: [String], to container: Range<Int>, after last: Int?) {
    guard !items.isEmpty else { return }
    guard let last else {
      edit(container.lowerBound + 1..<container.lowerBound + 1, items.joined(separator: ", "))
      return
    }
    let comma = commaBehind(last, before: container.upperBound - 1)
    let end = comma.map { $0 + 1 } ?? last
    guard let indentation = indentation(ofLineWith: last) else {
      let text = items.joined(separator: ", ")
      edit(end..<end, comma == nil ? ", \(text)" : " \(text),")
      return
    }
    if comma == nil { edit(last..<last, ",") }
    let line = endOfLine(from: end, before: container.upperBound - 1)
    let text = items.map { newline + indentation + $0 }.joined(separator: ",")
    edit(line..<line, comma == nil ? text : text + ",")
  }

  private var newline: String { bytes.contains(0x0D) ? "\r\n" : "\n" }

  /// The first octet of an object or array that is neither space nor comment.
  private func firstCharacter(in range: Range<Int>) -> UInt8? {
    var index = range.lowerBound + 1
    while index < range.upperBound {
      if let next = skipped(index) {
        index = next
      } else if bytes[index] <= 0x20 {
        index += 1
      } else {
        return bytes[index]
      }
    }
    return nil
  }

  /// Where a comment ends that begins at an offset; nil if none does.
  private func skipped(_ index: Int) -> Int? {
    guard bytes[index] == UInt8(ascii: "/"), index + 1 < bytes.count else { return nil }
    if bytes[index + 1] == UInt8(ascii: "/") {
      return bytes[index...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
    }
    guard bytes[index + 1] == UInt8(ascii: "*") else { return nil }
    return bytes[(index + 2)...].firstRange(of: "*/".utf8)?.upperBound ?? bytes.count
  }

  private func commaBehind(_ start: Int, before end: Int) -> Int? {
    var index = start
    while index < end {
      if let next = skipped(index) {
        index = next
      } else if bytes[index] == UInt8(ascii: ",") {
        return index
      } else {
        index += 1
      }
    }
    return nil
  }

  /// The end of the line behind an offset, comments that begin on it included, if nothing else is on it.
  private func endOfLine(from start: Int, before end: Int) -> Int {
    var index = start
    while index < end, bytes[index] != 0x0A, bytes[index] != 0x0D {
      if let next = skipped(index) {
        index = min(next, end)
      } else if bytes[index] <= 0x20 {
        index += 1
      } else {
        return start
      }
    }
    // Spaces before the closing bracket on the same line belong to it.
    return index < end ? index : start
  }

  /// The spaces before the first octet of a line; nil if the value does not begin on a line of its own, so that the
  /// container is written on one.
  private func indentation(ofLineWith end: Int) -> String? {
    var start = min(end, bytes.count)
    while start > 0, bytes[start - 1] != 0x0A, bytes[start - 1] != 0x0D { start -= 1 }
    let spaces = bytes[start..<end].prefix { $0 == 0x20 || $0 == 0x09 }
    let first = bytes[(start + spaces.count)...].first
    guard let first, first != UInt8(ascii: "}"), first != UInt8(ascii: "]") || spaces.count > 0 else {
      return String(decoding: spaces, as: UTF8.self)
    }
    return isFirstOfItsLine(start + spaces.count, end) ? String(decoding: spaces, as: UTF8.self) : nil
  }

  /// Whether a container does not begin before the value that ends at `end` on one line.
  private func isFirstOfItsLine(_ start: Int, _ end: Int) -> Bool {
    var depth = 0
    var index = start
    while index < end {
      if let next = skipped(index) {
        index = next
        continue
      }
      switch bytes[index] {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        let quote = bytes[index]
        index += 1
        while index < end, bytes[index] != quote { index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1 }
      default: break
      }
      index += 1
    }
    // A bracket that is opened on the line and still open is that of the container itself.
    return depth <= 0
  }
}
