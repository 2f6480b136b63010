// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinConfigurations

/// Names, moments and keys of certificates as suites write them.
extension ReadingSession {
  /// A distinguished name: a text is a common name, a list is one attribute an item (`"O=Example"`), a list in it one
  /// relative name of several attributes; an empty list is the empty name.
  mutating func subject(_ node: DocumentNode, _ what: String) -> NameRecipe? {
    switch node.value {
    case .string(let text): return NameRecipe(.commonName(text))
    case .array(let items):
      var names: [[NameRecipe.Attribute]] = []
      for item in items {
        if case .array(let parts) = item.value {
          names.append(parts.compactMap { attribute($0, what) })
        } else if let attribute = attribute(item, what) {
          names.append([attribute])
        }
      }
      return NameRecipe(relativeNames: names)
    default:
      error(
        .valueWrong, node.position, "\(what) is \(node.kind), not a name",
        hint: "write a common name, or a list such as [\"C=DE\", \"O=Example\", \"CN=www.example.test\"]")
      return nil
    }
  }

  private mutating func attribute(_ node: DocumentNode, _ what: String) -> NameRecipe.Attribute? {
    if case .string(let text) = node.value {
      guard let split = text.firstIndex(of: "=") else {
        error(
          .valueWrong, node.position, "'\(text)' is no attribute of a name", hint: "write TYPE=VALUE, as in O=Example")
        return nil
      }
      return attribute(
        String(text[..<split]), String(text[text.index(after: split)...]), node.position, as: nil)
    }
    guard let members = members(node, "an attribute of \(what)") else { return nil }
    var (type, text): (String?, String?)
    var kind: NameRecipe.StringKind?
    for member in members {
      switch member.key {
      case "type": type = string(member.value, "type")
      case "text": text = string(member.value, "text")
      case "as": kind = lookUp(member.value, "type of string", Self.stringKinds)
      default: refuse(member, known: ["type", "text", "as"])
      }
    }
    guard let type, let text else {
      error(.structureInvalid, node.position, "an attribute needs 'type' and 'text'", hint: "write \"O=Example\"")
      return nil
    }
    return attribute(type, text, node.position, as: kind)
  }

  private mutating func attribute(
    _ type: String, _ text: String, _ position: SourcePosition, as kind: NameRecipe.StringKind?
  ) -> NameRecipe.Attribute? {
    var attribute: NameRecipe.Attribute
    switch type {
    case "CN": attribute = .commonName(text)
    case "C": attribute = .country(text)
    case "DC": attribute = .domainComponent(text)
    case "O": attribute = .organization(text)
    case "OU": attribute = .organizationalUnit(text)
    case "emailAddress": attribute = .email(text)
    default:
      guard let identifier = identifier(type, position, "type of attribute (CN, C, DC, O, OU, emailAddress)") else {
        return nil
      }
      attribute = .init(identifier, text)
    }
    if let kind { attribute.kind = kind }
    return attribute
  }

  private static let stringKinds: [(name: String, value: NameRecipe.StringKind)] = [
    ("bmp", .bmp), ("ia5", .ia5), ("printable", .printable), ("teletex", .teletex), ("utf8", .utf8),
  ]

  /// General names: `www.example.test`, or with its kind, as in `ip:192.0.2.1`.
  mutating func generalNames(_ node: DocumentNode, _ what: String) -> [GeneralNameRecipe] {
    if case .string = node.value { return [generalName(node, what)].compactMap { $0 } }
    return (array(node, what) ?? []).compactMap { generalName($0, "an item of \(what)") }
  }

  private mutating func generalName(_ node: DocumentNode, _ what: String) -> GeneralNameRecipe? {
    if node.members != nil { return structuredName(node, what) }
    guard let text = string(node, what) else { return nil }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else { return .dns(text) }
    func octets() -> [UInt8]? { Hex.decode(Array(parts[1].utf8)) }
    switch parts[0] {
    case "dns": return .dns(parts[1])
    case "email": return .email(parts[1])
    case "ip": return .ip(parts[1])
    case "uri": return .uri(parts[1])
    case "ip-octets": if let octets = octets() { return .ipOctets(octets) }
    case "der": if let octets = octets() { return .der(octets) }
    case "id": if let identifier = OID(parts[1]) { return .registeredID(identifier) }
    default: break
    }
    error(
      .valueWrong, node.position, "'\(text)' is no general name",
      hint: "write a DNS name, or dns:, ip:, email:, uri:, id:OID, ip-octets:HEX or der:HEX before a name")
    return nil
  }

