// SPDX-License-Identifier: Apache-2.0
internal import Steelpin

/// The header field Public-Key-Pins of RFC 7469, one field a line.
struct HPKPFormat: PinConfigurationFormat {
  let name = "hpkp"
  let summary = "HTTP header fields Public-Key-Pins (RFC 7469)"
  let capabilities = FormatCapabilities(
    subdomains: [.none, .anyDepth], expiry: false, reportOnly: true, reportURIs: true, hosts: false, minimumPins: 2)

  func recognizes(_ source: ConfigurationSource) -> Bool {
    guard let text = source.text else { return false }
    return text.bytes.count < 1 << 20
      && String(decoding: text.bytes, as: UTF8.self).lowercased().contains("public-key-pins")
  }

  func read(_ source: ConfigurationSource) throws(ConfigurationError) -> PinConfiguration {
    guard let text = source.text else {
      throw ConfigurationError(.valueInvalid, at: source.start, "it is not a text file")
    }
    var session = ReadingSession(file: source.path)
    var configuration = PinConfiguration(format: name, file: source.path, entries: [])
    for line in text.lines {
      guard let colon = text.bytes[line].firstIndex(of: UInt8(ascii: ":")) else { continue }
      let field = XMLElement.trim(text.string(line.lowerBound..<colon)).lowercased()
      guard field == "public-key-pins" || field == "public-key-pins-report-only" else { continue }
      var entry = HostEntry(.everyHost, text: "every host", position: text.position(at: line.lowerBound))
      entry.enforcement = field == "public-key-pins" ? .enforce : .reportOnly
      read(colon + 1..<line.upperBound, text, &entry, &session)
      // RFC 7469 2.1.3: only the first field of a kind counts.
      if configuration.entries.contains(where: { $0.enforcement == entry.enforcement }) {
        session.warning(
          .keyDuplicated, text.position(at: line.lowerBound), "the field stands twice; only the first counts",
          hint: "keep one")
        continue
      }
      configuration.entries.append(entry)
    }
    configuration.findings = session.findings
    return configuration
  }

  private func read(_ range: Range<Int>, _ text: SourceText, _ entry: inout HostEntry, _ session: inout ReadingSession)
  {
    var seen = Set<String>()
    var maximumAge: Int64?
    entry.pattern = PinnedHosts(name: nil, includesName: true, subdomains: .none)
    entry.lists = [.any]
    for part in Self.directives(text.bytes[range]) {
      let position = text.position(at: part.startIndex)
      let words = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      let name = XMLElement.trim(String(decoding: words.first ?? [], as: UTF8.self)).lowercased()
      var value = XMLElement.trim(String(decoding: words.count == 2 ? words[1] : [], as: UTF8.self))
      let isQuoted = value.utf8.count >= 2 && value.hasPrefix("\"") && value.hasSuffix("\"")
      if isQuoted { value = String(value.dropFirst().dropLast()) }
      if !name.hasPrefix("pin-"), !name.isEmpty, !seen.insert(name).inserted {
        session.error(
          .keyDuplicated, position, "the directive '\(name)' stands twice, so the field is ignored", hint: "keep one")
      }
      switch name {
      case "pin-sha256":
        let start = (part.firstIndex(of: UInt8(ascii: "=")) ?? part.startIndex) + (isQuoted ? 2 : 1)
        let place = text.position(at: start)
        if !isQuoted {
          session.error(.pinMalformed, place, "the pin has no quotation marks", hint: "write pin-sha256=\"\(value)\"")
        }
        entry.pins.append(session.pin(base64: value, at: place))
      case "max-age":
        maximumAge = value.utf8.count <= 15 ? Int64(value) : nil
        if maximumAge == nil || value.hasPrefix("-") {
          session.error(.valueWrong, position, "max-age is no number of seconds", hint: "write max-age=5184000")
        } else if maximumAge == 0 {
          session.warning(.pinSetExpired, position, "max-age=0 makes clients forget the pins", hint: "remove the field")
        }
      case "includesubdomains": entry.pattern = .everyHost
      case "report-uri": entry.reportURIs.append(value)
      case "": continue
      default:
        session.warning(
          .keyUnknown, position, "the directive '\(name)' means nothing", hint: "remove it, or mind the spelling")
      }
    }
    if maximumAge == nil, entry.enforcement == .enforce, !seen.contains("max-age"), let position = entry.position {
      session.error(
        .structureInvalid, position, "max-age is missing, so the field is ignored", hint: "add max-age=5184000")
    }
    if maximumAge == 0 {
      entry.expiry = PinExpiry(time: Timestamp(secondsSince1970: 0), text: "max-age=0", position: entry.position)
    }
  }

