// SPDX-License-Identifier: Apache-2.0
internal import Steelpin

/// Android's network_security_config.xml, with TrustKit-Android's extension.
struct AndroidFormat: PinConfigurationFormat {
  let name = "android"
  let summary = "Android's network_security_config.xml"
  let capabilities = FormatCapabilities(
    subdomains: [.none, .anyDepth], exclusion: true, expiry: true, anchors: true)

  func recognizes(_ source: ConfigurationSource) -> Bool { source.text?.contains("<network-security-config") == true }

  func read(_ source: ConfigurationSource) throws(ConfigurationError) -> PinConfiguration {
    guard let text = source.text else {
      throw ConfigurationError(.valueInvalid, at: source.start, "it is not a text file")
    }
    let root = try XMLReader.document(text)
    guard root.name == "network-security-config" else {
      throw ConfigurationError(
        .valueInvalid, at: root.position, "the root element is <\(root.name)>, not <network-security-config>")
    }
    var reader = AndroidReader(source: source)
    return reader.read(root)
  }

  /// The longest match, any depth; an empty or expired pin set demands nothing; pins do not count where the path ends at
  /// an anchor with overridePins (NetworkSecurityTrustManager.java).
  func requirement(
    of configuration: PinConfiguration, for host: HostName, port: UInt16, chain: [Certificate],
    in context: PlatformContext
  ) -> HostRequirement {
    let entry = longestMatch(configuration, host)
    let sources = entry?.anchors ?? configuration.anchors
    let anchors = Self.anchors(sources, context)
    let entries = entry.map { [$0] } ?? []
    let policy = TrustPolicy(anchors: anchors, time: context.time)
    guard let entry, !entry.pins.isEmpty else {
      let reason = entry.map { "'\($0.text)' has no pins" } ?? "no domain-config is for this host"
      return HostRequirement(.unpinned, reason, alternatives: [[policy]], entries: entries)
    }
    if let expiry = entry.expiry, expiry.isPast(at: context.time) {
      return HostRequirement(
        .unpinned, "the pin set of '\(entry.text)' expired on \(expiry.text), so Android no longer pins",
        alternatives: [[policy]], entries: entries)
    }
    var pinned = policy
    pinned.pinning = .pins(context.pinSet(entry.pins, chain: chain), scope: .any)
    var alternatives = [[pinned]]
    let overriding = (sources ?? []).filter(\.overridesPins)
    if !overriding.isEmpty {
      var free = policy
      free.anchors = Self.anchors(overriding, context)
      // It comes first: what it accepts needed no pin.
      alternatives.insert([free], at: 0)
    }
    let more = overriding.isEmpty ? "" : ", but not where the path ends at an anchor with overridePins"
    return HostRequirement(
      .pinned, "'\(entry.text)' is the longest match\(more)", alternatives: alternatives, entries: entries)
  }

  private static func anchors(_ sources: [AnchorSource]?, _ context: PlatformContext) -> TrustPolicy.Anchors {
    guard let sources else { return context.anchors }
    var own: [Certificate] = []
    var includesSystem = false
    for source in sources {
      switch source.kind {
      case .certificates(let certificates): own += certificates
      case .system: includesSystem = true
      case .user: continue
      }
    }
    guard includesSystem else { return .only(AnchorSet(own)) }
    switch context.anchors {
    case .only(let platform): return .only(AnchorSet(platform.certificates + own))
    case .system: return own.isEmpty ? .system : .systemAnd(AnchorSet(own))
    case .systemAnd(let platform): return .systemAnd(AnchorSet(platform.certificates + own))
    }
  }

  func write(_ configuration: PinConfiguration) -> String? {
    var text = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<network-security-config>\n"
    for (host, entries) in PropertyListWriter.byHost(configuration.entries) {
      let pins = PinSet(entries.flatMap(\.pins).compactMap(\.pin).filter { $0.subject == .publicKey }).pins
      let isExcluded = entries.allSatisfy(\.isExcluded)
      guard isExcluded || !pins.isEmpty else { continue }
      text += "  <domain-config>\n    <domain includeSubdomains=\""
      text += "\(entries.contains { $0.pattern.subdomains != .none })\">\(XMLText.escape(host))</domain>\n"
      if isExcluded {
        text += "    <pin-set/>\n"
      } else {
        let day = entries.lazy.compactMap(\.expiry?.time).min()?.description.prefix(10)
        text += "    <pin-set\(day.map { " expiration=\"\($0)\"" } ?? "")>\n"
        for pin in pins { text += "      <pin digest=\"SHA-256\">\(pin.digest.base64)</pin>\n" }
        text += "    </pin-set>\n"
      }
      if let sources = entries.lazy.compactMap(\.anchors).first {
        text += "    <trust-anchors>\n"
        for source in sources {
          let override = source.overridesPins ? " overridePins=\"true\"" : ""
          text += "      <certificates src=\"\(XMLText.escape(source.text))\"\(override)/>\n"
        }
        text += "    </trust-anchors>\n"
      }
      text += "  </domain-config>\n"
    }
    return text + "</network-security-config>\n"
  }
}
