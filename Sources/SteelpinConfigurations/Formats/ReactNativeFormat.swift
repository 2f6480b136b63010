// SPDX-License-Identifier: Apache-2.0
internal import Steelpin

/// The argument of react-native-ssl-public-key-pinning's `initializeSslPinning`, alone or in a source file.
struct ReactNativeFormat: PinConfigurationFormat {
  let name = "react-native"
  let summary = "initializeSslPinning of react-native-ssl-public-key-pinning"
  let capabilities = FormatCapabilities(subdomains: [.none, .anyDepth], expiry: true, minimumPins: 2)

  func recognizes(_ source: ConfigurationSource) -> Bool {
    guard let text = source.text else { return false }
    return text.contains("publicKeyHashes") && !text.contains("TSKPinnedDomains")
  }

  func read(_ source: ConfigurationSource) throws(ConfigurationError) -> PinConfiguration {
    guard let text = source.text else {
      throw ConfigurationError(.valueInvalid, at: source.start, "it is not a text file")
    }
    var session = ReadingSession(file: source.path)
    let calls = ScriptCalls.arguments(of: "initializeSslPinning", in: text)
    let root: DocumentNode
    if let call = calls.first {
      guard call < text.bytes.count, text.bytes[call] == UInt8(ascii: "{") else {
        throw ConfigurationError(
          .valueInvalid, at: text.position(at: call), "the argument of initializeSslPinning is no literal",
          hint: "write the hosts and their pins into the call, or give the object in a file of its own")
      }
      var parser = JSON5Parser(text, at: call)
      root = try parser.value()
    } else {
      root = try JSON5Parser.document(text)
    }
    if calls.count > 1 {
      session.unreadable(
        .structureInvalid, text.position(at: calls[1]),
        "initializeSslPinning is called \(calls.count) times, and which call counts cannot be told",
        hint: "give the objects in files of their own")
    }
    var configuration = PinConfiguration(format: name, file: source.path, entries: [])
    for member in session.members(root, "the argument of initializeSslPinning") ?? [] {
      guard let host = session.hostName(member.key, at: member.keyPosition, in: "this library") else { continue }
      session.refuseOtherSpelling(member.key, of: host, at: member.keyPosition, in: "TrustKit on iOS")
      var entry = HostEntry(PinnedHosts(name: host), text: member.key, position: member.keyPosition)
      for item in session.members(member.value, "the entry of \(member.key)") ?? [] {
        switch item.key {
        case "includeSubdomains":
          if session.boolean(item.value, item.key) == true {
            entry.pattern = PinnedHosts(name: host, subdomains: .anyDepth)
          }
        case "publicKeyHashes":
          entry.lists.insert(.any)
          for node in session.array(item.value, item.key) ?? [] {
            if let text = session.string(node, "a pin") {
              entry.pins.append(session.pin(base64: text, at: node.position))
            }
          }
        case "expirationDate":
          guard let text = session.string(item.value, item.key) else { continue }
          entry.expiry = session.date(text, at: item.value.position, consequence: "the pins then never expire")
        default:
          session.unknown(
            item, in: "this library", known: ["expirationDate", "includeSubdomains", "publicKeyHashes"])
        }
      }
      if Set(entry.pins.compactMap(\.pin)).count < 2 {
        session.error(
          entry.pins.isEmpty ? .pinListEmpty : .pinSingle, member.keyPosition,
          "'\(member.key)' has fewer than two distinct pins, which iOS (TrustKit) refuses",
          hint: "add the pin of a backup key; 'steelpin pin backup' makes one")
      }
      configuration.entries.append(entry)
    }
    configuration.findings = session.findings
    configuration.unread = session.unread
    return configuration
  }

  /// The app must connect on both platforms: TrustKit's longest match on iOS, OkHttp's union of patterns on Android.
  func requirement(
    of configuration: PinConfiguration, for host: HostName, port: UInt16, chain: [Certificate],
    in context: PlatformContext
  ) -> HostRequirement {
    let entries = configuration.entries.filter { $0.pattern.matches(host.description) }
    let live = entries.filter { $0.expiry?.isPast(at: context.time) != true }
    guard let longest = longestMatch(configuration, host), !live.isEmpty else {
      let reason = entries.isEmpty ? "no entry is for this host" : "the pins of this host have expired"
      return unpinned(reason, context, entries: entries)
    }
    var policies = [
      TrustPolicy(
        anchors: context.anchors, pinning: .pins(context.pinSet(live.flatMap(\.pins), chain: chain), scope: .any),
        time: context.time)
    ]
    if longest.expiry?.isPast(at: context.time) != true {
      policies.append(
        TrustPolicy(
          anchors: context.anchors, pinning: .pins(context.pinSet(longest.pins, chain: chain), scope: .any),
          profile: .apple, time: context.time))
    }
    return HostRequirement(
      .pinned, "iOS takes the longest match, '\(longest.text)'; Android takes the pins of all that match",
      alternatives: [policies], entries: entries)
  }

  func write(_ configuration: PinConfiguration) -> String? {
    var text = "initializeSslPinning({\n"
    for (host, entries) in PropertyListWriter.byHost(configuration.entries) {
      let pins = PinSet(entries.flatMap(\.pins).compactMap(\.pin).filter { $0.subject == .publicKey }).pins
      guard !pins.isEmpty else { continue }
      text += "  \"\(host)\": {\n    includeSubdomains: \(entries.contains { $0.pattern.subdomains != .none }),\n"
      text += "    publicKeyHashes: [\n" + pins.map { "      \"\($0.digest.base64)\",\n" }.joined() + "    ],\n"
      if let day = entries.lazy.compactMap(\.expiry?.time).min()?.description.prefix(10) {
        text += "    expirationDate: \"\(day)\",\n"
      }
      text += "  },\n"
    }
    return text + "})\n"
  }
}
