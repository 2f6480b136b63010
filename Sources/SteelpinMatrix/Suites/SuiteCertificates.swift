// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinConfigurations
internal import SteelpinFormats

/// The certificates of a suite, made by recipe or read from files, each when it is first needed.
struct SuiteCertificates {
  /// A certificate that is there.
  enum Made {
    /// Made here, or read from a file together with its private key: it can issue others.
    case issued(IssuedCertificate, recipe: CertificateRecipe?)
    /// Read from a file without its key.
    case read(Certificate)

    var der: [UInt8] {
      switch self {
      case .issued(let issued, _): issued.der
      case .read(let certificate): certificate.der
      }
    }
  }

  let keys: KeyRing
  let clock: Timestamp
  private let files: ConfigurationSource
  private let members: [DocumentNode.Member]
  private var made: [String: Made] = [:]
  private var failed: Set<String> = []
  private var inProgress: [String] = []

  init(_ members: [DocumentNode.Member], keys: KeyRing, clock: Timestamp, files: ConfigurationSource) {
    self.members = members
    self.keys = keys
    self.clock = clock
    self.files = files
  }

  var names: [String] { members.map(\.key) }

  /// The certificate of a name; nil if it cannot be had, for a reason that is among the findings then.
  mutating func certificate(
    _ name: String, _ position: SourcePosition, _ session: inout ReadingSession
  ) -> Made? {
    if let known = made[name] { return known }
    guard let member = members.first(where: { $0.key == name }) else {
      session.unknown(name, "certificate", position, among: names)
      return nil
    }
    guard !failed.contains(name) else { return nil }
    if let start = inProgress.firstIndex(of: name) {
      let cycle = (inProgress[start...] + [name]).joined(separator: ", which needs ")
      session.error(
        .issuerCycle, position, "a certificate needs itself: \(cycle)",
        hint: "begin with one that signs itself; cross-signed certificates share a key with 'like' or 'keyOf'")
      failed.formUnion(inProgress[start...])
      return nil
    }
    inProgress.append(name)
    let result = make(member, &session)
    inProgress.removeLast()
    if let result { made[name] = result } else { failed.insert(name) }
    return result
  }

  /// A certificate that can sign.
  mutating func signer(
    _ name: String, _ position: SourcePosition, _ session: inout ReadingSession
  ) -> IssuedCertificate? {
    switch certificate(name, position, &session) {
    case .issued(let issued, _): return issued
    case .read:
      session.error(
        .valueWrong, position, "'\(name)' is read from a file without its private key, so it cannot sign",
        hint: "name the key's file beside it: {file: \"…\", key: \"key.pem\"}")
      return nil
    case nil: return nil
    }
  }

  private mutating func make(_ member: DocumentNode.Member, _ session: inout ReadingSession) -> Made? {
    guard session.members(member.value, "a certificate") != nil else { return nil }
    if member.value["file"] != nil { return read(member.value, &session) }
    let before = session.findings.count
    guard let (recipe, issuer) = recipe(member, &session), session.findings.count == before else { return nil }
    do throws(RecipeError) {
      let issued = try IssuedCertificate(recipe, key: keys.key(recipe.key), issuer: issuer, clock: clock)
      return .issued(issued, recipe: recipe)
    } catch {
      session.error(
        .valueWrong, member.value.position, "'\(member.key)' cannot be made: \(error)", hint: "mend its recipe")
      return nil
    }
  }
}

// MARK: - Files

