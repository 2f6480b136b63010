// SPDX-License-Identifier: Apache-2.0
internal import Steelpin

/// Writes `steelpin.json`, as plain JSON with its keys in a fixed order.
enum SteelpinWriter {
  static func text(of configuration: PinConfiguration) -> String {
    var members = ["\"schema\": \(quote(SteelpinFormat.schema))"]
    members.append("\"unknownHosts\": \(quote(configuration.refusesUnknownHosts ? "deny" : "system"))")
    if let sources = configuration.anchors { members.append("\"anchors\": \(list(sources.map { quote(anchor($0)) }))") }
    let entries = configuration.entries.flatMap(entries)
    members.append("\"hosts\": [\n" + entries.joined(separator: ",\n") + "\n  ]")
    return "{\n  " + members.joined(separator: ",\n  ") + "\n}\n"
  }

  /// One entry of the model, which is two here where it means a name and one label below it.
  private static func entries(_ entry: HostEntry) -> [String] {
    entry.pattern.okHttpPatterns.map { self.entry(entry, host: $0) }
  }

  private static func entry(_ entry: HostEntry, host: String) -> String {
    var members = ["\"host\": \(quote(host))"]
    if let port = entry.port { members.append("\"port\": \(port)") }
    if entry.isExcluded { members.append("\"excluded\": true") }
    if !entry.pins.isEmpty { members.append("\"pins\": " + pins(entry.pins)) }
    if !entry.forbidden.isEmpty { members.append("\"forbidden\": " + pins(entry.forbidden)) }
    if let time = entry.expiry?.time { members.append("\"expires\": \(quote(time.description))") }
    if let sources = entry.anchors { members.append("\"anchors\": \(list(sources.map { quote(anchor($0)) }))") }
    if entry.enforcement == .reportOnly { members.append("\"enforcement\": \"report-only\"") }
    if let profile = entry.profile { members.append("\"profile\": \(quote(profile.rawValue))") }
    if !entry.reportURIs.isEmpty { members.append("\"reportURIs\": \(list(entry.reportURIs.map(quote)))") }
    if let comment = entry.comment { members.append("\"comment\": \(quote(comment))") }
    return "    {\n      " + members.joined(separator: ",\n      ") + "\n    }"
  }

  private static func pins(_ pins: [ConfiguredPin]) -> String {
    let items = pins.compactMap { pin -> String? in
      guard let known = pin.pin else { return nil }
      var members = ["\"pin\": \(quote(known.description))"]
      if let name = pin.name { members.append("\"name\": \(quote(name))") }
      if pin.scope != .any { members.append("\"on\": \(quote(pin.scope.rawValue))") }
      if pin.isBackup { members.append("\"backup\": true") }
      if let comment = pin.comment { members.append("\"comment\": \(quote(comment))") }
      return "        { " + members.joined(separator: ", ") + " }"
    }
    return "[\n" + items.joined(separator: ",\n") + "\n      ]"
  }

  private static func anchor(_ source: AnchorSource) -> String { source.kind == .system ? "system" : source.text }

  private static func list(_ items: [String]) -> String { "[" + items.joined(separator: ", ") + "]" }

  private static func quote(_ text: String) -> String { JSONText.quote(text) }
}

/// Strings inside JSON.
package enum JSONText {
  /// The text in quotation marks, by RFC 8259 section 7.
  package static func quote(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default:
        if scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value || 0x2028...0x2029 ~= scalar.value {
          let hex = String(scalar.value, radix: 16)
          result += "\\u" + String(repeating: "0", count: max(0, 4 - hex.count)) + hex
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result + "\""
  }
}
