// SPDX-License-Identifier: Apache-2.0
internal import Steelpin

/// OkHttp's CertificatePinner in Kotlin or Java source, or as lines of `pattern pin pin…`.
struct OkHttpFormat: PinConfigurationFormat {
  let name = "okhttp"
  let summary = "OkHttp's CertificatePinner in Kotlin or Java, or lines of a host and its pins"
  let capabilities = FormatCapabilities(
    subdomains: [.none, .oneLabel, .anyDepth], subdomainsAlone: true, sha1: true, unitesEntries: true)

  func recognizes(_ source: ConfigurationSource) -> Bool {
    guard let text = source.text else { return false }
    if text.contains("CertificatePinner") { return true }
    guard let pin = text.offset(of: " sha256/") ?? text.offset(of: " sha1/") else { return false }
    let line = text.lines.first { $0.contains(pin) }.map { text.string($0) } ?? ""
    return !line.contains("\"") && !line.contains("--")
  }

  func read(_ source: ConfigurationSource) throws(ConfigurationError) -> PinConfiguration {
    guard let text = source.text else {
      throw ConfigurationError(.valueInvalid, at: source.start, "it is not a text file")
    }
    var session = ReadingSession(file: source.path)
    var configuration = PinConfiguration(format: name, file: source.path, entries: [])
    if text.contains("CertificatePinner") {
      let tokens = try SourceTokenizer.tokens(of: text)
      for call in OkHttpCalls(tokens).calls {
        configuration.entries += entries(call.arguments, text, &session).map { entry in
          var entry = entry
          entry.client = call.builder
          return entry
        }
      }
    } else {
      for line in text.lines { configuration.entries += entries(Self.words(line, text), text, &session) }
    }
    configuration.entries = Self.merged(configuration.entries)
    if configuration.entries.isEmpty, session.findings.isEmpty {
      session.error(
        .structureInvalid, source.start, "there is no pin in it",
        hint: "write CertificatePinner.Builder().add(\"host\", \"sha256/…\") with literals")
    }
    configuration.findings = session.findings
    configuration.unread = session.unread
    return configuration
  }

  private static func words(_ line: Range<Int>, _ text: SourceText) -> [(text: String?, offset: Int)] {
    var words: [(text: String?, offset: Int)] = []
    for word in text.bytes[line].split(whereSeparator: { $0 <= 0x20 }) {
      if word.first == UInt8(ascii: "#") { break }
      words.append((String(decoding: word, as: UTF8.self), word.startIndex))
    }
    return words
  }

  /// A pattern may be added to a builder as often as one likes; its pins are one set.
  private static func merged(_ entries: [HostEntry]) -> [HostEntry] {
    struct Key: Hashable {
      let pattern: PinnedHosts
      let client: Int
    }
    var places: [Key: Int] = [:]
    var merged: [HostEntry] = []
    for entry in entries {
      let key = Key(pattern: entry.pattern, client: entry.client)
      if let place = places[key] {
        merged[place].pins += entry.pins
      } else {
        places[key] = merged.count
        merged.append(entry)
      }
    }
    return merged
  }

  private func entries(
    _ arguments: [(text: String?, offset: Int)], _ text: SourceText, _ session: inout ReadingSession
  ) -> [HostEntry] {
    guard let first = arguments.first else { return [] }
    for argument in arguments where argument.text == nil {
      session.unreadable(
        .pinNotLiteral, text.position(at: argument.offset), "the argument is no literal, so it cannot be read here",
        hint: "write host and pins as string literals or constants of the same file")
    }
    guard let host = first.text else { return [] }
    let position = text.position(at: first.offset)
    guard let pattern = pattern(host, position, &session) else { return [] }
    var entry = HostEntry(pattern, text: host, position: position)
    entry.lists = [.any]
    for argument in arguments.dropFirst() {
      if let pin = argument.text { entry.pins.append(self.pin(pin, text.position(at: argument.offset), &session)) }
    }
    return [entry]
  }

