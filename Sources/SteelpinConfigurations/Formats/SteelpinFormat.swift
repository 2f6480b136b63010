// SPDX-License-Identifier: Apache-2.0
internal import Steelpin

/// Steelpin's own `steelpin.json`: JSON5, strict. Its schema is docs/steelpin.schema.json.
struct SteelpinFormat: PinConfigurationFormat {
  let name = "steelpin"
  let summary = "Steelpin's own steelpin.json (JSON with comments)"
  let capabilities = FormatCapabilities(
    subdomains: [.none, .oneLabel, .anyDepth], subdomainsAlone: true, exclusion: true, scopes: [.any, .leaf, .issuers],
    expiry: true, reportOnly: true, reportURIs: true, certificateHashes: true, names: true, ports: true, anchors: true,
    forbidden: true, refusesExpired: true)

  static let schema = "steelpin-pins/1"

  func recognizes(_ source: ConfigurationSource) -> Bool {
    guard let text = source.text else { return false }
    return text.contains("steelpin-pins/") || source.path.hasSuffix("steelpin.json")
      || source.path.hasSuffix("steelpin.json5")
  }

  func read(_ source: ConfigurationSource) throws(ConfigurationError) -> PinConfiguration {
    var reader = SteelpinReader(source: source)
    return try reader.read()
  }

  /// The longest match; an expired set of pins refuses, and so does a host without entry unless the file says otherwise.
  func requirement(
    of configuration: PinConfiguration, for host: HostName, port: UInt16, chain: [Certificate],
    in context: PlatformContext
  ) -> HostRequirement {
    var own = configuration
    own.entries = configuration.entries.filter { $0.port == nil || $0.port == port }
    guard let entry = longestMatch(own, host) else {
      guard configuration.refusesUnknownHosts else { return unpinned("no entry is for this host", context) }
      return HostRequirement(.blocked, "no entry is for this host, and unknown hosts are refused")
    }
    if entry.isExcluded {
      return unpinned("'\(entry.text)' is excluded", context, profile: entry.profile ?? .standard, entries: [entry])
    }
    if let expiry = entry.expiry, expiry.isPast(at: context.time) {
      return HostRequirement(
        .blocked, "the pins of '\(entry.text)' expired on \(expiry.text), and nothing meets expired pins",
        entries: [entry])
    }
    var base = TrustPolicy(
      anchors: Self.anchors(entry.anchors ?? configuration.anchors, context), profile: entry.profile ?? .standard,
      time: context.time, enforcement: entry.enforcement)
    // Pins are alternatives, each in its own scope.
    var alternatives: [[TrustPolicy]] = []
    for scope in TrustPolicy.PinScope.allCases {
      let pins = entry.pins.filter { $0.scope == scope }
      guard !pins.isEmpty else { continue }
      base.pinning = .pins(context.pinSet(pins, chain: chain), scope: scope)
      alternatives.append([base])
    }
    let forbidden = entry.forbidden
    guard !alternatives.isEmpty else {
      base.pinning = .none
      return HostRequirement(
        .unpinned, "'\(entry.text)' has no pins", alternatives: [[base]], forbidden: forbidden, entries: [entry])
    }
    return HostRequirement(
      entry.enforcement == .enforce ? .pinned : .reportOnly, "'\(entry.text)' is the longest match",
      alternatives: alternatives, forbidden: forbidden, entries: [entry])
  }

  private static func anchors(_ sources: [AnchorSource]?, _ context: PlatformContext) -> TrustPolicy.Anchors {
    guard let sources else { return context.anchors }
    let own = sources.flatMap { source -> [Certificate] in
      if case .certificates(let certificates) = source.kind { certificates } else { [] }
    }
    guard sources.contains(where: { $0.kind == .system }) else { return .only(AnchorSet(own)) }
    switch context.anchors {
    case .only(let platform): return .only(AnchorSet(platform.certificates + own))
    case .system: return own.isEmpty ? .system : .systemAnd(AnchorSet(own))
    case .systemAnd(let platform): return .systemAnd(AnchorSet(platform.certificates + own))
    }
  }

  func write(_ configuration: PinConfiguration) -> String? { SteelpinWriter.text(of: configuration) }
}
