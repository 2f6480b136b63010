// SPDX-License-Identifier: Apache-2.0
internal import Steelpin

/// TLSA records as lines of a zone file (RFC 1035 section 5, RFC 6698).
struct TLSAFormat: PinConfigurationFormat {
  let name = "tlsa"
  let summary = "TLSA records of a zone file (RFC 6698)"
  let capabilities = FormatCapabilities(scopes: [.leaf, .issuers], certificateHashes: true, ports: true, sha512: true)

  func recognizes(_ source: ConfigurationSource) -> Bool {
    guard let text = source.text else { return false }
    let types = ["TLSA", "tlsa"]
    let words = types.flatMap { [" \($0) ", "\t\($0)\t"] }
    if words.contains(where: { text.offset(of: $0) != nil }) { return true }
    return types.contains { text.offset(of: $0) != nil } && (text.contains("._tcp") || text.contains("._TCP"))
  }

  func read(_ source: ConfigurationSource) throws(ConfigurationError) -> PinConfiguration {
    guard let text = source.text else {
      throw ConfigurationError(.valueInvalid, at: source.start, "it is not a text file")
    }
    var reader = ZoneReader(text)
    var configuration = PinConfiguration(format: name, file: source.path, entries: [])
    var places: [String: Int] = [:]
    for record in try reader.records() {
      guard let read = entry(record, text, &reader.session) else { continue }
      let key = "\(read.text):\(read.port ?? 0)"
      if let index = places[key] {
        configuration.entries[index].pins += read.pins
      } else {
        places[key] = configuration.entries.count
        configuration.entries.append(read)
      }
    }
    if configuration.entries.isEmpty, !reader.session.findings.contains(where: { $0.severity != .note }) {
      reader.session.error(
        .structureInvalid, source.start, "there is no TLSA record in it",
        hint: "write _443._tcp.HOST. IN TLSA 3 1 1 HEX")
    }
    configuration.findings = reader.session.findings
    configuration.unread = reader.session.unread
    return configuration
  }

  private func entry(_ record: ZoneReader.Record, _ text: SourceText, _ session: inout ReadingSession) -> HostEntry? {
    let position = text.position(at: record.ownerOffset)
    let labels = record.owner.split(separator: ".", omittingEmptySubsequences: true)
    guard labels.count >= 3, labels[0].hasPrefix("_"), labels[1].hasPrefix("_"),
      let port = UInt16(labels[0].dropFirst()), port > 0
    else {
      session.error(
        .hostMalformed, position, "'\(record.owner)' is no owner of a TLSA record",
        hint: "write _PORT._tcp.HOST, as in _443._tcp.example.com.")
      return nil
    }
    guard labels[1].lowercased() == "_tcp" else {
      session.findings.append(
        LintFinding(
          .keyUnknown, .note, at: position,
          "the record is for \(labels[1].dropFirst()), not for TCP, and is passed over",
          hint: "a server of TLS over TCP has its records at _PORT._tcp"))
      return nil
    }
    guard let host = session.hostName(labels.dropFirst(2).joined(separator: "."), at: position, in: "TLSA") else {
      return nil
    }
    var entry = HostEntry(PinnedHosts(name: host), text: host, position: position, port: port)
    entry.lists = [.any]
    let fields = record.fields
    guard fields.count >= 4, let usage = UInt8(fields[0].text), let selector = UInt8(fields[1].text),
      let type = UInt8(fields[2].text)
    else {
      session.error(
        .structureInvalid, text.position(at: record.typeOffset),
        "a TLSA record has usage, selector, matching type and data",
        hint: "write for example 3 1 1 and 64 hexadecimal digits")
      return entry
    }
    guard let known = TLSAUsage(rawValue: Int(usage)), selector <= 1, type <= 2 else {
      session.warning(
        .valueWrong, text.position(at: fields[0].offset),
        "a record with \(usage) \(selector) \(type) is unusable, and clients pass over it",
        hint: "usages are 0 to 3, selectors 0 and 1, matching types 0 to 2")
      return entry
    }
    let hex = fields[3...].map(\.text).joined()
    let place = text.position(at: fields[3].offset)
    let subject: Pin.Subject = selector == 1 ? .publicKey : .certificate
    var pin = ConfiguredPin(
      .malformed, text: "\(usage) \(selector) \(type) \(hex)",
      scope: known == .pkixEE || known == .daneEE ? .leaf : .issuers, usage: known, position: place)
    if let octets = Hex.decode(hex.utf8) {
      pin.value = value(octets, subject, type)
    }
    if pin.value == .malformed {
      let count = [0: "hexadecimal", 1: "64 hexadecimal digits", 2: "128 hexadecimal digits"][Int(type)] ?? ""
      session.error(
        .pinWrongLength, place, "the data of a record with matching type \(type) must be \(count)",
        hint: "'openssl x509 -pubkey' and 'openssl dgst' make it, or 'steelpin pin export --to tlsa'")
    }
    entry.pins = [pin]
    return entry
  }

