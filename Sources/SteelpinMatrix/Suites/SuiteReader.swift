// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinConfigurations

/// Reads a suite. A key that is not known, a name that stands for nothing and a name that stands twice are errors, since
/// each could make a row mean something else.
struct SuiteReader {
  static let schema = "steelpin-suite/1"

  let source: ConfigurationSource
  let text: SourceText
  let keys: KeyRing
  var session: ReadingSession
  var clock: Timestamp
  var host: HostName?
  var chains: [SuiteChain] = []
  var judges: [(name: MatrixPolicyName, judge: MatrixJudge)] = []
  var rows: [MatrixRow] = []
  var origins: [SuiteOrigin] = []
  var tables: [SuiteTable] = []
  private var isFull = false
  private var rowPositions: [String: SourcePosition] = [:]

  init(source: ConfigurationSource, text: SourceText, keys: KeyRing, now: Timestamp) {
    self.source = source
    self.text = text
    self.keys = keys
    self.clock = now
    self.session = ReadingSession(file: source.path)
  }

  private static let members = [
    "$schema", "schema", "name", "clock", "host", "system", "certificates", "lists", "responses", "chains", "policies",
    "tables", "rows", "comment",
  ]

  mutating func read(_ root: DocumentNode) throws(SuiteError) -> SuiteFile {
    for member in session.members(root, "the suite") ?? [] where !Self.members.contains(member.key) {
      session.refuse(member, known: Self.members)
    }
    try stopAtErrors()
    for key in ["$schema", "comment"] { if let node = root[key] { _ = session.string(node, key) } }
    let schema = root["schema"].flatMap { session.string($0, "schema") }
    if schema != Self.schema {
      session.error(
        .structureInvalid, root["schema"]?.position ?? root.position,
        "'schema' is \(schema.map { "'\($0)'" } ?? "missing")", hint: "write schema: \"\(Self.schema)\"")
    }
    let name = root["name"].flatMap { session.string($0, "name") } ?? source.path
    if let node = root["clock"], case .absolute(let time)? = session.offsetOrTime(node, "clock") {
      clock = time
    } else if let node = root["clock"] {
      session.error(.valueWrong, node.position, "the clock is no date", hint: "write clock: \"2026-01-01T00:00:00Z\"")
    }
    if let node = root["host"] { host = hostName(node) }
    try stopAtErrors()

    var certificates = SuiteCertificates(objects(root, "certificates"), keys: keys, clock: clock, files: source)
    var made: [String: [UInt8]] = [:]
    for member in objects(root, "certificates") {
      made[member.key] = certificates.certificate(member.key, member.keyPosition, &session)?.der
    }
    var evidence = SuiteEvidence()
    evidence.readLists(objects(root, "lists"), &certificates, &session)
    evidence.readResponses(objects(root, "responses"), &certificates, &session)
    try stopAtErrors()

    let references = SuiteReferences(made: made, files: FileCertificates(source: source))
    readChains(objects(root, "chains"), references, evidence, certificates)
    judges = SuitePolicies(objects(root, "policies"), references: references, source: source).judges(&session)
    let system = root["system"].flatMap { systemAnchors($0, references) }
    try stopAtErrors()

    for node in root["tables"].flatMap({ session.array($0, "tables") }) ?? [] { readTable(node) }
    for node in root["rows"].flatMap({ session.array($0, "rows") }) ?? [] { readRow(node) }
    if rows.isEmpty, session.findings.isEmpty {
      session.error(.structureInvalid, root.position, "the suite has no row", hint: "add a table, or rows")
    }
    try stopAtErrors()
    let usesMachine = root["system"].map { if case .string("machine") = $0.value { true } else { false } } ?? false
    let suite = MatrixSuite(
      name: name, file: source.path, rows: rows, systemAnchors: usesMachine ? nil : system ?? AnchorSet([]))
    return SuiteFile(suite: suite, bytes: source.bytes, text: text, tables: tables, origins: origins)
  }

  private func stopAtErrors() throws(SuiteError) {
    if !session.findings.isEmpty { throw SuiteError(session.findings) }
  }

  private mutating func objects(_ root: DocumentNode, _ key: String) -> [DocumentNode.Member] {
    root[key].flatMap { session.members($0, key) } ?? []
  }

  /// `"machine"`, or certificates of the suite that are to be the system's anchors.
  private mutating func systemAnchors(_ node: DocumentNode, _ references: SuiteReferences) -> AnchorSet? {
    if case .string("machine") = node.value { return nil }
    var anchors: [Certificate] = []
    for (text, position) in session.texts(node, "system") {
      do throws(CertificateReferenceError) { anchors += try references.certificates(text) } catch {
        session.error(.certificateUnreadable, position, error.message, hint: error.hint)
      }
    }
    return AnchorSet(anchors)
  }

  mutating func hostName(_ node: DocumentNode) -> HostName? {
    guard let text = session.string(node, "host") else { return nil }
    do throws(HostNameError) { return try HostName(text) } catch {
      session.error(.hostMalformed, node.position, "\(error)", hint: "write the name alone, as in www.example.test")
      return nil
    }
  }

