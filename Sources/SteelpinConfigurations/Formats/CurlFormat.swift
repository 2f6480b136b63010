// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinFormats

/// curl's `--pinnedpubkey`: command lines with the option, or the option's value alone, one a line.
struct CurlFormat: PinConfigurationFormat {
  let name = "curl"
  let summary = "curl's --pinnedpubkey, as a command line or the value alone"
  let capabilities = FormatCapabilities(scopes: [.leaf], hosts: false)

  func recognizes(_ source: ConfigurationSource) -> Bool {
    guard let text = source.text else { return false }
    if text.contains("--pinnedpubkey") { return true }
    // A pin of any other format may begin with a slash, one of 64 does: then 42 characters follow, and with curl 43.
    var start = 0
    while let offset = text.offset(of: "sha256//", from: start) {
      start = offset + 8
      let length = text.bytes[start...].prefix(64).prefix { isBase64($0) }.count
      if length != 42 { return true }
    }
    return false
  }

  func read(_ source: ConfigurationSource) throws(ConfigurationError) -> PinConfiguration {
    guard let text = source.text else {
      throw ConfigurationError(.valueInvalid, at: source.start, "it is not a text file")
    }
    var session = ReadingSession(file: source.path)
    var configuration = PinConfiguration(format: name, file: source.path, entries: [])
    var words: [ShellWord] = []
    for line in text.lines {
      let read = ShellWord.words(of: line, in: text)
      words += read.words
      guard !read.continues else { continue }
      configuration.entries += entries(words, text, source, &session)
      words = []
    }
    configuration.entries += entries(words, text, source, &session)
    if configuration.entries.isEmpty, session.findings.isEmpty {
      session.error(
        .structureInvalid, source.start, "there is no --pinnedpubkey in it", hint: "write --pinnedpubkey 'sha256//…'")
    }
    configuration.findings = session.findings
    return configuration
  }

  /// The entries of one command line, which has several parts where `--next` stands.
  private func entries(
    _ words: [ShellWord], _ text: SourceText, _ source: ConfigurationSource, _ session: inout ReadingSession
  ) -> [HostEntry] {
    words.split { $0.text == "--next" || $0.text == "-:" }.flatMap { part in
      entries(ofPart: Array(part), text, source, &session)
    }
  }

  /// One entry a URL; the options of a part hold for all of its URLs, and the last of its kind counts.
  private func entries(
    ofPart words: [ShellWord], _ text: SourceText, _ source: ConfigurationSource, _ session: inout ReadingSession
  ) -> [HostEntry] {
    guard let first = words.first else { return [] }
    var value: ShellWord?
    var hosts: [(Endpoint, ShellWord)] = []
    let options = words.indices.filter {
      words[$0].text == "--pinnedpubkey" || words[$0].text.hasPrefix("--pinnedpubkey=")
    }
    if let option = options.last {
      if words[option].text == "--pinnedpubkey" {
        guard option + 1 < words.count else {
          session.error(
            .structureInvalid, text.position(at: words[option].offset), "--pinnedpubkey has no argument",
            hint: "write --pinnedpubkey 'sha256//…'")
          return []
        }
        value = words[option + 1]
      } else {
        let count = "--pinnedpubkey=".utf8.count
        value = ShellWord(text: String(words[option].text.dropFirst(count)), offset: words[option].offset + count)
      }
      for word in words where word.text.contains("://") && !word.text.hasPrefix("sha256//") {
        if let endpoint = try? Endpoint(word.text) { hosts.append((endpoint, word)) }
      }
    } else if first.text.hasPrefix("sha256/"), words.count == 1 {
      value = first
    }
    guard let value else { return [] }
    if options.count > 1 {
      session.warning(
        .keyDuplicated, text.position(at: words[options[0]].offset),
        "--pinnedpubkey is given \(options.count) times, and curl takes the last",
        hint: "put the pins into one value, with ';' between them")
    }
    var entry = HostEntry(.everyHost, text: "every host", position: text.position(at: value.offset))
    entry.lists = [.leaf]
    entry.pins = pins(value, text, source, &session)
    if let insecure = words.first(where: Self.isInsecure) {
      entry.validation = .unvalidated
      session.warning(
        .chainNotValidated, text.position(at: insecure.offset),
        "\(insecure.text): curl does not validate the chain, only the pin counts", hint: "remove it")
    }
    guard !hosts.isEmpty else { return [entry] }
    return hosts.map { endpoint, word in
      var own = HostEntry(
        PinnedHosts(name: endpoint.host.description), text: endpoint.host.description,
        position: text.position(at: word.offset), port: endpoint.port)
      (own.lists, own.pins, own.validation) = (entry.lists, entry.pins, entry.validation)
      return own
    }
  }

