// SPDX-License-Identifier: Apache-2.0

/// Guesses what was meant by a word that is not known.
enum NearestWord {
  /// The word that takes the fewest edits; nil if none is near enough to be meant.
  static func to(_ text: String, among words: [String]) -> String? {
    guard !text.isEmpty else { return nil }
    let typed = Array(text.lowercased().utf8.prefix(64))
    let distances = words.map { (word: $0, distance: distance(typed, Array($0.lowercased().utf8))) }
    guard let best = distances.min(by: { $0.distance < $1.distance }) else { return nil }
    let isNear = best.distance <= max(1, best.word.utf8.count / 3)
    // A word cut short is meant by what it begins.
    return isNear ? best.word : words.first { typed.count >= 3 && $0.lowercased().hasPrefix(text.lowercased()) }
  }

  /// Insertions, deletions, substitutions and swaps of neighbours that turn one word into the other.
  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var rows = [Array(0...right.count)]
    for (i, octet) in left.enumerated() {
      var row = [i + 1]
      for (j, other) in right.enumerated() {
        var best = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (octet == other ? 0 : 1))
        if i > 0, j > 0, octet == right[j - 1], left[i - 1] == other { best = min(best, rows[i - 1][j - 1] + 1) }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[left.count][right.count]
  }
}
