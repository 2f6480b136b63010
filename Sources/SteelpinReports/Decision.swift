// SPDX-License-Identifier: Apache-2.0
package import Steelpin

/// What several evaluators decided of one chain together.
package enum Decision: Sendable, Hashable {
  /// They do not come to the same verdict, for the same reasons, over the same path.
  case disagreement
  /// There is no verdict, so nothing is trusted.
  case nothing
  /// The one outcome.
  case outcome(Verdict.Outcome)

  package init(_ verdicts: [Verdict]) {
    guard let first = verdicts.first else {
      self = .nothing
      return
    }
    let agree = verdicts.dropFirst().allSatisfy { verdict in verdicts.allSatisfy { $0.agrees(with: verdict) } }
    self = agree ? .outcome(first.outcome) : .disagreement
  }
}
