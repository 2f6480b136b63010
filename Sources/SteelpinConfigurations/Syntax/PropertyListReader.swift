// SPDX-License-Identifier: Apache-2.0

/// Reads property lists, XML or binary, into nodes.
enum PropertyListReader {
  /// The root value of a property list.
  static func document(_ source: ConfigurationSource) throws(ConfigurationError) -> DocumentNode {
    guard let text = source.text else {
      var reader = try BinaryPropertyList(source.bytes, file: source.path)
      return try reader.root()
    }
    let root = try XMLReader.document(text)
    guard root.name == "plist" else {
      throw ConfigurationError(
        .valueInvalid, at: root.position, "the root element is <\(root.name)>, not <plist>")
    }
    guard let first = root.children.first, root.children.count == 1 else {
      throw ConfigurationError(.valueInvalid, at: root.position, "<plist> must hold exactly one value")
    }
    return try node(first)
  }

  private static func node(_ element: XMLElement) throws(ConfigurationError) -> DocumentNode {
    let value: DocumentNode.Value
    var position = element.position
    switch element.name {
    case "dict": value = .object(try members(element))
    case "array":
      var items: [DocumentNode] = []
      for child in element.children { items.append(try node(child)) }
      value = .array(items)
    case "string":
      position = element.valuePosition
      value = .string(element.text)
    case "true": value = .boolean(true)
    case "false": value = .boolean(false)
    case "integer", "real": value = .number(element.trimmedText)
    case "data": value = .other("data")
    case "date": value = .other("a date")
    default:
      throw ConfigurationError(.valueInvalid, at: element.position, "<\(element.name)> is no value of a property list")
    }
    return DocumentNode(value: value, position: position)
  }

  private static func members(_ element: XMLElement) throws(ConfigurationError) -> [DocumentNode.Member] {
    var members: [DocumentNode.Member] = []
    var children = element.children[...]
    while let key = children.popFirst() {
      guard key.name == "key" else {
        throw ConfigurationError(.valueInvalid, at: key.position, "<\(key.name)> stands where <key> must stand")
      }
      guard let value = children.popFirst(), value.name != "key" else {
        throw ConfigurationError(.valueInvalid, at: key.position, "the key '\(key.text)' has no value")
      }
      members.append(
        DocumentNode.Member(key: key.text, keyPosition: key.valuePosition, value: try node(value)))
    }
    return members
  }
}
