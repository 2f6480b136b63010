// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinConfigurations

extension SuiteFile {
  /// The text of the suite with what was found in the place of what was expected, and how many rows that concerns.
  ///
  /// Only rows on which the libraries agree are written. `cells` are some or all of the suite's, in its order.
  package func updated(by cells: [MatrixCell]) -> (text: [UInt8], count: Int) {
    var found: [Int: MatrixExpected] = [:]
    var judged = Set<Int>()
    var indices: [String: Int] = [:]
    for (index, row) in suite.rows.enumerated() { indices[row.name] = index }
    for cell in cells {
      guard let index = indices[cell.row.name] else { continue }
      judged.insert(index)
      guard cell.isDeviation, !cell.isDisagreement, let verdict = cell.verdicts.first else { continue }
      found[index] = MatrixExpected(of: verdict)
    }
    var editor = SuiteEditor(text)
    for index in origins.indices {
      guard let expected = found[index], case .row(let node) = origins[index].place else { continue }
      if let expect = origins[index].expect {
        editor.replace(expect, with: expected.text)
      } else {
        editor.add([("expect", JSONText.quote(expected.text))], to: node)
      }
    }
    for table in tables.indices { update(table, found, judged, &editor) }
    return (editor.edited(), found.count)
  }

  private struct Address {
    let index: Int
    let chain: String
    let host: String?
    let policy: String
  }

  private func update(
    _ number: Int, _ found: [Int: MatrixExpected], _ judged: Set<Int>, _ editor: inout SuiteEditor
  ) {
    let table = tables[number]
    // Rows by the text that decides them; those without one stand under -1.
    var order: [Int] = []
    var groups: [Int: [Address]] = [:]
    for (index, origin) in origins.enumerated() {
      guard case .table(number, let chain, let host, let policy) = origin.place else { continue }
      let key = origin.expect?.range.lowerBound ?? -1
      if groups[key] == nil { order.append(key) }
      groups[key, default: []].append(Address(index: index, chain: chain, host: host, policy: policy))
    }
    var exceptions: [(Address, MatrixExpected)] = []
    var members: [(key: String, value: String)] = []
    for key in order {
      let group = groups[key] ?? []
      var rest = group.compactMap { address in found[address.index].map { (address, $0) } }
      guard let first = rest.first else { continue }
      let isWhole = group.allSatisfy { judged.contains($0.index) }
      if let expect = origins[first.0.index].expect {
        if rest.count == group.count, rest.allSatisfy({ $0.1 == first.1 }) {
          editor.replace(expect, with: first.1.text)
          rest = []
        }
      } else if isWhole {
        // The most frequent verdict becomes the rule, the first of several.
        var counts: [MatrixExpected: Int] = [:]
        for (_, expected) in rest { counts[expected, default: 0] += 1 }
        let most = counts.values.max() ?? 0
        if let rule = rest.first(where: { counts[$0.1] == most })?.1 {
          members.append(("expect", JSONText.quote(rule.text)))
          rest.removeAll { $0.1 == rule }
        }
      }
      exceptions += rest
    }
    let items = Self.texts(of: exceptions, in: table)
    if !items.isEmpty {
      if let list = table.node["except"] {
        editor.add(items, to: list)
      } else {
        members.append(("except", editor.list(items, in: table.node)))
      }
    }
    editor.add(members, to: table.node)
  }

  /// Exceptions in as few objects as name whole sets of chains and policies.
  private static func texts(of rows: [(Address, MatrixExpected)], in table: SuiteTable) -> [String] {
    struct Line: Hashable {
      let chain: String
      let host: String?
      let expected: MatrixExpected
    }
    struct Block: Hashable {
      let host: String?
      let policies: [String]
      let expected: MatrixExpected
    }
    var lines: [Line] = []
    var policies: [Line: [String]] = [:]
    for (address, expected) in rows {
      let line = Line(chain: address.chain, host: address.host, expected: expected)
      if policies[line] == nil { lines.append(line) }
      policies[line, default: []].append(address.policy)
    }
    var blocks: [Block] = []
    var chains: [Block: [String]] = [:]
    for line in lines {
      let block = Block(host: line.host, policies: policies[line] ?? [], expected: line.expected)
      if chains[block] == nil { blocks.append(block) }
      chains[block, default: []].append(line.chain)
    }
    return blocks.map { block in
      func list(_ names: [String]) -> String { "[" + names.map(JSONText.quote).joined(separator: ", ") + "]" }
      var parts = ["chains: \(list(chains[block] ?? []))"]
      if table.hosts.count > 1, let host = block.host { parts.append("hosts: \(list([host]))") }
      if block.policies.count < table.policies.count { parts.append("policies: \(list(block.policies))") }
      return "{ \(parts.joined(separator: ", ")), expect: \(JSONText.quote(block.expected.text)) }"
    }
  }
}