  private mutating func structuredName(_ node: DocumentNode, _ what: String) -> GeneralNameRecipe? {
    let known = ["directory", "otherName", "der"]
    for member in node.members ?? [] where !known.contains(member.key) { refuse(member, known: known) }
    for key in ["otherName", "der"] { refuse(key, with: "directory", in: node) }
    if let directory = node["directory"] { return subject(directory, "directory").map { .directory($0) } }
    guard let type = node["otherName"], let value = node["der"], let text = string(type, "otherName"),
      let identifier = identifier(text, type.position, "object identifier"), let octets = octets(value, "der")
    else {
      error(
        .structureInvalid, node.position, "a general name of this form needs 'directory', or 'otherName' and 'der'",
        hint: "write {directory: […]} or {otherName: \"1.2.3\", der: \"…\"}")
      return nil
    }
    return .otherName(identifier, octets)
  }

  /// A moment to be written: relative to the clock, a date, `{at, as}` in another form, or `{der}`.
  mutating func moment(_ node: DocumentNode, _ what: String) -> MomentRecipe? {
    guard let members = node.members else { return offsetOrTime(node, what)?.recipe(as: .automatic) }
    for member in members where !["at", "as", "der"].contains(member.key) {
      refuse(member, known: ["at", "as", "der"])
    }
    for key in ["at", "as"] { refuse(key, with: "der", in: node) }
    if let der = node["der"] { return octets(der, "der").map { .der($0) } }
    guard let at = node["at"] else {
      error(
        .structureInvalid, node.position, "\(what) has neither 'at' nor 'der'", hint: "write {at: \"-1d\", as: \"utc\"}"
      )
      return nil
    }
    let forms: [(name: String, value: MomentRecipe.Form)] = [("generalized", .generalizedTime), ("utc", .utcTime)]
    let form = node["as"].flatMap { lookUp($0, "form of time", forms) }
    return offsetOrTime(at, "at")?.recipe(as: form ?? .automatic)
  }

  /// A validity: a word, or two moments.
  mutating func validity(_ member: DocumentNode.Member) -> ValidityRecipe? {
    if case .string = member.value.value {
      let words: [(name: String, value: ValidityRecipe)] = [
        ("authority", .authority), ("current", .current), ("expired", .expired), ("not-yet-valid", .notYetValid),
      ]
      return lookUp(member.value, "validity", words)
    }
    guard let members = members(member.value, member.key) else { return nil }
    for member in members where !["from", "to"].contains(member.key) { refuse(member, known: ["from", "to"]) }
    guard let from = member.value["from"], let to = member.value["to"] else {
      error(
        .structureInvalid, member.value.position, "'validity' needs 'from' and 'to'",
        hint: "write {from: \"-1d\", to: \"+89d\"}")
      return nil
    }
    guard let first = moment(from, "from"), let last = moment(to, "to") else { return nil }
    return ValidityRecipe(from: first, to: last)
  }

  /// A kind of key, as in `p-256`, `rsa-2048` or `rsa-pss-3072`.
  mutating func keyKind(_ node: DocumentNode) -> KeyKind? {
    guard let text = string(node, "key") else { return nil }
    switch text {
    case "p-256": return .ecdsa(bits: 256)
    case "p-384": return .ecdsa(bits: 384)
    case "p-521": return .ecdsa(bits: 521)
    case "ed25519": return .ed25519
    case "ed448": return .ed448
    default: break
    }
    let isPSS = text.hasPrefix("rsa-pss-")
    if text.hasPrefix("rsa-"), let bits = Int(text.dropFirst(isPSS ? 8 : 4)), KeyKind.rsaSizes.contains(bits) {
      return isPSS ? .rsaPSS(bits: bits) : .rsa(bits: bits)
    }
    error(
      .valueWrong, node.position, "'\(text)' is no kind of key",
      hint: "it is p-256, p-384, p-521, ed25519, ed448, rsa-BITS or rsa-pss-BITS")
    return nil
  }

  /// A signature algorithm, as in `ecdsa-sha256`.
  mutating func signatureAlgorithm(_ node: DocumentNode) -> SignatureAlgorithm? {
    let hashes: [(String, SignatureHash)] = [
      ("sha1", .sha1), ("sha256", .sha256), ("sha384", .sha384), ("sha512", .sha512),
    ]
    let table: [(name: String, value: SignatureAlgorithm)] =
      hashes.map { ("ecdsa-\($0)", .ecdsa($1)) } + hashes.map { ("rsa-\($0)", .rsaPKCS1($1)) }
      + hashes.map { ("rsa-pss-\($0)", .rsaPSS($1)) } + [("ed25519", .ed25519), ("ed448", .ed448)]
    return lookUp(node, "signature algorithm", table)
  }
}
