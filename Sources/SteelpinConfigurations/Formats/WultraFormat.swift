// SPDX-License-Identifier: Apache-2.0
internal import Steelpin

/// The fingerprints of Wultra's SSL pinning; read only, since its entries are signed.
struct WultraFormat: PinConfigurationFormat {
  let name = "wultra"
  let summary = "fingerprints of Wultra's SSL pinning (JSON, read only)"
  let capabilities = FormatCapabilities(scopes: [.leaf], expiry: true, certificateHashes: true, publicKeyHashes: false)

  func recognizes(_ source: ConfigurationSource) -> Bool {
    guard let text = source.text else { return false }
    return text.contains("\"fingerprints\"") && text.contains("\"fingerprint\"")
  }

  func read(_ source: ConfigurationSource) throws(ConfigurationError) -> PinConfiguration {
    guard let text = source.text else {
      throw ConfigurationError(.valueInvalid, at: source.start, "it is not a text file")
    }
    let root = try JSON5Parser.document(text)
    var session = ReadingSession(file: source.path)
    var configuration = PinConfiguration(format: name, file: source.path, entries: [])
    guard let list = root["fingerprints"] else {
      throw ConfigurationError(.valueInvalid, at: root.position, "there is no 'fingerprints'")
    }
    for node in session.array(list, "fingerprints") ?? [] {
      guard session.members(node, "a fingerprint") != nil else { continue }
      guard let name = node["name"], let print = node["fingerprint"], let expires = node["expires"] else {
        session.error(
          .structureInvalid, node.position, "an entry lacks one of name, fingerprint and expires",
          hint: "give it all of name, fingerprint and expires")
        continue
      }
      guard let nameText = session.string(name, "name"), let printText = session.string(print, "fingerprint") else {
        continue
      }
      var pin = session.pin(base64: printText, at: print.position, subject: .certificate)
      pin.scope = .leaf
      if case .number(let seconds) = expires.value, let value = Int64(seconds) {
        pin.expiry = Timestamp(secondsSince1970: value)
      } else {
        session.error(
          .expiryMalformed, expires.position, "'expires' is \(expires.kind), not seconds since 1970",
          hint: "write a whole number of seconds since 1970")
      }
      var entry = HostEntry(PinnedHosts(name: nameText.lowercased()), text: nameText, position: name.position)
      entry.expiry = pin.expiry.map { PinExpiry(time: $0, text: $0.description, position: expires.position) }
      entry.pins = [pin]
      entry.lists = [.leaf]
      configuration.entries.append(entry)
    }
    configuration.findings = session.findings
    return configuration
  }

  /// Entries are found by the common name that the server's certificate says, not by the host (CertStore+Validation).
  func requirement(
    of configuration: PinConfiguration, for host: HostName, port: UInt16, chain: [Certificate],
    in context: PlatformContext
  ) -> HostRequirement {
    guard let name = chain.first?.subject.commonName else {
      return HostRequirement(.blocked, "the certificate has no common name to find an entry by")
    }
    let entries = configuration.entries.filter { $0.text == name }
    let live = entries.filter { $0.expiry?.isPast(at: context.time) != true }
    guard !live.isEmpty else {
      let why = entries.isEmpty ? "no entry has" : "all entries have expired that have"
      return HostRequirement(.blocked, "\(why) the certificate's common name '\(name)'", entries: entries)
    }
    let policy = TrustPolicy(
      anchors: context.anchors, pinning: .pins(context.pinSet(live.flatMap(\.pins), chain: chain), scope: .leaf),
      time: context.time)
    return HostRequirement(
      .pinned, "the entries of the certificate's common name '\(name)' count", alternatives: [[policy]], entries: live)
  }

  func write(_ configuration: PinConfiguration) -> String? { nil }
}
