// SPDX-License-Identifier: Apache-2.0
package import Steelpin

/// Reads policy objects out of a document. What is wrong is collected in the session, with its place.
package struct PolicyReader {
  /// What was found wrong so far, besides what the caller finds.
  package var session: ReadingSession
  let lookup: any CertificateReferences

  package init(_ session: ReadingSession, certificates: any CertificateReferences) {
    self.session = session
    self.lookup = certificates
  }

  /// What an object demands; nil if it cannot be said, for a reason that is among the session's findings then.
  package mutating func policy(_ node: DocumentNode) -> (any PolicySource)? {
    guard let members = session.members(node, "a policy") else { return nil }
    for combination in Self.combinations {
      if let member = members.first(where: { $0.key == combination }) { return combined(member, of: members) }
    }
    return node["preset"] == nil ? demand(members) : preset(members)
  }

  private static let combinations = ["all", "any", "then", "refuse"]

  /// `all` and `any` of several policies, `then` for another `host`, and `refuse`.
  private mutating func combined(
    _ member: DocumentNode.Member, of members: [DocumentNode.Member]
  ) -> (any PolicySource)? {
    let known = member.key == "then" ? ["host", "then"] : [member.key]
    for other in members where !known.contains(other.key) { session.refuse(other, known: known) }
    switch member.key {
    case "refuse":
      return session.choice(member, as: CompositePolicy.Refusal.self).map { CompositePolicy.refuse($0) }
    case "then":
      guard let name = members.first(where: { $0.key == "host" }) else {
        session.error(
          .structureInvalid, member.keyPosition, "'then' has no 'host'",
          hint: "write {\"host\": \"example.org\", \"then\": {…}}")
        return nil
      }
      guard let text = session.string(name.value, "host"), let host = host(text, name.value.position),
        let part = policy(member.value)
      else { return nil }
      return ForOtherHost(host: host, part: part)
    default:
      guard let items = session.array(member.value, member.key) else { return nil }
      let parts = items.compactMap { policy($0) }
      return parts.count == items.count ? Combination(isAll: member.key == "all", parts: parts) : nil
    }
  }

  private mutating func host(_ text: String, _ position: SourcePosition) -> HostName? {
    do throws(HostNameError) {
      return try HostName(text)
    } catch {
      session.error(.hostMalformed, position, "\(error)", hint: "write the name alone, as in example.org")
      return nil
    }
  }

  private mutating func preset(_ members: [DocumentNode.Member]) -> (any PolicySource)? {
    var inputs = NamedPreset.Inputs()
    var preset: (preset: NamedPreset, flags: Set<String>)?
    var time: Timestamp?
    for member in members {
      switch member.key {
      case "preset": preset = named(member)
      case "anchors": inputs.anchors = anchors(member) ?? .only(AnchorSet([]))
      case "certificates": inputs.certificates = references(member)
      case "pins": inputs.pins = pinSet(session.pins(member))
      case "time": time = timestamp(member)
      default: session.refuse(member, known: ["preset", "anchors", "certificates", "pins", "time"])
      }
    }
    guard let (preset, flags) = preset else { return nil }
    for (key, material) in [("pins", NamedPreset.Material.pins), ("certificates", .certificates)] {
      guard preset.material != material, let member = members.first(where: { $0.key == key }) else { continue }
      session.error(
        .keyUnknown, member.keyPosition, "the preset \(preset.name) does not take '\(key)'",
        hint: preset.material == .none ? "it has no pins" : "it takes '\(preset.material.rawValue)'")
    }
    let source = preset.source(inputs, flags: flags)
    return time.map { AtTime(time: $0, part: source) } ?? source
  }

  private mutating func named(_ member: DocumentNode.Member) -> (preset: NamedPreset, flags: Set<String>)? {
    guard let text = session.string(member.value, "preset") else { return nil }
    do throws(PresetError) {
      return try NamedPreset.parse(text)
    } catch {
      session.error(
        .valueWrong, member.value.position, "\(error)",
        hint: error.known.isEmpty ? "it has none" : "it is one of \(error.known.joined(separator: ", "))")
      return nil
    }
  }
}

extension PolicyReader {
  private static let keys = [
    "anchors", "domain", "pins", "certificates", "leafData", "scope", "chain", "profile", "certificatePolicies",
    "revocation", "time", "enforcement", "comment",
  ]

  private mutating func demand(_ members: [DocumentNode.Member]) -> (any PolicySource)? {
    var policy = TrustPolicy()
    for member in members {
      switch member.key {
      case "anchors": policy.anchors = anchors(member) ?? .only(AnchorSet([]))
      case "domain":
        if let domain = session.choice(member, as: TrustPolicy.DomainValidation.self) { policy.domain = domain }
      case "chain":
        if let chain = session.choice(member, as: TrustPolicy.ChainValidation.self) { policy.chain = chain }
      case "profile":
        if let profile = session.choice(member, as: TrustPolicy.Profile.self) { policy.profile = profile }
      case "certificatePolicies": policy.certificatePolicies = certificatePolicies(member)
      case "revocation": policy.revocation = revocation(member)
      case "time": policy.time = timestamp(member)
      case "enforcement":
        if session.word(member, ["enforce", "report-only"]) == "report-only" { policy.enforcement = .reportOnly }
      case "comment": _ = session.string(member.value, member.key)
      case "pins", "certificates", "leafData", "scope": break
      default: session.refuse(member, known: Self.keys + ["preset"] + Self.combinations)
      }
    }
    return pinned(policy, by: members)
  }

  /// The policy with its pins; those of different scopes are alternatives, each in its own scope.
  private mutating func pinned(_ policy: TrustPolicy, by members: [DocumentNode.Member]) -> any PolicySource {
    let kinds = members.filter { ["pins", "certificates", "leafData"].contains($0.key) }
    for extra in kinds.dropFirst() {
      session.error(
        .structureInvalid, extra.keyPosition, "'\(kinds[0].key)' and '\(extra.key)' cannot be combined",
        hint: "choose one, or combine two policies with \"any\" or \"all\"")
    }
    let place = members.first { $0.key == "scope" }
    let scope = place.flatMap { session.choice($0, as: TrustPolicy.PinScope.self) }
    if let place, kinds.first?.key ?? "leafData" == "leafData" {
      session.error(
        .structureInvalid, place.keyPosition, "'scope' stands without 'pins' or 'certificates'",
        hint: "'leafData' is about the leaf only, and nothing else needs a scope")
    }
    var policy = policy
    guard let kind = kinds.first else { return policy }
    switch kind.key {
    case "certificates": policy.pinning = .certificates(references(kind), scope: scope ?? .any)
    case "leafData": policy.pinning = .leafData(references(kind))
    default:
      let pins = session.pins(kind, scope: scope ?? .any)
      let scopes = TrustPolicy.PinScope.allCases.filter { scope in pins.contains { $0.scope == scope } }
      guard scopes.count > 1 else {
        policy.pinning = .pins(pinSet(pins), scope: scopes.first ?? scope ?? .any)
        return policy
      }
      return CompositePolicy.any(
        scopes.map { scope in
          policy.pinning = .pins(pinSet(pins.filter { $0.scope == scope }), scope: scope)
          return .policy(policy)
        })
    }
    return policy
  }

  private func pinSet(_ pins: [ConfiguredPin]) -> PinSet { PinSet(pins.compactMap(\.pin)) }
}
