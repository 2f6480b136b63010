// SPDX-License-Identifier: Apache-2.0
internal import Steelpin

extension PolicyReader {
  /// `"system"`, or certificates by their texts; a list of both is those of the system and these. An empty list trusts
  /// nothing. Nil if something of it is wrong.
  mutating func anchors(_ member: DocumentNode.Member) -> TrustPolicy.Anchors? {
    let texts = session.texts(member)
    let own = texts.filter { $0.text != "system" }
    let certificates = own.compactMap { session.certificates($0, lookup) }
    guard certificates.count == own.count else { return nil }
    let set = AnchorSet(certificates.joined())
    guard texts.count > own.count else { return .only(set) }
    return own.isEmpty ? .system : .systemAnd(set)
  }

  /// Certificates by their texts, in order.
  mutating func references(_ member: DocumentNode.Member) -> [Certificate] {
    session.texts(member).flatMap { session.certificates($0, lookup) ?? [] }
  }

  /// A moment, in the forms that `--at` takes.
  mutating func timestamp(_ member: DocumentNode.Member) -> Timestamp? {
    guard let text = session.string(member.value, member.key) else { return nil }
    if let time = Timestamp(text) { return time }
    session.error(
      .valueWrong, member.value.position, "'\(text)' is not a time",
      hint: "write 2027-03-01, 2027-03-01T12:00:00Z, or @ and seconds since 1970")
    return nil
  }

  /// A mode, or an object of a mode with what is not as usual.
  mutating func revocation(_ member: DocumentNode.Member) -> RevocationPolicy {
    if case .string = member.value.value {
      return RevocationPolicy(session.choice(member, as: RevocationPolicy.Mode.self) ?? .off)
    }
    var policy = RevocationPolicy.off
    guard let members = session.members(member.value, member.key) else { return policy }
    for member in members {
      switch member.key {
      case "mode": policy.mode = session.choice(member, as: RevocationPolicy.Mode.self) ?? .off
      case "failure": policy.failure = session.choice(member, as: RevocationPolicy.Failure.self) ?? .soft
      case "scope": policy.scope = session.choice(member, as: RevocationPolicy.Scope.self) ?? .path
      case "requiresNonce": policy.requiresNonce = session.boolean(member.value, member.key) ?? false
      default: session.refuse(member, known: ["mode", "failure", "scope", "requiresNonce"])
      }
    }
    if member.value["mode"] == nil {
      session.error(
        .structureInvalid, member.value.position, "'revocation' has no 'mode'",
        hint: "the modes are \(RevocationPolicy.Mode.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return policy
  }

  /// The inputs of RFC 5280 6.1.1.
  mutating func certificatePolicies(_ member: DocumentNode.Member) -> TrustPolicy.CertificatePolicies {
    var policies = TrustPolicy.CertificatePolicies()
    for member in session.members(member.value, member.key) ?? [] {
      switch member.key {
      case "accepted": policies.accepted = Set(identifiers(member))
      case "requireExplicitPolicy": policies.requireExplicitPolicy = session.boolean(member.value, member.key) ?? false
      case "inhibitPolicyMapping": policies.inhibitPolicyMapping = session.boolean(member.value, member.key) ?? false
      case "inhibitAnyPolicy": policies.inhibitAnyPolicy = session.boolean(member.value, member.key) ?? false
      default:
        session.refuse(
          member, known: ["accepted", "requireExplicitPolicy", "inhibitPolicyMapping", "inhibitAnyPolicy"])
      }
    }
    return policies
  }

  private mutating func identifiers(_ member: DocumentNode.Member) -> [OID] {
    session.texts(member).compactMap { text in
      if let identifier = OID(text.text) { return identifier }
      session.error(
        .valueWrong, text.position, "'\(text.text)' is no object identifier",
        hint: "write dotted decimal, as in 2.23.140.1.2.1")
      return nil
    }
  }
}