extension SuiteCertificates {
  private func read(_ node: DocumentNode, _ session: inout ReadingSession) -> Made? {
    var (path, key): (DocumentNode?, DocumentNode?)
    var index = 0
    for member in node.members ?? [] {
      switch member.key {
      case "file": path = member.value
      case "index": index = session.integer(member.value, "index", 0...10_000) ?? 0
      case "key": key = member.value
      case "comment": _ = session.string(member.value, "comment")
      default: session.refuse(member, known: ["file", "index", "key", "comment"])
      }
    }
    guard let path, let name = session.string(path, "file"), let bytes = bytes(name, path.position, &session) else {
      return nil
    }
    do throws(LoadError) {
      let certificates = try CertificateLoader().load(bytes, name: name).certificates.map(\.certificate)
      guard index < certificates.count else {
        session.error(
          .valueWrong, path.position, "'\(name)' has \(certificates.count) certificates, none of index \(index)",
          hint: "the first has index 0")
        return nil
      }
      guard let key else { return .read(certificates[index]) }
      return privateKey(key, &session).map { .issued(IssuedCertificate(certificates[index], key: $0), recipe: nil) }
    } catch {
      session.error(
        .certificateUnreadable, path.position, error.message, hint: error.remedy ?? "name a file with certificates")
      return nil
    }
  }

  private func privateKey(_ node: DocumentNode, _ session: inout ReadingSession) -> (any PrivateKey)? {
    guard let name = session.string(node, "key"), let bytes = bytes(name, node.position, &session) else { return nil }
    // PEM of PKCS#8, or its DER.
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    var der: [UInt8]? = bytes
    if let start = lines.firstIndex(of: "-----BEGIN PRIVATE KEY-----"),
      let end = lines.firstIndex(of: "-----END PRIVATE KEY-----"), start < end
    {
      der = Base64.decode(lines[(start + 1)..<end].joined().utf8)
    }
    if let der, let key = try? keys.provider.importKey(pkcs8: der) { return key }
    session.error(
      .valueWrong, node.position, "'\(name)' is no private key that can be read",
      hint: "it must be unencrypted PKCS#8, as 'openssl pkcs8 -topk8 -nodes' writes it")
    return nil
  }

  /// The octets of a file beside the suite.
  func bytes(_ name: String, _ position: SourcePosition, _ session: inout ReadingSession) -> [UInt8]? {
    let path = name.hasPrefix("/") ? name : files.sibling(name)
    do throws(ConfigurationError) {
      return try files.files.read(path)
    } catch {
      session.error(
        .certificateUnreadable, position, "'\(path)' cannot be read: \(error.message)",
        hint: "paths are relative to the suite's own file")
      return nil
    }
  }
}

// MARK: - Recipes

extension SuiteCertificates {
  private static let keys = [
    "file", "kind", "like", "issuer", "subject", "names", "key", "keyOf", "validity", "serial", "version",
    "issuerName", "signature", "publicKey", "extensions", "duplicate", "faults", "comment",
  ]

  private mutating func recipe(
    _ member: DocumentNode.Member, _ session: inout ReadingSession
  ) -> (CertificateRecipe, IssuedCertificate?)? {
    let node = member.value
    guard var (recipe, issuer) = start(member, &session) else { return nil }
    session.refuse("key", with: "keyOf", in: node)
    if node["names"] != nil, let extensions = node["extensions"] {
      session.refuseExtension(.subjectAlternativeName, in: extensions, because: "'names' sets it already")
    }
    for item in node.members ?? [] {
      let value = item.value
      switch item.key {
      case "kind", "like", "comment", "keyOf": break
      case "duplicate", "extensions", "faults", "names": break
      case "issuer":
        if case .null = value.value {
          issuer = nil
        } else if let name = session.string(value, "issuer") {
          issuer = signer(name, value.position, &session)
          if issuer == nil { return nil }
        }
      case "subject": if let name = session.subject(value, "subject") { recipe.subject = name }
      case "issuerName": recipe.issuerName = session.subject(value, "issuerName")
      case "key":
        if let kind = session.keyKind(value) { recipe.key = KeyRecipe(kind, label: member.key) }
      case "validity": if let validity = session.validity(item) { recipe.validity = validity }
      case "serial": recipe.serialNumber = session.octets(value, "serial")
      case "version": if let version = session.integer(value, "version", -128...127) { recipe.version = version }
      case "signature": recipe.signatureAlgorithm = session.signatureAlgorithm(value)
      case "publicKey": recipe.subjectPublicKeyInfo = session.octets(value, "publicKey")
      default: session.refuse(item, known: Self.keys)
      }
    }
    if let other = node["keyOf"], let name = session.string(other, "keyOf") {
      switch certificate(name, other.position, &session) {
      case .issued(_, recipe: let shared?): recipe.key = shared.key
      case .issued(let issued, recipe: nil):
        recipe.key = KeyRecipe(label: "key of \(name)")
        keys.use(issued.key, for: recipe.key)
      case .read:
        session.error(
          .valueWrong, other.position, "the private key of '\(name)' is not at hand", hint: "give its 'key'")
      case nil: return nil
      }
    }
    // A repeated extension repeats what was set, and what was set is about the names.
    if let names = node["names"] { setNames(names, of: &recipe, hasSubject: node["subject"] != nil, &session) }
    if let extensions = node["extensions"] { session.extensions(extensions, of: &recipe) }
    if let duplicate = node["duplicate"] { session.duplicates(duplicate, of: &recipe) }
    if let faults = node["faults"] { recipe.faults += session.faults(faults) }
    return (recipe, issuer)
  }

