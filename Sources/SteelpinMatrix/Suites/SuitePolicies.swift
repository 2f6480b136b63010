// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinConfigurations

/// Certificates by their names in the suite, else by the path of a file.
struct SuiteReferences: CertificateReferences {
  let made: [String: [UInt8]]
  let files: FileCertificates

  func certificates(_ text: String) throws(CertificateReferenceError) -> [Certificate] {
    guard let der = made[text] else {
      if !text.contains("."), !text.contains("/"), !InlineCertificates.isInline(text) {
        throw CertificateReferenceError(
          "there is no certificate '\(text)'",
          hint: "the suite has \(made.keys.sorted().joined(separator: ", ")); the path of a file has a dot or a slash")
      }
      return try files.certificates(text)
    }
    do throws(CertificateError) {
      return [try Certificate(der: der)]
    } catch {
      throw CertificateReferenceError(
        "'\(text)' is no certificate that a policy can name, because of its faults: \(error)",
        hint: "only chains can have certificates that cannot be read")
    }
  }
}

/// The policies of a suite: what the JSON of policies can say, with names for certificates and for other policies, and
/// pin configurations of other systems.
struct SuitePolicies {
  private let members: [DocumentNode.Member]
  private let named: [String: DocumentNode.Member]
  private let references: SuiteReferences
  private let source: ConfigurationSource

  init(_ members: [DocumentNode.Member], references: SuiteReferences, source: ConfigurationSource) {
    self.members = members
    self.named = Dictionary(members.map { ($0.key, $0) }) { first, _ in first }
    self.references = references
    self.source = source
  }

  /// What the policies demand, without those of which it cannot be said. None is read if one needs itself or becomes
  /// too large with the policies that it names.
  func judges(_ session: inout ReadingSession) -> [(name: MatrixPolicyName, judge: MatrixJudge)] {
    var sizes = SuitePolicySizes(members)
    guard sizes.check(&session) else { return [] }
    var judges: [(name: MatrixPolicyName, judge: MatrixJudge)] = []
    for member in members {
      guard let judge = judge(member, &session) else { continue }
      judges.append((MatrixPolicyName(member.key, isPreset: Self.isPreset(member)), judge))
    }
    return judges
  }

  private func judge(_ member: DocumentNode.Member, _ session: inout ReadingSession) -> MatrixJudge? {
    if member.value["configuration"] != nil { return configuration(member.value, &session) }
    let node = resolved(member.value, &session)
    var reader = PolicyReader(session, certificates: references)
    let policy = reader.policy(node)
    session = reader.session
    return policy.map { .source($0) }
  }

  /// Whether a policy is the emulation of another system.
  private static func isPreset(_ member: DocumentNode.Member) -> Bool {
    member.value["preset"] != nil || member.value["configuration"] != nil
  }

  /// The policy with names of certificates in pins, and of policies in combinations, replaced by what they name.
  private func resolved(_ node: DocumentNode, _ session: inout ReadingSession) -> DocumentNode {
    guard let members = node.members else { return node }
    var changed: [DocumentNode.Member] = []
    for member in members {
      var value = member.value
      switch (member.key, value.value) {
      case ("pins", .array(let items)):
        var pins: [DocumentNode] = []
        for item in items { pins.append(pin(item, &session)) }
        value = DocumentNode(value: .array(pins), position: value.position, range: value.range)
      case ("all", .array(let items)), ("any", .array(let items)):
        var parts: [DocumentNode] = []
        for item in items { parts.append(part(item, &session)) }
        value = DocumentNode(value: .array(parts), position: value.position, range: value.range)
      case ("then", _): value = part(value, &session)
      default: break
      }
      changed.append(DocumentNode.Member(key: member.key, keyPosition: member.keyPosition, value: value))
    }
    return DocumentNode(value: .object(changed), position: node.position, range: node.range)
  }

