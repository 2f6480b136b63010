// SPDX-License-Identifier: Apache-2.0

/// Writes XML property lists; members keep their order.
enum PropertyListWriter {
  indirect enum Value {
    case array([Value])
    case boolean(Bool)
    case dictionary([(String, Value)])
    case string(String)
  }

  static func document(_ value: Value) -> String {
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">

      """
    write(value, to: &text, indent: "")
    return text + "</plist>\n"
  }

  /// The entries of each host, in the order in which hosts first stand; entries without a name are left out.
  static func byHost(_ entries: [HostEntry]) -> [(host: String, entries: [HostEntry])] {
    var order: [String] = []
    var groups: [String: [HostEntry]] = [:]
    for entry in entries {
      guard let name = entry.pattern.name else { continue }
      if groups[name] == nil { order.append(name) }
      groups[name, default: []].append(entry)
    }
    return order.map { ($0, groups[$0] ?? []) }
  }

  private static func write(_ value: Value, to text: inout String, indent: String) {
    switch value {
    case .array(let items):
      text += "\(indent)<array>\n"
      for item in items { write(item, to: &text, indent: indent + "  ") }
      text += "\(indent)</array>\n"
    case .boolean(let value): text += "\(indent)<\(value)/>\n"
    case .dictionary(let members):
      text += "\(indent)<dict>\n"
      for (key, value) in members {
        text += "\(indent)  <key>\(XMLText.escape(key))</key>\n"
        write(value, to: &text, indent: indent + "  ")
      }
      text += "\(indent)</dict>\n"
    case .string(let value): text += "\(indent)<string>\(XMLText.escape(value))</string>\n"
    }
  }
}

/// Text inside XML.
package enum XMLText {
  /// The text with the characters that XML gives a meaning replaced, and those that XML 1.0 forbids left out.
  package static func escape(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\t", "\n", "\r": result.unicodeScalars.append(scalar)
      default:
        if scalar.value >= 0x20, scalar.value != 0xFFFE, scalar.value != 0xFFFF { result.unicodeScalars.append(scalar) }
      }
    }
    return result
  }
}
