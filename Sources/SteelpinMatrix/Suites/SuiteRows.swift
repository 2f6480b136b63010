// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinConfigurations

// MARK: - Rows one by one

extension SuiteReader {
  private static let rowKeys = ["name", "chain", "host", "policy", "at", "expect", "clause", "comment"]

  mutating func readRow(_ node: DocumentNode) {
    guard let members = session.members(node, "a row") else { return }
    var (name, clause) = ("", "")
    var (chain, judge): (SuiteChain?, (name: MatrixPolicyName, judge: MatrixJudge)?)
    var host: HostName?
    var time: Timestamp?
    var expected: MatrixExpected?
    for member in members {
      switch member.key {
      case "name": name = session.string(member.value, "name") ?? ""
      case "chain":
        chain = session.string(member.value, "chain").flatMap { self.chain($0, member.value.position) }
      case "host":
        if case .null = member.value.value { break }
        host = hostName(member.value)
      case "policy":
        judge = session.string(member.value, "policy").flatMap { self.judge($0, member.value.position) }
      case "at": if let moment = session.offsetOrTime(member.value, "at") { time = moment.time(by: clock) }
      case "expect": expected = expectation(member.value)
      case "clause": clause = session.string(member.value, "clause") ?? ""
      case "comment": _ = session.string(member.value, "comment")
      default: session.refuse(member, known: Self.rowKeys)
      }
    }
    for key in ["name", "chain", "policy"] where node[key] == nil {
      session.error(
        .structureInvalid, node.position, "a row has no '\(key)'",
        hint: "write {name: \"…\", chain: \"…\", policy: \"…\", expect: \"trusted\"}")
    }
    guard !name.isEmpty, let chain, let judge else { return }
    add(
      MatrixRow(
        scenario: name, clause: clause, chain: chain.chain,
        host: node["host"] == nil ? chain.host ?? self.host : host, policy: judge.name, judge: judge.judge,
        time: time ?? chain.time ?? clock, expected: expected), SuiteOrigin(place: .row(node), expect: node["expect"]),
      at: node["name"]?.position ?? node.position)
  }

  private mutating func chain(_ name: String, _ position: SourcePosition) -> SuiteChain? {
    if let found = chains.first(where: { $0.name == name }) { return found }
    session.unknown(name, "chain", position, among: chains.map(\.name))
    return nil
  }

  private mutating func judge(
    _ name: String, _ position: SourcePosition
  ) -> (name: MatrixPolicyName, judge: MatrixJudge)? {
    if let found = judges.first(where: { $0.name.text == name }) { return found }
    session.unknown(name, "policy", position, among: judges.map(\.name.text))
    return nil
  }

  /// `trusted`, `pin-mismatch` or `untrusted`, perhaps with the codes that are to be found: `untrusted: expired`.
  private mutating func expectation(_ node: DocumentNode) -> MatrixExpected? {
    guard let text = session.string(node, "expect") else { return nil }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let outcome = Verdict.Outcome(rawValue: parts[0].trimmed) else {
      session.error(
        .valueWrong, node.position, "'\(parts[0].trimmed)' is no verdict",
        hint: "write trusted, pin-mismatch or untrusted, perhaps with codes: \"untrusted: expired\"")
      return nil
    }
    var codes: [FindingCode] = []
    for word in parts.dropFirst().flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
      guard let code = FindingCode(rawValue: word.trimmed) else {
        session.error(
          .valueWrong, node.position, "'\(word.trimmed)' is no code of a finding",
          hint: "'steelpin explain' lists the codes")
        return nil
      }
      codes.append(code)
    }
    return MatrixExpected(outcome, codes: codes, .exactly)
  }
}

// MARK: - Cross products

extension SuiteReader {
  private static let tableKeys = [
    "name", "chains", "hosts", "policies", "at", "expect", "clause", "except", "comment",
  ]

