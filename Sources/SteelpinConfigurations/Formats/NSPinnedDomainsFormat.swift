// SPDX-License-Identifier: Apache-2.0
internal import Steelpin

/// NSPinnedDomains of App Transport Security in an Info.plist.
struct NSPinnedDomainsFormat: PinConfigurationFormat {
  let name = "nspinned"
  let summary = "NSPinnedDomains in an Info.plist (iOS 14, macOS 11)"
  let capabilities = FormatCapabilities(
    subdomains: [.none, .oneLabel], scopes: [.leaf, .issuers], unitesEntries: true)

  private static let keys = ["NSIncludesSubdomains", "NSPinnedCAIdentities", "NSPinnedLeafIdentities"]

  func recognizes(_ source: ConfigurationSource) -> Bool { source.isPropertyList(with: "NSPinnedDomains") }

  func read(_ source: ConfigurationSource) throws(ConfigurationError) -> PinConfiguration {
    let root = try PropertyListReader.document(source)
    var session = ReadingSession(file: source.path)
    var configuration = PinConfiguration(format: name, file: source.path, entries: [])
    if let security = root["NSAppTransportSecurity"], let domains = security["NSPinnedDomains"] {
      for member in session.members(domains, "NSPinnedDomains") ?? [] {
        if let entry = entry(member, &session) { configuration.entries.append(entry) }
      }
    } else {
      session.error(
        .structureInvalid, root.position, "there is no NSPinnedDomains inside NSAppTransportSecurity",
        hint: "put NSPinnedDomains into the dictionary NSAppTransportSecurity of the Info.plist")
    }
    configuration.findings = session.findings
    return configuration
  }

  private func entry(_ member: DocumentNode.Member, _ session: inout ReadingSession) -> HostEntry? {
    guard let host = session.hostName(member.key, at: member.keyPosition, in: "NSPinnedDomains") else { return nil }
    session.refuseOtherSpelling(member.key, of: host, at: member.keyPosition, in: "Apple's systems", ignoringCase: true)
    if member.key != member.key.lowercased() {
      session.warning(
        .hostMalformed, member.keyPosition,
        "'\(member.key)' is not in lower case, which Apple's documentation asks for",
        hint: "write \(host)")
    }
    var entry = HostEntry(PinnedHosts(name: host), text: member.key, position: member.keyPosition)
    for item in session.members(member.value, "the entry of \(member.key)") ?? [] {
      switch item.key {
      case "NSIncludesSubdomains":
        if session.boolean(item.value, item.key) == true {
          entry.pattern = PinnedHosts(name: host, subdomains: .oneLabel)
        }
      case "NSPinnedCAIdentities":
        entry.lists.insert(.issuers)
        entry.pins += pins(item, scope: .issuers, &session)
      case "NSPinnedLeafIdentities":
        entry.lists.insert(.leaf)
        entry.pins += pins(item, scope: .leaf, &session)
      default: session.unknown(item, in: "NSPinnedDomains", known: Self.keys)
      }
    }
    return entry
  }

  private func pins(
    _ item: DocumentNode.Member, scope: TrustPolicy.PinScope, _ session: inout ReadingSession
  ) -> [ConfiguredPin] {
    (session.array(item.value, item.key) ?? []).compactMap { node in
      guard let members = session.members(node, "an item of \(item.key)") else { return nil }
      guard let value = members.first(where: { $0.key == "SPKI-SHA256-BASE64" }) else {
        session.error(
          .structureInvalid, node.position, "an item of \(item.key) has no SPKI-SHA256-BASE64, so it is met by nothing",
          hint: "give it the key SPKI-SHA256-BASE64 with the pin as a string")
        return nil
      }
      guard let text = session.string(value.value, value.key) else { return nil }
      var pin = session.pin(base64: text, at: value.value.position)
      pin.scope = scope
      return pin
    }
  }

  /// Entries that are for the host are merged, not the most specific chosen; a list that is there is demanded, even
  /// empty, and the leaf's list AND the issuers' list must be met (SecPolicy.c, parseNSPinnedDomains).
  func requirement(
    of configuration: PinConfiguration, for host: HostName, port: UInt16, chain: [Certificate],
    in context: PlatformContext
  ) -> HostRequirement {
    let entries = configuration.entries.filter { $0.pattern.matches(host.description) }
    let lists = entries.reduce(into: Set<TrustPolicy.PinScope>()) { $0.formUnion($1.lists) }
    guard !lists.isEmpty else {
      return unpinned("no entry of NSPinnedDomains is for this host", context, profile: .apple, entries: entries)
    }
    let pins = entries.flatMap(\.pins)
    let scopes = [TrustPolicy.PinScope.leaf, .issuers].filter(lists.contains)
    let policies = scopes.map { scope in
      TrustPolicy(
        anchors: context.anchors,
        pinning: .pins(context.pinSet(pins.filter { $0.scope == scope }, chain: chain), scope: scope),
        profile: .apple, time: context.time)
    }
    let names = entries.map(\.text).joined(separator: ", ")
    guard !scopes.contains(where: { scope in !pins.contains { $0.scope == scope && $0.pin != nil } }) else {
      return HostRequirement(.blocked, "a list of pins of \(names) is empty, which nothing meets", entries: entries)
    }
    let lists_ = scopes.map { $0 == .leaf ? "a leaf pin" : "a CA pin" }.joined(separator: " and ")
    return HostRequirement(
      .pinned, "\(lists_) of \(names) must be met (entries for one host are merged)", alternatives: [policies],
      entries: entries)
  }

  func write(_ configuration: PinConfiguration) -> String? {
    var domains: [(String, PropertyListWriter.Value)] = []
    for (host, entries) in PropertyListWriter.byHost(configuration.entries) {
      var lists: [TrustPolicy.PinScope: [PropertyListWriter.Value]] = [:]
      for pin in entries.flatMap(\.pins) {
        guard let digest = pin.pin?.digest else { continue }
        // A pin that may be anywhere goes where keys outlive certificates: nothing here says which it is, and Apple
        // wants one list; the loss report names it.
        lists[pin.scope == .leaf ? .leaf : .issuers, default: []].append(
          .dictionary([("SPKI-SHA256-BASE64", .string(digest.base64))]))
      }
      var items: [(String, PropertyListWriter.Value)] = []
      if entries.contains(where: { $0.pattern.subdomains != .none }) {
        items.append(("NSIncludesSubdomains", .boolean(true)))
      }
      if let list = lists[.issuers] { items.append(("NSPinnedCAIdentities", .array(list))) }
      if let list = lists[.leaf] { items.append(("NSPinnedLeafIdentities", .array(list))) }
      if !lists.isEmpty { domains.append((host, .dictionary(items))) }
    }
    return PropertyListWriter.document(
      .dictionary([("NSAppTransportSecurity", .dictionary([("NSPinnedDomains", .dictionary(domains))]))]))
  }
}

extension ConfigurationSource {
  /// Whether this is a property list in which a word stands.
  func isPropertyList(with word: StaticString) -> Bool {
    if let text { return text.contains("<plist") && text.contains(word) }
    return entries == nil && bytes.firstRange(of: Array("\(word)".utf8)) != nil
  }
}
