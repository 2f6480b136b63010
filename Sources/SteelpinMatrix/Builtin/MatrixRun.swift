// SPDX-License-Identifier: Apache-2.0
package import Steelpin

/// One cell of the matrix: what was expected, and what every evaluator said.
package struct MatrixCell: Sendable {
  package let scenario: String
  package let clause: String
  package let policy: String
  /// Whether the policy is the preset of another system.
  package let isPreset: Bool
  package let expected: MatrixExpectation.Result
  package let verdicts: [Verdict]

  /// Whether two evaluators say different things.
  package var isDisagreement: Bool {
    verdicts.dropFirst().contains { verdict in verdicts.first.map { !$0.agrees(with: verdict) } ?? true }
  }

  /// Whether an evaluator decides otherwise than expected, or for another reason.
  package var isDeviation: Bool {
    verdicts.isEmpty
      || verdicts.contains { verdict in
        verdict.outcome != expected.outcome
          || expected.outcome == .untrusted && !verdict.errors.contains { expected.codes.contains($0.code) }
      }
  }
}

/// Runs the built-in matrix: every scenario under every policy, by every evaluator, in a fixed order.
package struct MatrixRun: Sendable {
  private let world: MatrixWorld
  private let scenarios: [MatrixScenario]
  private let host: HostName

  /// Makes the certificates. Throws ``MatrixError`` if the library cannot.
  package init(_ provider: any KeyProvider, clock: Timestamp) throws(MatrixError) {
    self.world = try MatrixWorld(provider, clock: clock)
    self.scenarios = try world.scenarios()
    do { self.host = try HostName(MatrixWorld.host) } catch { throw MatrixError(reason: "\(error)") }
  }

  /// The anchors that the evaluators must have as those of the system.
  package var systemAnchors: AnchorSet { AnchorSet([world.root]) }

  /// Judges every cell and hands each on as soon as it is judged. Throws ``BackendError`` if a library could not work.
  package func forEachCell(
    _ evaluators: [any TrustBackend], where isWanted: (_ scenario: String, _ policy: String) -> Bool = { _, _ in true },
    _ body: (MatrixCell) -> Void
  ) throws(BackendError) {
    for scenario in scenarios {
      for policy in world.policies(scenario) where isWanted(scenario.name, policy.name) {
        let served = scenario.served + (policy.injected.map { [$0] } ?? [])
        var verdicts: [Verdict] = []
        for evaluator in evaluators {
          verdicts.append(
            try evaluator.evaluate(CertificateChain(served), host: host, by: policy.source, at: world.lab.clock))
        }
        body(
          MatrixCell(
            scenario: scenario.name, clause: scenario.clause, policy: policy.name,
            isPreset: policy.isPreset, expected: policy.expectation.result(scenario, served: served), verdicts: verdicts
          ))
      }
    }
  }
}