  /// Adds a row whose name must be new.
  mutating func add(_ row: MatrixRow, _ origin: SuiteOrigin, at position: SourcePosition) {
    if let first = rowPositions[row.name] {
      session.error(
        .nameDuplicate, position, "two rows are called '\(row.name)'; the first is at \(first.line):\(first.column)",
        hint: "give the row, or the table, another 'name'")
      return
    }
    guard hasRoom(for: 1, at: position) else { return }
    rowPositions[row.name] = position
    rows.append(row)
    origins.append(origin)
  }

  /// Whether so many more rows are not too many for one suite, which is an error where they stand.
  mutating func hasRoom(for count: Int, at position: SourcePosition) -> Bool {
    guard count > Self.maximumRows - rows.count else { return true }
    if !isFull {
      session.error(
        .structureInvalid, position, "more than \(Self.maximumRows) rows of one suite are not judged",
        hint: "split the suite, or name fewer chains, hosts and policies")
    }
    isFull = true
    return false
  }

  static let maximumRows = 200_000
}

// MARK: - Chains

extension SuiteReader {
  private mutating func readChains(
    _ members: [DocumentNode.Member], _ references: SuiteReferences, _ evidence: SuiteEvidence,
    _ files: SuiteCertificates
  ) {
    for member in members {
      if member.value["recording"] != nil {
        if let chain = recorded(member, files) { chains.append(chain) }
        continue
      }
      var served = member.value
      var found = RevocationEvidence()
      if let parts = member.value.members {
        guard let list = member.value["certificates"] else {
          session.error(
            .structureInvalid, member.value.position, "'\(member.key)' has no 'certificates'",
            hint: "list what the server sends, leaf first")
          continue
        }
        served = list
        for part in parts { readEvidence(part, evidence, &found) }
      }
      var chain = CertificateChain(der: elements(served, references))
      chain.evidence = found
      chains.append(SuiteChain(name: member.key, chain: chain, host: nil, time: nil))
    }
  }

  /// What a server sent to `check --record`, with the host and the time of then.
  private mutating func recorded(_ member: DocumentNode.Member, _ files: SuiteCertificates) -> SuiteChain? {
    var index = 0
    for part in member.value.members ?? [] {
      switch part.key {
      case "recording": break
      case "index": index = session.integer(part.value, "index", 0...100_000) ?? 0
      case "comment": _ = session.string(part.value, "comment")
      default: session.refuse(part, known: ["recording", "index", "comment"])
      }
    }
    guard let path = member.value["recording"], let name = session.string(path, "recording"),
      let bytes = files.bytes(name, path.position, &session)
    else { return nil }
    do throws(ConfigurationError) {
      let servers = try Recording(bytes, file: name).servers
      guard index < servers.count else {
        session.error(
          .valueWrong, path.position, "'\(name)' has \(servers.count) servers, none of index \(index)",
          hint: "the first has index 0")
        return nil
      }
      let server = servers[index]
      return SuiteChain(name: member.key, chain: server.chain, host: server.host, time: server.time)
    } catch {
      session.error(
        .certificateUnreadable, path.position, "\(error.position): \(error.message)",
        hint: error.hint ?? "name a file that 'steelpin check --record' wrote")
      return nil
    }
  }

  private mutating func elements(_ node: DocumentNode, _ references: SuiteReferences) -> [[UInt8]] {
    session.texts(node, "a chain").flatMap { text, position -> [[UInt8]] in
      // What cannot be read by a client can be sent to it all the same.
      if let der = references.made[text] { return [der] }
      do throws(CertificateReferenceError) { return try references.certificates(text).map(\.der) } catch {
        session.error(.nameUnknown, position, error.message, hint: error.hint)
        return []
      }
    }
  }

  private mutating func readEvidence(
    _ part: DocumentNode.Member, _ evidence: SuiteEvidence, _ found: inout RevocationEvidence
  ) {
    switch part.key {
    case "certificates": break
    case "comment": _ = session.string(part.value, "comment")
    case "staple":
      if case .boolean(false) = part.value.value {
        found.staple = .notSent
      } else if let name = session.string(part.value, "staple") {
        if let der = evidence.responses[name] {
          found.staple = .response(der)
        } else {
          session.unknown(name, "response", part.value.position, among: evidence.responses.keys.sorted())
        }
      }
    case "responses":
      for (name, position) in session.texts(part.value, "responses") {
        if let der = evidence.responses[name] {
          found.ocspResponses.append(der)
        } else {
          session.unknown(name, "response", position, among: evidence.responses.keys.sorted())
        }
      }
    case "lists":
      for (name, position) in session.texts(part.value, "lists") {
        if let list = evidence.lists[name] {
          found.lists.append(list)
        } else {
          session.unknown(name, "revocation list", position, among: evidence.lists.keys.sorted())
        }
      }
    default: session.refuse(part, known: ["certificates", "staple", "responses", "lists", "comment"])
    }
  }
}
