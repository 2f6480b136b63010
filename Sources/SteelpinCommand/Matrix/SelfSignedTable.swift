// SPDX-License-Identifier: Apache-2.0
internal import SteelpinMatrix

extension MatrixTable {
  /// What happens with self-signed certificates under each policy: policies down, self-signed chains across. Policies of
  /// the cross product whose verdicts are the same share a line. Nil if no such chain is among the cells.
  static func selfSigned(_ report: MatrixReport) -> MatrixTable? {
    let cells = report.cells.filter { $0.row.scenario.hasPrefix("self-signed") }
    let scenarios = unique(cells.map(\.row.scenario))
    guard report.isBuiltin, !scenarios.isEmpty else { return nil }
    var words: [MatrixPolicyName: [String: MatrixWord]] = [:]
    for cell in cells { words[cell.row.policy, default: [:]][cell.row.scenario] = MatrixWord(cell) }
    let lines = unique(cells.map(\.row.policy)).map { policy in
      Line(parts: policy.factors.map { [$0] }, words: scenarios.map { words[policy]?[$0] })
    }
    // Pins are joined first, then domains, then anchors.
    let joined = Line.joining(Line.joining(Line.joining(lines, at: 2), at: 1), at: 0)
    let product = lines.filter { $0.parts.count == 3 }
    let counts = (0..<3).map { index in unique(product.map { $0.parts[index] }).count }
    return MatrixTable(
      title: "what happens with self-signed certificates under each policy", heads: ["policy", "domain", "pins"],
      columns: scenarios, rows: joined.map { Row(heads: $0.heads(counts), words: $0.words) })
  }

  private struct Line {
    var parts: [[String]]
    let words: [MatrixWord?]

    private struct Group: Hashable {
      let others: [[String]]
      let words: [MatrixWord?]
    }

    /// The parts as text, those with all values that there are as `any`. A policy without a domain of its own shows its
    /// pins, if any, in the column of pins.
    func heads(_ counts: [Int]) -> [String] {
      let texts = parts.enumerated().map { index, names in
        parts.count == counts.count && names.count == counts[index] && names.count > 1
          ? "any" : names.joined(separator: "; ")
      }
      return switch texts.count {
      case 3...: texts
      case 2: [texts[0], "", texts[1]]
      default: texts + ["", ""]
      }
    }

    /// Joins lines that differ in one part only.
    static func joining(_ lines: [Line], at index: Int) -> [Line] {
      var order: [Group] = []
      var groups: [Group: Line] = [:]
      for line in lines {
        var others = line.parts
        // The pins of a policy that asks for no proof are its second part and its last.
        let place = others.count == 2 && index == 2 ? 1 : index
        guard others.count > 1, others.indices.contains(place), !(others.count == 2 && index != 2) else {
          let group = Group(others: others, words: line.words)
          order.append(group)
          groups[group] = line
          continue
        }
        others[place] = []
        let group = Group(others: others, words: line.words)
        if groups[group] == nil {
          order.append(group)
          groups[group] = line
        } else {
          groups[group]?.parts[place] += line.parts[place]
        }
      }
      return order.compactMap { groups[$0] }
    }
  }
}