  /// What a recipe begins with: another certificate's, or the usual one of a kind.
  private mutating func start(
    _ member: DocumentNode.Member, _ session: inout ReadingSession
  ) -> (CertificateRecipe, IssuedCertificate?)? {
    let node = member.value
    if let like = node["like"] {
      guard let name = session.string(like, "like") else { return nil }
      session.refuse("kind", with: "like", in: node)
      switch certificate(name, like.position, &session) {
      case .issued(_, recipe: let recipe?):
        guard let base = members.first(where: { $0.key == name }) else { return nil }
        return (recipe, issuer(of: base, &session))
      case .issued, .read:
        session.error(
          .valueWrong, like.position, "'\(name)' is read from a file, so there is no recipe to follow",
          hint: "name a certificate that is made here")
        return nil
      case nil: return nil
      }
    }
    let key = KeyRecipe(label: member.key)
    let kinds: [(name: String, value: CertificateRecipe)] = [
      ("leaf", .leaf([], key: key)), ("intermediate", .intermediate(member.key, key: key)),
      ("root", .root(member.key, key: key)),
      ("responder", CertificateRecipe.ocspResponder(member.key).with { $0.key = key }),
      ("bare", CertificateRecipe(subject: NameRecipe(.commonName(member.key)), key: key)),
    ]
    guard let kind = node["kind"] else {
      session.error(
        .structureInvalid, member.keyPosition, "the certificate '\(member.key)' has no 'kind'",
        hint:
          "write kind: \"leaf\", \"intermediate\", \"root\", \"responder\" or \"bare\", or like: NAME, or file: PATH")
      return nil
    }
    guard let recipe = session.lookUp(kind, "kind of certificate", kinds) else { return nil }
    return (recipe, nil)
  }

  /// The issuer that a certificate, or the one that it is like, names.
  private mutating func issuer(
    of member: DocumentNode.Member, _ session: inout ReadingSession
  ) -> IssuedCertificate? {
    if let node = member.value["issuer"] {
      guard case .string(let name) = node.value else { return nil }
      return signer(name, node.position, &session)
    }
    guard case .string(let name)? = member.value["like"]?.value,
      let base = members.first(where: { $0.key == name })
    else { return nil }
    return issuer(of: base, &session)
  }

  private func setNames(
    _ node: DocumentNode, of recipe: inout CertificateRecipe, hasSubject: Bool, _ session: inout ReadingSession
  ) {
    let names = session.generalNames(node, "names")
    recipe.setExtension(.subjectAlternativeNames(names))
    if names.isEmpty { recipe.removeExtension(.subjectAlternativeName) }
    guard !hasSubject else { return }
    for case .dns(let text) in names {
      recipe.subject = NameRecipe(.commonName(text))
      break
    }
  }
}
