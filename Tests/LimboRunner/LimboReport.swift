// SPDX-License-Identifier: Apache-2.0
import Foundation
import Steelpin

/// Counts results and tells of them.
struct LimboReport {
  private struct Tally {
    var right = 0
    var wrong: [String] = []
    var count: Int { right + wrong.count }
  }

  private let names: [String]
  private var tallies: [String: [String: Tally]] = [:]
  private var refusedGood: [String: [String]] = [:]
  private var acceptedBad: [String: [String]] = [:]
  private var disagreements: [String] = []
  private var slowest: [String: (milliseconds: Double, id: String)] = [:]
  private var largest: [String: (octets: Int, id: String)] = [:]

  init(backends names: [String]) { self.names = names }

  mutating func add(_ test: LimboCase, _ results: [String: LimboResult]) {
    for (name, result) in results {
      let isRight = result.isAccepted == (test.expectedResult == .success)
      if isRight {
        tallies[name, default: [:]][test.group, default: Tally()].right += 1
      } else {
        let line = "\(test.id) [\(result.codes.sorted().joined(separator: " "))]"
        tallies[name, default: [:]][test.group, default: Tally()].wrong.append(line)
        if test.expectedResult == .success {
          refusedGood[name, default: []].append(line)
        } else {
          acceptedBad[name, default: []].append(line)
        }
      }
      if result.milliseconds > slowest[name]?.milliseconds ?? 0 { slowest[name] = (result.milliseconds, test.id) }
      if result.octets > largest[name]?.octets ?? 0 { largest[name] = (result.octets, test.id) }
    }
    if Set(results.values.map(\.isAccepted)).count > 1 {
      let said = names.map { "\($0) [\(results[$0]?.codes.sorted().joined(separator: " ") ?? "")]" }
      disagreements.append("\(test.id): \(said.joined(separator: ", "))")
    }
  }

  /// The report for people: figures first, then what is wrong.
  func text() -> String {
    var lines = names.map { name in
      let own = total(name) { !$0.hasPrefix("bettertls") }
      let paths = total(name) { $0 == "bettertls pathbuilding" }
      return "\(name): good refused \(refusedGood[name]?.count ?? 0), bad accepted \(acceptedBad[name]?.count ?? 0), "
        + "disagreements \(disagreements.count), path building \(paths), own groups \(own), all \(total(name) { _ in true })"
    }
    for name in names {
      lines.append("\(name), right and wrong by group:")
      for (group, tally) in (tallies[name] ?? [:]).sorted(by: { $0.key < $1.key }) {
        lines.append("  \(group): \(tally.right) right, \(tally.wrong.count) wrong")
      }
      if let slow = slowest[name] {
        lines.append("  slowest: \(String(format: "%.1f", slow.milliseconds)) ms, \(slow.id)")
      }
      if let large = largest[name] {
        lines.append("  most memory: \(String(format: "%.1f", Double(large.octets) / 1_048_576)) MiB, \(large.id)")
      }
    }
    for name in names {
      lines += (refusedGood[name] ?? []).map { "\(name) refuses good: \($0)" }
      lines += (acceptedBad[name] ?? []).map { "\(name) accepts bad: \($0)" }
    }
    lines += disagreements.map { "disagreement: \($0)" }
    return lines.joined(separator: "\n")
  }

  private func total(_ name: String, where isCounted: (String) -> Bool) -> String {
    let counted = (tallies[name] ?? [:]).filter { isCounted($0.key) }.values
    return "\(counted.reduce(0) { $0 + $1.right })/\(counted.reduce(0) { $0 + $1.count })"
  }
}
