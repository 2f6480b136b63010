// SPDX-License-Identifier: Apache-2.0
private import Foundation

/// A JSON Schema of docs/, and the part of the standard that those use: type, enum, const, pattern, properties,
/// required, additionalProperties (false), items, oneOf, anyOf and $ref into $defs.
public struct SchemaDocument {
  private let root: [String: Any]
  private static let known: Set<String> = [
    "$schema", "$ref", "$defs", "title", "description", "default", "type", "enum", "const", "pattern", "properties",
    "required", "additionalProperties", "items", "oneOf", "anyOf", "minimum", "maximum",
  ]

  /// Reads a schema, as in `steelpin-1.schema.json`.
  public init(_ name: String) throws {
    let file = TestCerts.directory.deletingLastPathComponent().appendingPathComponent("docs/\(name)")
    root = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any] ?? [:]
  }

  /// What is wrong with a document; empty if it conforms.
  public func problems(_ json: String) throws -> [String] {
    problems(try JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed), root, "")
  }

  private func problems(_ value: Any, _ schema: [String: Any], _ path: String) -> [String] {
    if let key = schema.keys.first(where: { !Self.known.contains($0) }) { return ["\(path): '\(key)' is not checked"] }
    var found: [String] = []
    if let reference = schema["$ref"] as? String {
      let name = reference.replacingOccurrences(of: "#/$defs/", with: "")
      guard let target = (root["$defs"] as? [String: Any])?[name] as? [String: Any] else {
        return ["\(path): there is no \(reference)"]
      }
      found += problems(value, target, path)
    }
    for (key, isExact) in [("oneOf", true), ("anyOf", false)] {
      guard let choices = schema[key] as? [[String: Any]] else { continue }
      let results = choices.map { problems(value, $0, path) }
      let count = results.count(where: \.isEmpty)
      if count == 0 { found += results.min { $0.count < $1.count } ?? ["\(path): no choice"] }
      if count > 1, isExact { found.append("\(path): \(count) of \(key) match") }
    }
    if let type = schema["type"], !Self.is(value, type) { found.append("\(path): is no \(type)") }
    if let values = schema["enum"] as? [NSObject], !values.contains(where: { $0.isEqual(value) }) {
      found.append("\(path): \(value) is none of \(values)")
    }
    if let constant = schema["const"] as? NSObject, !constant.isEqual(value) {
      found.append("\(path): is no \(constant)")
    }
    if let pattern = schema["pattern"] as? String, let text = value as? String,
      text.range(of: pattern, options: .regularExpression) == nil
    {
      found.append("\(path): '\(text)' is not \(pattern)")
    }
    if let items = schema["items"] as? [String: Any], let list = value as? [Any] {
      for (index, item) in list.enumerated() { found += problems(item, items, "\(path)/\(index)") }
    }
    return found + members(value, schema, path)
  }

  private func members(_ value: Any, _ schema: [String: Any], _ path: String) -> [String] {
    guard let object = value as? [String: Any] else { return [] }
    let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
    var found = (schema["required"] as? [String] ?? []).filter { object[$0] == nil }.map { "\(path): lacks '\($0)'" }
    for (key, member) in object.sorted(by: { $0.key < $1.key }) {
      if let property = properties[key] {
        found += problems(member, property, "\(path)/\(key)")
      } else if schema["additionalProperties"] as? Bool == false {
        found.append("\(path): has '\(key)'")
      }
    }
    return found
  }

  private static func `is`(_ value: Any, _ type: Any) -> Bool {
    if let types = type as? [String] { return types.contains { self.is(value, $0) } }
    switch type as? String {
    case "array": return value is [Any]
    case "boolean": return isBoolean(value)
    case "integer": return !isBoolean(value) && value is Int
    case "null": return value is NSNull
    case "object": return value is [String: Any]
    case "string": return value is String
    default: return false
    }
  }

  /// JSON's true and false are numbers of their own type code, and only they are.
  private static func isBoolean(_ value: Any) -> Bool {
    guard let number = value as? NSNumber else { return false }
    return String(cString: number.objCType) == "c"
  }
}