  /// `--insecure`, or `k` among short options that take no argument.
  private static func isInsecure(_ word: ShellWord) -> Bool {
    if word.text == "--insecure" { return true }
    guard word.text.hasPrefix("-"), !word.text.hasPrefix("--") else { return false }
    return word.text.dropFirst().prefix { "#01346BGIJLMNORSVafgijklnpqsv".contains($0) }.contains("k")
  }

  /// curl takes a value that does not begin with `sha256//` for the name of a file (vtls.c, Curl_pin_peer_pubkey).
  private func pins(
    _ value: ShellWord, _ text: SourceText, _ source: ConfigurationSource, _ session: inout ReadingSession
  ) -> [ConfiguredPin] {
    let position = text.position(at: value.offset)
    guard !value.text.isEmpty else {
      session.error(.pinListEmpty, position, "the value is empty, which nothing meets", hint: "write a pin")
      return []
    }
    guard value.text.hasPrefix("sha256//") else {
      if value.text.hasPrefix("sha256/") {
        session.error(
          .pinMalformed, position, "'\(value.text)' has one slash, so curl takes it for the name of a file",
          hint: "write sha256//\(value.text.dropFirst(7))")
        return [ConfiguredPin(.malformed, text: value.text, scope: .leaf, position: position)]
      }
      return [file(value.text, position, source, &session)]
    }
    var pins: [ConfiguredPin] = []
    var offset = value.offset
    for part in value.text.split(separator: ";", omittingEmptySubsequences: false) {
      let position = text.position(at: offset)
      offset += part.utf8.count + 1
      guard part.hasPrefix("sha256//") else {
        session.error(
          .pinMalformed, position, "'\(part)' does not begin with sha256//, so curl never finds it equal",
          hint: part.hasPrefix(" ") ? "leave out the space behind ';'" : "write sha256// before every pin")
        pins.append(ConfiguredPin(.malformed, text: String(part), scope: .leaf, position: position))
        continue
      }
      var pin = session.pin(base64: String(part.dropFirst(8)), at: position, prefix: "sha256//")
      pin.scope = .leaf
      pins.append(pin)
    }
    return pins
  }

  private func file(
    _ name: String, _ position: SourcePosition, _ source: ConfigurationSource, _ session: inout ReadingSession
  ) -> ConfiguredPin {
    let path = name.hasPrefix("/") ? name : source.sibling(name)
    if let bytes = try? source.files.read(path), let loaded = try? CertificateLoader().examine(bytes, name: path) {
      if let key = loaded.others.compactMap(\.publicKey).first, loaded.certificates.isEmpty {
        return ConfiguredPin(.whole(.publicKey, Array(key.encoded)), text: name, scope: .leaf, position: position)
      }
      session.error(
        .pinMalformed, position, "'\(name)' holds no public key, so curl never finds it equal",
        hint: "write the key with 'openssl x509 -pubkey -noout'")
    } else {
      session.error(
        .certificateUnreadable, position, "'\(name)' is neither a pin nor a file that can be read",
        hint: "write sha256// and 44 characters of base64, or the name of a PEM file with the public key")
    }
    return ConfiguredPin(.malformed, text: name, scope: .leaf, position: position)
  }

  func requirement(
    of configuration: PinConfiguration, for host: HostName, port: UInt16, chain: [Certificate],
    in context: PlatformContext
  ) -> HostRequirement {
    let entries = configuration.entries.filter {
      $0.pattern.matches(host.description) && ($0.port == nil || $0.port == port)
    }
    guard !entries.isEmpty else { return unpinned("no command line is for this host", context) }
    // Each command line is a run of its own, and all must go on.
    let policies = entries.map { entry in
      TrustPolicy(
        anchors: context.anchors, pinning: .pins(context.pinSet(entry.pins, chain: chain), scope: .leaf),
        chain: entry.validation, time: context.time)
    }
    return HostRequirement(
      .pinned, "curl compares the leaf's key only", alternatives: [policies], entries: entries)
  }

  func write(_ configuration: PinConfiguration) -> String? {
    var text = ""
    for entry in configuration.entries {
      let pins = entry.pins.filter { $0.scope != .issuers }.compactMap(\.pin).filter { $0.subject == .publicKey }
      guard !pins.isEmpty else { continue }
      let value = PinSet(pins).pins.map { "sha256//" + $0.digest.base64 }.joined(separator: ";")
      let port = entry.port.map { $0 == 443 ? "" : ":\($0)" } ?? ""
      text += entry.pattern.name.map { "curl --pinnedpubkey '\(value)' https://\($0)\(port)/\n" } ?? "\(value)\n"
    }
    return text
  }
}

/// Whether an octet is of the alphabet of base64, without padding.
private func isBase64(_ octet: UInt8) -> Bool {
  switch octet {
  case 0x2B, 0x2F, 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
  default: false
  }
}
