// SPDX-License-Identifier: Apache-2.0
package import Steelpin

extension MatrixSuite {
  /// The matrix of the project: every scenario under every policy, in a fixed order, as of a clock.
  ///
  /// Throws ``MatrixError`` if the library cannot make the certificates.
  package static func builtin(_ provider: any KeyProvider, clock: Timestamp) throws(MatrixError) -> MatrixSuite {
    try builtin(keys: KeyRing(provider), clock: clock)
  }

  /// The same over a ring of keys, which then has those of the leaves.
  ///
  /// Throws ``MatrixError`` if the library cannot make the certificates.
  package static func builtin(keys: KeyRing, clock: Timestamp) throws(MatrixError) -> MatrixSuite {
    let world = try MatrixWorld(keys: keys, clock: clock)
    let host: HostName
    do { host = try HostName(MatrixWorld.host) } catch { throw MatrixError(reason: "\(error)") }
    var rows: [MatrixRow] = []
    for scenario in try world.scenarios() {
      for policy in world.policies(scenario) {
        let served = scenario.served + (policy.injected.map { [$0] } ?? [])
        rows.append(
          MatrixRow(
            scenario: scenario.name, clause: scenario.clause, chain: CertificateChain(served), host: host,
            policy: policy.name, judge: .source(policy.source), time: clock,
            expected: policy.expectation.expected(scenario, served: served)))
      }
    }
    return MatrixSuite(
      name: "built-in matrix", file: nil, rows: rows, systemAnchors: AnchorSet([world.root]))
  }
}