  private func part(_ node: DocumentNode, _ session: inout ReadingSession) -> DocumentNode {
    guard case .string(let name) = node.value else { return resolved(node, &session) }
    let empty = DocumentNode(value: .object([]), position: node.position)
    guard let member = named[name] else {
      session.unknown(name, "policy", node.position, among: members.map(\.key))
      return empty
    }
    guard member.value["configuration"] == nil else {
      session.error(
        .structureInvalid, node.position, "'\(name)' is a pin configuration, which cannot be combined with policies",
        hint: "write two policies")
      return empty
    }
    return resolved(member.value, &session)
  }

  /// `key:NAME` and `certificate:NAME` are the pins of a certificate of the suite.
  private func pin(_ node: DocumentNode, _ session: inout ReadingSession) -> DocumentNode {
    if let inner = node["pin"], let members = node.members {
      let value = pin(inner, &session)
      return DocumentNode(
        value: .object(
          members.map { $0.key == "pin" ? .init(key: "pin", keyPosition: $0.keyPosition, value: value) : $0 }),
        position: node.position, range: node.range)
    }
    guard case .string(let text) = node.value else { return node }
    for (prefix, subject) in [("key:", Pin.Subject.publicKey), ("certificate:", .certificate)]
    where text.hasPrefix(prefix) {
      do throws(CertificateReferenceError) {
        guard let certificate = try references.certificates(String(text.dropFirst(prefix.count))).first else { break }
        return DocumentNode(
          value: .string("\(Pin(subject, of: certificate))"), position: node.position, range: node.range)
      } catch {
        session.error(.nameUnknown, node.position, error.message, hint: error.hint)
        // A pin that nothing meets keeps the reader from complaining a second time.
        let none = Pin(.publicKey, SHA256Digest(of: [UInt8]()))
        return DocumentNode(value: .string("\(none)"), position: node.position, range: node.range)
      }
    }
    return node
  }
}

// MARK: - Pin configurations

extension SuitePolicies {
  private func configuration(_ node: DocumentNode, _ session: inout ReadingSession) -> MatrixJudge? {
    var path: DocumentNode?
    var format: (any PinConfigurationFormat)?
    var port = 443
    var anchors: DocumentNode.Member?
    for member in node.members ?? [] {
      switch member.key {
      case "configuration": path = member.value
      case "format":
        format = session.lookUp(
          member.value, "format of pin configurations", PinConfigurationFormats.all.map { ($0.name, $0) })
      case "anchors": anchors = member
      case "port": port = session.integer(member.value, "port", 1...65535) ?? 443
      case "comment": _ = session.string(member.value, "comment")
      default: session.refuse(member, known: ["configuration", "format", "anchors", "port", "comment"])
      }
    }
    guard let path, let name = session.string(path, "configuration") else { return nil }
    var trusted = TrustPolicy.Anchors.system
    if let anchors {
      let policy = DocumentNode(value: .object([anchors]), position: node.position)
      var reader = PolicyReader(session, certificates: references)
      let source = reader.policy(policy)
      session = reader.session
      if case .policy(let policy)? = source?.policy(for: nil, at: .now()) { trusted = policy.anchors }
    }
    guard let configuration = read(name, path.position, format, &session) else { return nil }
    return .configuration(configuration, anchors: trusted, port: UInt16(clamping: port))
  }

  private func read(
    _ name: String, _ position: SourcePosition, _ format: (any PinConfigurationFormat)?,
    _ session: inout ReadingSession
  ) -> PinConfiguration? {
    let file = name.hasPrefix("/") ? name : source.sibling(name)
    do throws(ConfigurationError) {
      let found = try PinConfigurationFormats.read(ConfigurationSource(path: file, files: source.files), as: format)
      guard let configuration = found.first, found.count == 1 else {
        session.error(
          .structureInvalid, position, "'\(name)' could be of \(found.map(\.format).joined(separator: " and "))",
          hint: "say which with 'format'")
        return nil
      }
      if let fault = configuration.findings.first(where: { $0.severity == .error }) {
        session.error(fault.code, fault.position, fault.message, hint: fault.hint)
        return nil
      }
      return configuration
    } catch {
      session.error(
        .certificateUnreadable, position, "\(error.position): \(error.message)",
        hint: error.hint ?? "paths are relative to the suite's own file")
      return nil
    }
  }
}
