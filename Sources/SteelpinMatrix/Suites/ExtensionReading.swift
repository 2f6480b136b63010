// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinConfigurations

/// Extensions as suites write them.
extension ReadingSession {
  /// Changes the extensions of a recipe: each key sets one, and `null` leaves it out.
  mutating func extensions(_ node: DocumentNode, of recipe: inout CertificateRecipe) {
    var seen = Set<OID>()
    for member in members(node, "extensions") ?? [] {
      guard let identifier = extensionIdentifier(member) else { continue }
      guard seen.insert(identifier).inserted else {
        error(
          .structureInvalid, member.keyPosition, "the extension '\(member.key)' is set twice",
          hint: "write it once, by its name or by its identifier; 'duplicate' repeats it in the certificate")
        continue
      }
      if case .null = member.value.value {
        recipe.removeExtension(identifier)
        continue
      }
      var (value, critical): (DocumentNode, Bool?) = (member.value, nil)
      if let inner = member.value["value"] {
        for other in member.value.members ?? [] where !["value", "critical"].contains(other.key) {
          refuse(other, known: ["value", "critical"])
        }
        value = inner
        critical = member.value["critical"].flatMap { boolean($0, "critical") }
      }
      if let value = extensionValue(value, identifier, member.key) { recipe.setExtension(value, critical: critical) }
    }
  }

  /// Repeats extensions, which RFC 5280 4.2 forbids.
  mutating func duplicates(_ node: DocumentNode, of recipe: inout CertificateRecipe) {
    for (text, position) in texts(node, "duplicate") {
      guard let identifier = identifier(text, position, "extension", named: Self.extensionNames) else { continue }
      guard recipe.extensions.contains(where: { $0.value.identifier == identifier }) else {
        error(.valueWrong, position, "the certificate has no \(text) to repeat", hint: "set it among 'extensions'")
        continue
      }
      recipe.duplicateExtension(identifier)
    }
  }

  /// Refuses an extension that another key sets.
  mutating func refuseExtension(_ identifier: OID, in node: DocumentNode, because reason: String) {
    for member in node.members ?? []
    where OID(member.key) == identifier
      || Self.extensionNames.contains(where: { $0.name == member.key && $0.value == identifier })
    {
      error(
        .structureInvalid, member.keyPosition, "'\(member.key)' cannot be set here: \(reason)",
        hint: "leave one of the two out")
    }
  }

  private mutating func extensionIdentifier(_ member: DocumentNode.Member) -> OID? {
    identifier(member.key, member.keyPosition, "extension", named: Self.extensionNames)
  }

  private static let extensionNames: [(name: String, value: OID)] = [
    ("authorityInfoAccess", .authorityInformationAccess), ("authorityKeyIdentifier", .authorityKeyIdentifier),
    ("basicConstraints", .basicConstraints), ("certificatePolicies", .certificatePolicies),
    ("cRLDistributionPoints", .crlDistributionPoints), ("extKeyUsage", .extendedKeyUsage),
    ("freshestCRL", .freshestCRL), ("inhibitAnyPolicy", .inhibitAnyPolicy), ("issuerAltName", .issuerAlternativeName),
    ("keyUsage", .keyUsage), ("nameConstraints", .nameConstraints), ("ocspNoCheck", .ocspNoCheck),
    ("policyConstraints", .policyConstraints), ("policyMappings", .policyMappings),
    ("subjectAltName", .subjectAlternativeName), ("subjectKeyIdentifier", .subjectKeyIdentifier),
    ("tlsfeature", .tlsFeature),
  ]

  private mutating func extensionValue(
    _ node: DocumentNode, _ identifier: OID, _ name: String
  ) -> ExtensionValue? {
    if node.members?.count == 1, let der = node["der"] {
      return octets(der, "der").map { .raw(identifier, $0) }
    }
    switch identifier {
    case .authorityInformationAccess:
      let lists = fields(node, name, ["ocsp", "caIssuers"])
      func urls(_ index: Int, _ session: inout ReadingSession) -> [String] {
        lists[index].map { session.texts($0, name).map(\.text) } ?? []
      }
      return .authorityInformationAccess(ocsp: urls(0, &self), caIssuers: urls(1, &self))
    case .authorityKeyIdentifier: return authorityKeyIdentifier(node).map { .authorityKeyIdentifier($0) }
    case .basicConstraints:
      let parts = fields(node, name, ["ca", "pathLength"])
      return .basicConstraints(
        isCA: parts[0].flatMap { boolean($0, "ca") } ?? false,
        pathLength: parts[1].flatMap { integer($0, "pathLength", -1...1_000_000) })
    case .certificatePolicies:
      return .certificatePolicies(identifiers(node, name, "certificate policy", Self.anyPolicy))
    case .crlDistributionPoints: return .crlDistributionPoints(points(node, name))
    case .freshestCRL: return .freshestCRL(points(node, name))
    case .extendedKeyUsage: return .extendedKeyUsage(identifiers(node, name, "purpose", Self.purposes))
    case .inhibitAnyPolicy: return integer(node, name, 0...1_000_000).map { .inhibitAnyPolicy($0) }
    case .issuerAlternativeName: return .issuerAlternativeNames(generalNames(node, name))
    case .keyUsage:
      var usage: KeyUsage = []
      for (text, position) in texts(node, name) {
        guard let bit = KeyUsage.names.first(where: { $0.name == text }) else {
          let names = KeyUsage.names.map(\.name).joined(separator: ", ")
          error(.valueWrong, position, "'\(text)' is no key usage", hint: "it is one of \(names)")
          continue
        }
        usage.insert(bit.usage)
      }
      return .keyUsage(usage)
    case .nameConstraints:
      let lists = fields(node, name, ["permitted", "excluded"])
      return .nameConstraints(
        permitted: lists[0].map { generalNames($0, "permitted") } ?? [],
        excluded: lists[1].map { generalNames($0, "excluded") } ?? [])
    case .ocspNoCheck: return boolean(node, name) == true ? .ocspNoCheck : nil
    case .policyConstraints:
      let parts = fields(node, name, ["requireExplicitPolicy", "inhibitPolicyMapping"])
      return .policyConstraints(
        requireExplicitPolicy: parts[0].flatMap { integer($0, "requireExplicitPolicy", 0...1_000_000) },
        inhibitPolicyMapping: parts[1].flatMap { integer($0, "inhibitPolicyMapping", 0...1_000_000) })
    case .policyMappings: return .policyMappings(mappings(node, name))
    case .subjectAlternativeName: return .subjectAlternativeNames(generalNames(node, name))
    case .subjectKeyIdentifier:
      if case .string("key") = node.value { return .subjectKeyIdentifier(nil) }
      return octets(node, name).map { .subjectKeyIdentifier($0) }
    case .tlsFeature:
      return .tlsFeature((array(node, name) ?? []).compactMap { integer($0, "a feature", 0...65535) })
    default: return octets(node, name).map { .raw(identifier, $0) }
    }
  }

