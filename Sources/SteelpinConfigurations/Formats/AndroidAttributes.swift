// SPDX-License-Identifier: Apache-2.0
internal import Steelpin

/// The attributes that XmlConfigSource and TrustKit-Android ask for, by element.
private let androidAttributes: [String: Set<String>] = [
  "base-config": ["cleartextTrafficPermitted", "hstsEnforced"],
  "certificates": ["overridePins", "src"],
  "debug-overrides": [],
  "domain": ["includeSubdomains"],
  "domain-config": ["cleartextTrafficPermitted", "hstsEnforced"],
  "pin": ["digest"],
  "pin-set": ["expiration"],
  "trust-anchors": [],
  "trustkit-config": ["disableDefaultReportUri", "enforcePinning"],
]

/// Attributes as AOSP reads them.
extension ReadingSession {
  /// A misspelt attribute is one that is not there, so that subdomains are not pinned or pins never expire.
  mutating func checkAndroidAttributes(_ element: XMLElement) {
    if let known = androidAttributes[element.name] {
      for (name, _) in element.attributes where !known.contains(name) && !name.contains(":") && name != "xmlns" {
        warning(
          .keyUnknown, element.position, "the attribute '\(name)' means nothing on <\(element.name)>; Android skips it",
          hint: known.isEmpty ? "remove it" : "the attributes are \(known.sorted().joined(separator: ", "))")
      }
    }
    for child in element.children { checkAndroidAttributes(child) }
  }

  /// Java's SimpleDateFormat takes single digits too, and what it needs of the beginning of a text.
  mutating func androidExpiry(_ text: String, at position: SourcePosition) -> PinExpiry {
    let isDay = text.utf8.count == 10
    if isDay, let time = Timestamp(text) { return PinExpiry(time: time, text: text, position: position) }
    let parts = text.split(separator: "-", maxSplits: 2).enumerated().map { place, part in
      place == 2 ? part.prefix { $0.isASCII && $0.isNumber } : part
    }
    if parts.count == 3, let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]),
      0...9999 ~= year, 1...12 ~= month, 1...31 ~= day,
      let time = Timestamp(Self.digits(year, 4) + "-" + Self.digits(month, 2) + "-" + Self.digits(day, 2))
    {
      let read = time.description.prefix(10)
      warning(
        .expiryMalformed, position, "'\(text)' is not of the form 2027-03-01; Android reads \(read)",
        hint: "write \(read)")
      return PinExpiry(time: time, text: text, position: position)
    }
    return date(text, at: position, consequence: "the app does not start with this file")
  }

  private static func digits(_ number: Int, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }

  /// The value of an attribute that must be true or false; nil if it is not there.
  mutating func androidBoolean(_ element: XMLElement, _ name: String) -> Bool? {
    guard let text = element.attribute(name) else { return nil }
    switch text {
    // What XmlUtils.convertValueToBoolean takes for true.
    case "true", "TRUE", "1": return true
    case "false": return false
    default:
      error(
        .valueWrong, element.position, "\(name) is '\(text)', not true or false",
        hint: "write \(name)=\"true\" or \"false\"")
      return nil
    }
  }
}