  mutating func readTable(_ node: DocumentNode) {
    guard let members = session.members(node, "a table") else { return }
    for member in members where !Self.tableKeys.contains(member.key) { session.refuse(member, known: Self.tableKeys) }
    let before = session.findings.count
    if let comment = node["comment"] { _ = session.string(comment, "comment") }
    let prefix = node["name"].flatMap { session.string($0, "name") }
    let clause = node["clause"].flatMap { session.string($0, "clause") } ?? ""
    let moment = node["at"].flatMap { session.offsetOrTime($0, "at") }
    let expected = node["expect"].flatMap { expectation($0) }
    let names = names(node["chains"], "chain", among: chains.map(\.name))
    let policies = self.names(node["policies"], "policy", among: judges.map(\.name.text))
    var hosts: [(text: String, name: HostName)] = []
    if let list = node["hosts"] {
      session.refuseEmpty(list, "host")
      for (text, position) in session.texts(list, "hosts") {
        if let host = hostName(DocumentNode(value: .string(text), position: position)) { hosts.append((text, host)) }
      }
    }
    var table = SuiteTable(node: node, chains: names, hosts: hosts.map(\.text), policies: policies)
    for item in node["except"].flatMap({ session.array($0, "except") }) ?? [] {
      if let exception = exception(item, table) { table.exceptions.append(exception) }
    }
    guard session.findings.count == before else { return }
    // Each factor is at most the number of values of a document, so that the product is a number.
    guard hasRoom(for: names.count * policies.count * max(1, hosts.count), at: node.position) else { return }
    let time = moment?.time(by: clock)
    tables.append(table)
    for chain in names {
      for host in hosts.isEmpty ? [nil] : hosts.map(Optional.some) {
        for policy in policies {
          let last = table.exceptions.last { $0.matches(chain: chain, host: host?.text, policy: policy) }
          guard let served = self.chain(chain, node.position), let judge = judge(policy, node.position) else {
            continue
          }
          let named = hosts.count > 1 ? "\(chain), \(host?.text ?? "")" : chain
          add(
            MatrixRow(
              scenario: prefix.map { "\($0): \(named)" } ?? named, clause: last?.clause ?? clause,
              chain: served.chain, host: host?.name ?? served.host ?? self.host, policy: judge.name,
              judge: judge.judge, time: time ?? served.time ?? clock,
              expected: last == nil ? expected : last?.expected),
            SuiteOrigin(
              place: .table(tables.count - 1, chain: chain, host: host?.text, policy: policy),
              expect: last == nil ? node["expect"] : last?.expect),
            at: node.position)
        }
      }
    }
  }

  /// The names of a list, or all for `"*"` and if there is no list; each must be known and stand once.
  private mutating func names(_ node: DocumentNode?, _ what: String, among known: [String]) -> [String] {
    guard let node else { return known }
    if case .string("*") = node.value { return known }
    session.refuseEmpty(node, what)
    let all = Set(known)
    var (names, seen): ([String], Set<String>) = ([], [])
    for (name, position) in session.texts(node, what) {
      if !all.contains(name) {
        session.unknown(name, what, position, among: known)
      } else if !seen.insert(name).inserted {
        session.error(.nameDuplicate, position, "'\(name)' stands twice in this list", hint: "remove one of the two")
      } else {
        names.append(name)
      }
    }
    return names
  }

  private mutating func exception(_ node: DocumentNode, _ table: SuiteTable) -> SuiteTable.Exception? {
    let known = ["chains", "hosts", "policies", "expect", "clause", "comment"]
    guard let members = session.members(node, "an exception") else { return nil }
    for member in members where !known.contains(member.key) { session.refuse(member, known: known) }
    if let comment = node["comment"] { _ = session.string(comment, "comment") }
    guard let expect = node["expect"] else {
      session.error(.structureInvalid, node.position, "an exception has no 'expect'", hint: "say what is expected")
      return nil
    }
    func names(_ key: String, _ what: String, _ all: [String], _ reader: inout SuiteReader) -> Set<String>? {
      guard let list = node[key] else { return nil }
      return Set(reader.names(list, "\(what) of this table", among: all))
    }
    return SuiteTable.Exception(
      chains: names("chains", "chain", table.chains, &self), hosts: names("hosts", "host", table.hosts, &self),
      policies: names("policies", "policy", table.policies, &self), expect: expect, expected: expectation(expect),
      clause: node["clause"].flatMap { session.string($0, "clause") })
  }
}

extension Substring {
  /// The text without spaces around it.
  fileprivate var trimmed: String {
    var part = self
    while part.first == " " { part.removeFirst() }
    while part.last == " " { part.removeLast() }
    return String(part)
  }
}