  /// The parts between semicolons outside quotation marks.
  private static func directives(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var parts: [ArraySlice<UInt8>] = []
    var start = bytes.startIndex
    var isQuoted = false
    for index in bytes.indices {
      if bytes[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
      if bytes[index] == UInt8(ascii: ";"), !isQuoted {
        parts.append(bytes[start..<index])
        start = index + 1
      }
    }
    parts.append(bytes[start...])
    return parts.map { part in part.drop { $0 <= 0x20 } }
  }

  /// A field without a pin that is not in the chain is ignored (RFC 7469 2.5), since it could lock everybody out.
  func requirement(
    of configuration: PinConfiguration, for host: HostName, port: UInt16, chain: [Certificate],
    in context: PlatformContext
  ) -> HostRequirement {
    guard !host.isIPAddress else { return unpinned("pins are never noted for an address (RFC 7469 2.3.3)", context) }
    guard let entry = configuration.entries.first(where: { $0.enforcement == .enforce }) ?? configuration.entries.first
    else { return unpinned("there is no field", context) }
    if entry.expiry?.isPast(at: context.time) == true {
      return unpinned("max-age=0 makes clients forget the pins", context, entries: [entry])
    }
    let pins = entry.pins.filter { $0.pin != nil }
    let candidates = chain + context.anchorCertificates
    guard pins.contains(where: { pin in !candidates.contains(where: pin.matches) }) else {
      return unpinned(
        "no pin is a backup outside the chain, so clients ignore the field (RFC 7469 2.5)", context, entries: [entry])
    }
    return pinned(entry, "a pin must be met on the validated path (RFC 7469 2.6)", chain: chain, context)
  }

  /// An address inside quotation marks: what no address can have (RFC 3986 2) is escaped in its own way.
  private static func quoted(_ address: String) -> String {
    var text = ""
    for octet in address.utf8 {
      if (0x21...0x7E).contains(octet), octet != UInt8(ascii: "\""), octet != UInt8(ascii: "\\") {
        text.unicodeScalars.append(Unicode.Scalar(octet))
      } else {
        text += "%\(Hex.encode([octet]).uppercased())"
      }
    }
    return text
  }

  func write(_ configuration: PinConfiguration) -> String? {
    var text = ""
    // A field says nothing of its host, so only one of each kind can be told apart.
    for kind in TrustPolicy.Enforcement.allCases {
      guard let entry = configuration.entries.first(where: { !$0.isExcluded && $0.enforcement == kind }) else {
        continue
      }
      let pins = PinSet(entry.pins.compactMap(\.pin).filter { $0.subject == .publicKey }).pins
      guard !pins.isEmpty else { continue }
      text += entry.enforcement == .enforce ? "Public-Key-Pins: " : "Public-Key-Pins-Report-Only: "
      var parts = pins.map { "pin-sha256=\"\($0.digest.base64)\"" } + ["max-age=5184000"]
      if entry.pattern.subdomains != .none { parts.append("includeSubDomains") }
      parts += entry.reportURIs.prefix(1).map { "report-uri=\"\(Self.quoted($0))\"" }
      text += parts.joined(separator: "; ") + "\n"
    }
    return text
  }
}
