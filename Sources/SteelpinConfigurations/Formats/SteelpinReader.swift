// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinFormats

/// Reads `steelpin.json`. A key that is not known, or stands twice, is an error: a misspelt key must not weaken a check.
struct SteelpinReader {
  private let source: ConfigurationSource
  private var session: ReadingSession

  init(source: ConfigurationSource) {
    self.source = source
    self.session = ReadingSession(file: source.path)
  }

  mutating func read() throws(ConfigurationError) -> PinConfiguration {
    guard let text = source.text else {
      throw ConfigurationError(.valueInvalid, at: source.start, "it is not a text file")
    }
    let root = try JSON5Parser.document(text)
    var configuration = PinConfiguration(format: "steelpin", file: source.path, entries: [])
    configuration.refusesUnknownHosts = true
    var hosts: DocumentNode?
    var schema: String?
    for member in session.members(root, "the document") ?? [] {
      switch member.key {
      case "$schema": _ = session.string(member.value, member.key)
      case "schema": schema = session.string(member.value, member.key)
      case "unknownHosts":
        configuration.refusesUnknownHosts = session.word(member, ["deny", "system"]) != "system"
      case "anchors": configuration.anchors = anchors(member)
      case "hosts": hosts = member.value
      default: session.refuse(member, known: ["$schema", "schema", "unknownHosts", "anchors", "hosts"])
      }
    }
    if schema != SteelpinFormat.schema {
      session.error(
        .structureInvalid, root.position, "'schema' is \(schema.map { "'\($0)'" } ?? "missing")",
        hint: "write \"schema\": \"\(SteelpinFormat.schema)\"")
    }
    if let hosts {
      for node in session.array(hosts, "hosts") ?? [] {
        if let entry = entry(node) { configuration.entries.append(entry) }
      }
    } else {
      session.error(.structureInvalid, root.position, "'hosts' is missing", hint: "write \"hosts\": [{…}]")
    }
    configuration.findings = session.findings
    return configuration
  }

  private static let keys = [
    "host", "port", "pins", "forbidden", "expires", "anchors", "enforcement", "excluded", "profile", "reportURIs",
    "comment",
  ]

  private mutating func entry(_ node: DocumentNode) -> HostEntry? {
    guard let members = session.members(node, "an entry of hosts") else { return nil }
    guard let host = members.first(where: { $0.key == "host" })?.value else {
      session.error(.structureInvalid, node.position, "an entry has no 'host'", hint: "write \"host\": \"example.com\"")
      return nil
    }
    guard let text = session.string(host, "host"), let pattern = pattern(text, host.position) else { return nil }
    var entry = HostEntry(pattern, text: text, position: host.position)
    for member in members {
      switch member.key {
      case "host": break
      case "port":
        if case .number(let text) = member.value.value, let port = UInt16(text), port > 0 {
          entry.port = port
        } else {
          session.wrong(member, "a number from 1 to 65535")
        }
      case "pins":
        entry.lists.insert(.any)
        entry.pins = session.pins(member)
      case "forbidden": entry.forbidden = session.pins(member)
      case "expires":
        guard let text = session.string(member.value, member.key) else { continue }
        let time = Timestamp(text)
        if time == nil {
          session.error(
            .expiryMalformed, member.value.position, "'\(text)' is no date", hint: "write 2027-03-01 or RFC 3339")
        }
        entry.expiry = PinExpiry(time: time, text: text, position: member.value.position)
      case "anchors": entry.anchors = anchors(member)
      case "enforcement":
        if session.word(member, ["enforce", "report-only"]) == "report-only" { entry.enforcement = .reportOnly }
      case "excluded": entry.isExcluded = session.boolean(member.value, member.key) == true
      case "profile":
        if let profile = session.choice(member, as: TrustPolicy.Profile.self) { entry.profile = profile }
      case "reportURIs":
        for item in session.array(member.value, member.key) ?? [] {
          if let uri = session.string(item, "a report URI") { entry.reportURIs.append(uri) }
        }
      case "comment": entry.comment = session.string(member.value, member.key)
      default: session.refuse(member, known: Self.keys)
      }
    }
    return entry
  }

  private mutating func pattern(_ text: String, _ position: SourcePosition) -> PinnedHosts? {
    for (prefix, depth) in [("**.", PinnedHosts.Subdomains.anyDepth), ("*.", .oneLabel)] where text.hasPrefix(prefix) {
      guard let name = session.hostName(String(text.dropFirst(prefix.count)), at: position, in: "steelpin.json") else {
        return nil
      }
      return PinnedHosts(name: name, includesName: depth == .anyDepth, subdomains: depth)
    }
    return session.hostName(text, at: position, in: "steelpin.json").map { PinnedHosts(name: $0) }
  }

  private mutating func anchors(_ member: DocumentNode.Member) -> [AnchorSource] {
    (session.array(member.value, member.key) ?? []).compactMap { node in
      guard let text = session.string(node, "an anchor") else { return nil }
      guard text != "system" else { return AnchorSource(kind: .system, text: text, position: node.position) }
      let path = text.hasPrefix("/") ? text : source.sibling(text)
      if let bytes = try? source.files.read(path), let loaded = try? CertificateLoader().load(bytes, name: path) {
        return AnchorSource(
          kind: .certificates(loaded.certificates.map(\.certificate)), text: text, position: node.position)
      }
      session.error(
        .anchorUnreadable, node.position, "'\(text)' is no file with certificates",
        hint: "write \"system\", or the path of a PEM or DER file beside this one")
      return AnchorSource(kind: .certificates([]), text: text, position: node.position)
    }
  }
}
