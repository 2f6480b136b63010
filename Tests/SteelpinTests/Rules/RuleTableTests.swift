// SPDX-License-Identifier: Apache-2.0
import Foundation
import Steelpin
import Testing

/// The table in docs/rules.md is the registry.
@Suite("docs/rules.md")
struct RuleTableTests {
  private static var file: URL {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../docs/rules.md").standardized
  }

  /// One line of the table for each rule, in the order of the registry.
  private static var lines: [String] {
    CertificateRules.all.map { rule in
      let codes = rule.codes.map { "`\($0.rawValue)`" }.joined(separator: " ")
      let marks = TrustPolicy.Profile.allCases.sorted { $0.rawValue < $1.rawValue }.map {
        rule.profiles.contains($0) ? "x" : ""
      }
      return "| \(rule.name) | \(rule.clause) | \(codes) | \(marks.joined(separator: " | ")) |"
    }
  }

  @Test("lists every rule with its clause, codes and profiles, and no other")
  func table() throws {
    let text = try String(contentsOf: Self.file, encoding: .utf8)
    let found = text.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| rule") }.map(String.init)
    #expect(found == Self.lines, "\n\(Self.lines.joined(separator: "\n"))")
  }
}
