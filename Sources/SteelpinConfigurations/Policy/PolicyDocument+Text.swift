// SPDX-License-Identifier: Apache-2.0
public import Steelpin

extension PolicyDocument {
  /// A policy as the JSON that ``init(json:name:)`` reads back as the same. Certificates are base64 of their DER.
  public static func text(of policy: CompositePolicy) -> String { object(policy) + "\n" }

  private static func object(_ policy: CompositePolicy) -> String {
    switch policy {
    case .all(let parts): braces([("all", list(parts.map(object)))])
    case .any(let parts): braces([("any", list(parts.map(object)))])
    case .forHost(let host, let part): braces([("host", JSONText.quote("\(host)")), ("then", object(part))])
    case .policy(let policy): object(policy)
    case .refuse(let refusal): braces([("refuse", JSONText.quote(refusal.rawValue))])
    }
  }

  /// Every member is written, those with the usual value too: a policy that is kept says what it means.
  private static func object(_ policy: TrustPolicy) -> String {
    var members = [
      ("anchors", anchors(policy.anchors)), ("domain", JSONText.quote(policy.domain.rawValue)),
      ("chain", JSONText.quote(policy.chain.rawValue)), ("profile", JSONText.quote(policy.profile.rawValue)),
      ("revocation", revocation(policy.revocation)),
      ("enforcement", JSONText.quote(policy.enforcement == .enforce ? "enforce" : "report-only")),
    ]
    switch policy.pinning {
    case .certificates(let certificates, let scope):
      members += [("certificates", list(certificates.map(text))), ("scope", JSONText.quote(scope.rawValue))]
    case .leafData(let certificates): members.append(("leafData", list(certificates.map(text))))
    case .none: break
    case .pins(let set, let scope):
      members += [
        ("pins", list(set.pins.map { JSONText.quote("\($0)") })), ("scope", JSONText.quote(scope.rawValue)),
      ]
    }
    if policy.certificatePolicies != TrustPolicy.CertificatePolicies() {
      members.append(("certificatePolicies", certificatePolicies(policy.certificatePolicies)))
    }
    if let time = policy.time { members.append(("time", JSONText.quote("\(time)"))) }
    return braces(members)
  }

  private static func anchors(_ anchors: TrustPolicy.Anchors) -> String {
    switch anchors {
    case .only(let set): list(set.certificates.map(text))
    case .system: list([JSONText.quote("system")])
    case .systemAnd(let set): list([JSONText.quote("system")] + set.certificates.map(text))
    }
  }

  private static func revocation(_ policy: RevocationPolicy) -> String {
    braces([
      ("mode", JSONText.quote(policy.mode.rawValue)), ("failure", JSONText.quote(policy.failure.rawValue)),
      ("scope", JSONText.quote(policy.scope.rawValue)), ("requiresNonce", "\(policy.requiresNonce)"),
    ])
  }

  private static func certificatePolicies(_ policies: TrustPolicy.CertificatePolicies) -> String {
    let accepted = policies.accepted.map { set in
      [("accepted", list(set.map { JSONText.quote("\($0)") }.sorted()))]
    }
    return braces(
      (accepted ?? []) + [
        ("requireExplicitPolicy", "\(policies.requireExplicitPolicy)"),
        ("inhibitPolicyMapping", "\(policies.inhibitPolicyMapping)"),
        ("inhibitAnyPolicy", "\(policies.inhibitAnyPolicy)"),
      ])
  }

  private static func text(_ certificate: Certificate) -> String { JSONText.quote(Base64.encode(certificate.der)) }

  private static func list(_ items: [String]) -> String { "[" + items.joined(separator: ", ") + "]" }

  private static func braces(_ members: [(key: String, value: String)]) -> String {
    "{" + members.map { "\(JSONText.quote($0.key)): \($0.value)" }.joined(separator: ", ") + "}"
  }
}
