// SPDX-License-Identifier: Apache-2.0
package import Steelpin

/// One row of a matrix, to be judged by every backend: a chain as served, for a host, under a policy, at a moment.
package struct MatrixRow: Sendable {
  /// What is sent: a line of the grid.
  package let scenario: String
  /// The clause that decides; empty if none is given.
  package let clause: String
  package let chain: CertificateChain
  package let host: HostName?
  /// A column of the grid.
  package let policy: MatrixPolicyName
  package let judge: MatrixJudge
  package let time: Timestamp
  /// Nil if nothing is expected yet.
  package let expected: MatrixExpected?

  package init(
    scenario: String, clause: String, chain: CertificateChain, host: HostName?, policy: MatrixPolicyName,
    judge: MatrixJudge, time: Timestamp, expected: MatrixExpected?
  ) {
    self.scenario = scenario
    self.clause = clause
    self.chain = chain
    self.host = host
    self.policy = policy
    self.judge = judge
    self.time = time
    self.expected = expected
  }

  /// The name by which the row is asked for, the only one of its suite.
  package var name: String { "\(scenario) / \(policy.text)" }
}

/// What a policy is called, and what it is made of.
package struct MatrixPolicyName: Sendable, Hashable {
  /// The parts of a policy that comes of a cross product, such as anchors, domain and pins.
  package let factors: [String]
  /// Whether the policy is the emulation of another system.
  package let isPreset: Bool

  package init(_ factors: String..., isPreset: Bool = false) {
    self.factors = factors
    self.isPreset = isPreset
  }

  package var text: String { factors.joined(separator: ", ") }
}

/// What must come of a row.
package struct MatrixExpected: Sendable, Hashable {
  /// How codes are compared.
  package enum Comparison: Sendable, Hashable {
    /// An untrusted verdict names all of them, and perhaps others.
    case all
    /// Every code is among the findings, and no error is without its code but for a missed pin, which the verdict tells
    /// already and which decides nothing if the chain is not trusted. Without codes any will do.
    case exactly
    /// An untrusted verdict names one of them at least.
    case oneOf
  }

  package let outcome: Verdict.Outcome
  package let codes: [FindingCode]
  package let comparison: Comparison

  package init(_ outcome: Verdict.Outcome, codes: [FindingCode] = [], _ comparison: Comparison) {
    self.outcome = outcome
    self.codes = codes
    self.comparison = comparison
  }

  /// What a verdict is, as an expectation that it meets.
  package init(of verdict: Verdict) {
    var codes: [FindingCode] = []
    for finding in Self.deciding(verdict) where !codes.contains(finding.code) { codes.append(finding.code) }
    self.init(verdict.outcome, codes: codes, .exactly)
  }

  package func isMet(by verdict: Verdict) -> Bool {
    guard verdict.outcome == outcome else { return false }
    switch comparison {
    case .all:
      let found = Set(verdict.errors.map(\.code))
      return outcome != .untrusted || codes.allSatisfy(found.contains)
    case .exactly:
      guard !codes.isEmpty else { return true }
      let found = Set(verdict.findings.map(\.code))
      return codes.allSatisfy(found.contains) && Self.deciding(verdict).allSatisfy { codes.contains($0.code) }
    case .oneOf: return outcome != .untrusted || verdict.errors.contains { codes.contains($0.code) }
    }
  }

  private static func deciding(_ verdict: Verdict) -> [Finding] { verdict.errors.filter { $0.code != .pinMismatch } }

  /// The expectation as suites spell it: `untrusted: expired, host-mismatch`.
  package var text: String {
    codes.isEmpty ? outcome.rawValue : "\(outcome.rawValue): \(codes.map(\.rawValue).joined(separator: ", "))"
  }
}

/// A row with what every backend said of it.
package struct MatrixCell: Sendable {
  package let row: MatrixRow
  package let verdicts: [Verdict]

  /// Whether two backends say different things.
  package var isDisagreement: Bool {
    guard let first = verdicts.first else { return true }
    return verdicts.dropFirst().contains { !first.agrees(with: $0) }
  }

  /// Whether a backend decides otherwise than expected, or for another reason, or nothing is expected.
  package var isDeviation: Bool {
    guard let expected = row.expected, !verdicts.isEmpty else { return true }
    return !verdicts.allSatisfy(expected.isMet)
  }
}