  private func pattern(_ text: String, _ position: SourcePosition, _ session: inout ReadingSession) -> PinnedHosts? {
    for (prefix, depth) in [("**.", PinnedHosts.Subdomains.anyDepth), ("*.", .oneLabel)] where text.hasPrefix(prefix) {
      guard let name = session.hostName(String(text.dropFirst(prefix.count)), at: position, in: "OkHttp") else {
        return nil
      }
      session.refuseFinalDot(text, at: position, in: "OkHttp")
      return PinnedHosts(name: name, includesName: depth == .anyDepth, subdomains: depth)
    }
    // OkHttp puts patterns into lower case and A-labels, as it does with hosts (CertificatePinner.Pin).
    session.refuseFinalDot(text, at: position, in: "OkHttp")
    return session.hostName(text, at: position, in: "OkHttp").map { PinnedHosts(name: $0) }
  }

  private func pin(_ text: String, _ position: SourcePosition, _ session: inout ReadingSession) -> ConfiguredPin {
    if text.hasPrefix("sha256/") {
      return session.pin(base64: String(text.dropFirst(7)), at: position, prefix: "sha256/")
    }
    if text.hasPrefix("sha1/") {
      if let octets = Base64.decode(text.dropFirst(5).utf8), octets.count == 20 {
        session.warning(
          .pinSHA1, position, "the pin '\(text)' is a SHA-1", hint: "pin the SHA-256 of the same key")
        return ConfiguredPin(.digest(.sha1, .publicKey, octets), text: text, position: position)
      }
      session.error(
        .pinWrongLength, position, "the pin '\(text)' is not the base64 of 20 octets",
        hint: "pin the SHA-256 of the public key; 'steelpin pin show HOST' prints it")
    } else {
      session.error(
        .pinMalformed, position, "the pin '\(text)' does not begin with sha256/ or sha1/; OkHttp throws",
        hint: "write sha256/ and 44 characters of base64")
    }
    return ConfiguredPin(.malformed, text: text, position: position)
  }

  /// Every pattern that matches counts, and their pins are alternatives; without a pattern nothing is demanded. Of
  /// several pinners in one file all must accept.
  func requirement(
    of configuration: PinConfiguration, for host: HostName, port: UInt16, chain: [Certificate],
    in context: PlatformContext
  ) -> HostRequirement {
    let entries = configuration.entries.filter { $0.pattern.matches(host.description) }
    guard !entries.isEmpty else { return unpinned("no pattern of CertificatePinner matches this host", context) }
    let clients = Set(entries.map(\.client)).sorted().map { client in entries.filter { $0.client == client } }
    let policies = clients.map { own in
      TrustPolicy(
        anchors: context.anchors, pinning: .pins(context.pinSet(own.flatMap(\.pins), chain: chain), scope: .any),
        time: context.time)
    }
    let reasons = clients.map { own in
      "\(clients.count > 1 ? "pinner \((own.first?.client ?? 0) + 1): " : "")"
        + "the pins of \(own.map(\.text).joined(separator: ", ")) are alternatives"
    }
    return HostRequirement(
      .pinned, reasons.joined(separator: "; "), alternatives: [policies], entries: entries)
  }

  func write(_ configuration: PinConfiguration) -> String? {
    var text = "CertificatePinner.Builder()\n"
    for entry in configuration.entries {
      let pins = entry.pins.compactMap { pin -> String? in
        switch pin.value {
        case .digest(.sha1, .publicKey, let octets): "sha1/" + Base64.encode(octets)
        default: pin.pin.flatMap { $0.subject == .publicKey ? $0.description : nil }
        }
      }
      guard !pins.isEmpty else { continue }
      for pattern in entry.pattern.okHttpPatterns {
        text += "  .add(\"\(pattern)\"," + pins.map { "\n    \"\($0)\"" }.joined(separator: ",") + ")\n"
      }
    }
    return text + "  .build()\n"
  }
}
