// SPDX-License-Identifier: Apache-2.0
internal import Steelpin

/// TrustKit's TSKConfiguration in an Info.plist.
struct TrustKitFormat: PinConfigurationFormat {
  let name = "trustkit"
  let summary = "TrustKit's TSKConfiguration in an Info.plist"
  let capabilities = FormatCapabilities(
    subdomains: [.none, .anyDepth], exclusion: true, expiry: true, reportOnly: true, reportURIs: true, minimumPins: 2)

  private static let keys = [
    "TSKDisableDefaultReportUri", "TSKEnforcePinning", "TSKExcludeSubdomainFromParentPolicy", "TSKExpirationDate",
    "TSKIncludeSubdomains", "TSKPublicKeyAlgorithms", "TSKPublicKeyHashes", "TSKReportUris",
  ]

  func recognizes(_ source: ConfigurationSource) -> Bool { source.isPropertyList(with: "TSKPinnedDomains") }

  func read(_ source: ConfigurationSource) throws(ConfigurationError) -> PinConfiguration {
    let root = try PropertyListReader.document(source)
    var session = ReadingSession(file: source.path)
    var configuration = PinConfiguration(format: name, file: source.path, entries: [])
    // A dictionary handed to TrustKit in code has no TSKConfiguration around it.
    let settings = root["TSKConfiguration"] ?? root
    if let domains = settings["TSKPinnedDomains"], let members = session.members(domains, "TSKPinnedDomains") {
      if members.isEmpty {
        session.error(
          .structureInvalid, domains.position, "TSKPinnedDomains is empty, with which TrustKit does not start",
          hint: "add a domain, or remove TrustKit")
      }
      for member in members {
        if let entry = entry(member, &session) { configuration.entries.append(entry) }
      }
    } else if settings["TSKPinnedDomains"] == nil {
      session.error(
        .structureInvalid, settings.position, "there is no TSKPinnedDomains inside TSKConfiguration",
        hint: "put TSKPinnedDomains into the dictionary TSKConfiguration")
    }
    configuration.findings = session.findings
    return configuration
  }

  private func entry(_ member: DocumentNode.Member, _ session: inout ReadingSession) -> HostEntry? {
    guard let host = session.hostName(member.key, at: member.keyPosition, in: "TrustKit") else { return nil }
    session.refuseOtherSpelling(member.key, of: host, at: member.keyPosition, in: "TrustKit")
    var entry = HostEntry(PinnedHosts(name: host), text: member.key, position: member.keyPosition)
    let members = session.members(member.value, "the entry of \(member.key)") ?? []
    for item in members {
      switch item.key {
      case "TSKPublicKeyHashes":
        entry.lists.insert(.any)
        for node in session.array(item.value, item.key) ?? [] {
          guard let text = session.string(node, "a pin") else { continue }
          entry.pins.append(session.pin(base64: text, at: node.position))
        }
      case "TSKIncludeSubdomains":
        if session.boolean(item.value, item.key) == true {
          entry.pattern = PinnedHosts(name: host, subdomains: .anyDepth)
        }
      case "TSKEnforcePinning":
        if session.boolean(item.value, item.key) == false { entry.enforcement = .reportOnly }
      case "TSKExcludeSubdomainFromParentPolicy":
        entry.isExcluded = session.boolean(item.value, item.key) == true
      case "TSKExpirationDate":
        guard let text = session.string(item.value, item.key) else { continue }
        entry.expiry = session.date(text, at: item.value.position, consequence: "TrustKit's pins then never expire")
      case "TSKReportUris":
        for node in session.array(item.value, item.key) ?? [] {
          if let text = session.string(node, "a report URI") { entry.reportURIs.append(text) }
        }
      case "TSKDisableDefaultReportUri": _ = session.boolean(item.value, item.key)
      case "TSKPublicKeyAlgorithms": _ = session.array(item.value, item.key)
      default: session.unknown(item, in: "TrustKit", known: Self.keys)
      }
    }
    check(entry, members, &session)
    if entry.isExcluded { entry.pattern = PinnedHosts(name: host, subdomains: .none) }
    return entry
  }

  /// What TrustKit refuses at start (parse_configuration.m).
  private func check(_ entry: HostEntry, _ members: [DocumentNode.Member], _ session: inout ReadingSession) {
    guard let position = entry.position else { return }
    guard !entry.isExcluded else {
      if members.count > 1 {
        session.error(
          .structureInvalid, position, "'\(entry.text)' is excluded but has other keys, which TrustKit refuses",
          hint: "leave TSKExcludeSubdomainFromParentPolicy alone in the entry")
      }
      return
    }
    let distinct = Set(entry.pins.compactMap(\.pin)).count
    let needed = entry.enforcement == .enforce ? 2 : 1
    if distinct < needed {
      session.error(
        distinct == 0 ? .pinListEmpty : .pinSingle, position,
        "'\(entry.text)' has \(distinct) distinct pins; TrustKit does not start with fewer than \(needed)",
        hint: "add the pin of a backup key; 'steelpin pin backup' makes one")
    }
  }

  /// An exact entry, else the longest parent with subdomains (configuration_utils.m).
  func requirement(
    of configuration: PinConfiguration, for host: HostName, port: UInt16, chain: [Certificate],
    in context: PlatformContext
  ) -> HostRequirement {
    guard let entry = longestMatch(configuration, host) else {
      return unpinned("TrustKit has no entry for this host", context, profile: .apple)
    }
    if entry.isExcluded {
      return unpinned("'\(entry.text)' is excluded from its parent's pins", context, profile: .apple, entries: [entry])
    }
    if entry.expiry?.isPast(at: context.time) == true {
      return unpinned(
        "the pins of '\(entry.text)' expired on \(entry.expiry?.text ?? ""), so TrustKit no longer pins", context,
        profile: .apple, entries: [entry])
    }
    return pinned(entry, "the entry '\(entry.text)' is the longest match", chain: chain, context, profile: .apple)
  }

  func write(_ configuration: PinConfiguration) -> String? {
    var domains: [(String, PropertyListWriter.Value)] = []
    for (host, entries) in PropertyListWriter.byHost(configuration.entries) {
      if entries.allSatisfy(\.isExcluded) {
        domains.append((host, .dictionary([("TSKExcludeSubdomainFromParentPolicy", .boolean(true))])))
        continue
      }
      var items: [(String, PropertyListWriter.Value)] = [
        ("TSKEnforcePinning", .boolean(!entries.contains { $0.enforcement == .reportOnly })),
        ("TSKIncludeSubdomains", .boolean(entries.contains { $0.pattern.subdomains != .none })),
      ]
      if let day = entries.lazy.compactMap(\.expiry?.time).min()?.description.prefix(10) {
        items.append(("TSKExpirationDate", .string(String(day))))
      }
      let pins = entries.flatMap(\.pins).compactMap(\.pin).filter { $0.subject == .publicKey }
      items.append(("TSKPublicKeyHashes", .array(PinSet(pins).pins.map { .string($0.digest.base64) })))
      let reports = entries.flatMap(\.reportURIs)
      if !reports.isEmpty { items.append(("TSKReportUris", .array(reports.map { .string($0) }))) }
      items.append(("TSKDisableDefaultReportUri", .boolean(true)))
      if !pins.isEmpty { domains.append((host, .dictionary(items))) }
    }
    return PropertyListWriter.document(
      .dictionary([
        (
          "TSKConfiguration",
          .dictionary([("TSKSwizzleNetworkDelegates", .boolean(false)), ("TSKPinnedDomains", .dictionary(domains))])
        )
      ]))
  }
}