  /// The values of an object's keys in the order of the names; a key that is none of them is refused.
  private mutating func fields(_ node: DocumentNode, _ what: String, _ names: [String]) -> [DocumentNode?] {
    for member in members(node, what) ?? [] where !names.contains(member.key) { refuse(member, known: names) }
    return names.map { node[$0] }
  }

  private mutating func identifiers(
    _ node: DocumentNode, _ what: String, _ kind: String, _ names: [(name: String, value: OID)]
  ) -> [OID] {
    texts(node, what).compactMap { identifier($0.text, $0.position, kind, named: names) }
  }

  private static let anyPolicy: [(name: String, value: OID)] = [("anyPolicy", .anyPolicy)]

  private static let purposes: [(name: String, value: OID)] = [
    ("serverAuth", .serverAuth), ("clientAuth", .clientAuth), ("codeSigning", .codeSigning),
    ("emailProtection", .emailProtection), ("timeStamping", .timeStamping), ("OCSPSigning", .ocspSigning),
    ("any", .anyExtendedKeyUsage),
  ]

  private mutating func authorityKeyIdentifier(_ node: DocumentNode) -> AuthorityKeyIdentifierRecipe? {
    if case .string = node.value {
      let words: [(name: String, value: AuthorityKeyIdentifierRecipe)] = [
        ("key", .keyOfIssuer), ("key-and-name", .keyAndNameOfIssuer),
      ]
      return lookUp(node, "authorityKeyIdentifier", words)
    }
    let parts = fields(node, "authorityKeyIdentifier", ["key", "issuer", "serial"])
    return .custom(
      keyIdentifier: parts[0].flatMap { octets($0, "key") }, issuer: parts[1].map { generalNames($0, "issuer") },
      serialNumber: parts[2].flatMap { octets($0, "serial") })
  }

  private mutating func points(_ node: DocumentNode, _ what: String) -> [DistributionPointRecipe] {
    if case .string(let url) = node.value { return [.url(url)] }
    return (array(node, what) ?? []).compactMap { item in
      if case .string(let url) = item.value { return .url(url) }
      let parts = fields(item, "a distribution point", ["names", "reasons", "issuer"])
      let reasons = parts[1].map { node in texts(node, "reasons").compactMap { reason($0.text, $0.position) } }
      return DistributionPointRecipe(
        parts[0].map { generalNames($0, "names") } ?? [], reasons: reasons,
        issuer: parts[2].map { generalNames($0, "issuer") } ?? [])
    }
  }

  /// A reason of revocation by its name in RFC 5280.
  mutating func reason(_ text: String, _ position: SourcePosition) -> RevocationReason? {
    let all = (0...10).compactMap(RevocationReason.init(rawValue:))
    if let reason = all.first(where: { "\($0)" == text }) { return reason }
    error(
      .valueWrong, position, "'\(text)' is no reason of revocation",
      hint: "it is one of \(all.map { "\($0)" }.joined(separator: ", "))")
    return nil
  }

  private mutating func mappings(_ node: DocumentNode, _ what: String) -> [PolicyMappingRecipe] {
    (array(node, what) ?? []).compactMap { item in
      let parts = fields(item, "a policy mapping", ["from", "to"])
      guard let from = parts[0], let to = parts[1], let first = string(from, "from"), let second = string(to, "to"),
        let issuer = identifier(first, from.position, "certificate policy", named: Self.anyPolicy),
        let subject = identifier(second, to.position, "certificate policy", named: Self.anyPolicy)
      else {
        error(.structureInvalid, item.position, "a policy mapping needs 'from' and 'to'", hint: "write two identifiers")
        return nil
      }
      return PolicyMappingRecipe(issuer, to: subject)
    }
  }
}