  private func value(_ octets: [UInt8], _ subject: Pin.Subject, _ type: UInt8) -> ConfiguredPin.Value {
    switch type {
    case 0: return octets.isEmpty ? .malformed : .whole(subject, octets)
    case 1: return SHA256Digest(octets: octets).map { .sha256(Pin(subject, $0)) } ?? .malformed
    default: return octets.count == 64 ? .digest(.sha512, subject, octets) : .malformed
    }
  }

  /// Records are alternatives (RFC 6698 2.1). PKIX-TA and PKIX-EE need the platform's validation too; DANE-TA makes its
  /// certificate the only anchor; DANE-EE asks for nothing but the key, whatever names and dates say (RFC 7671 5.1).
  func requirement(
    of configuration: PinConfiguration, for host: HostName, port: UInt16, chain: [Certificate],
    in context: PlatformContext
  ) -> HostRequirement {
    let entries = configuration.entries.filter { $0.pattern.matches(host.description) && $0.port == port }
    let pins = entries.flatMap(\.pins).filter { $0.value != .malformed }
    guard !entries.isEmpty else { return unpinned("there is no TLSA record for this host and port", context) }
    guard !pins.isEmpty else {
      return unpinned("no TLSA record is usable, so DANE says nothing (RFC 7671 4.1)", context, entries: entries)
    }
    let alternatives = TLSAUsage.allCases.compactMap { usage -> [TrustPolicy]? in
      let own = pins.filter { $0.usage == usage }
      guard !own.isEmpty else { return nil }
      let set = context.pinSet(own, chain: chain)
      switch usage {
      case .pkixTA, .pkixEE:
        let scope: TrustPolicy.PinScope = usage == .pkixTA ? .issuers : .leaf
        return [TrustPolicy(anchors: context.anchors, pinning: .pins(set, scope: scope), time: context.time)]
      case .daneTA:
        let given = own.compactMap { pin -> Certificate? in
          guard case .whole(.certificate, let der) = pin.value else { return nil }
          return try? Certificate(der: der)
        }
        let sent = chain.dropFirst().filter { certificate in own.contains { $0.matches(certificate) } }
        return [TrustPolicy(anchors: .only(AnchorSet(sent + given)), time: context.time)]
      case .daneEE:
        return [TrustPolicy(pinning: .pins(set, scope: .leaf), chain: .unvalidated, time: context.time)]
      }
    }
    return HostRequirement(
      .pinned, "one TLSA record must be met (DNSSEC is not checked here)", alternatives: alternatives, entries: entries)
  }

  func write(_ configuration: PinConfiguration) -> String? {
    var text = ""
    for entry in configuration.entries {
      guard let host = entry.pattern.name else { continue }
      for pin in entry.pins {
        guard let data = data(of: pin) else { continue }
        for usage in usages(of: pin) {
          text += "_\(entry.port ?? 443)._tcp.\(host). IN TLSA \(usage.rawValue) \(data)\n"
        }
      }
    }
    return text
  }

  /// Selector, matching type and data. What is whole stays so: a client may have the anchor from nowhere else.
  private func data(of pin: ConfiguredPin) -> String? {
    let (subject, type, octets): (Pin.Subject, Int, [UInt8])
    switch pin.value {
    case .digest(.sha512, let own, let digest): (subject, type, octets) = (own, 2, digest)
    case .digest, .malformed: return nil
    case .sha256(let known): (subject, type, octets) = (known.subject, 1, known.digest.octets)
    case .whole(let own, let der): (subject, type, octets) = (own, 0, der)
    }
    return "\(subject == .publicKey ? 1 : 0) \(type) \(Hex.encode(octets))"
  }

  /// DANE-TA never matches the leaf (RFC 7671 5.2) and DANE-EE nothing else, so a pin for either has a record for each.
  private func usages(of pin: ConfiguredPin) -> [TLSAUsage] {
    if let usage = pin.usage { return [usage] }
    return switch pin.scope {
    case .any: [.daneEE, .daneTA]
    case .issuers: [.daneTA]
    case .leaf: [.daneEE]
    }
  }
}
