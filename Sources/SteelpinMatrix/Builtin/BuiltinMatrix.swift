// SPDX-License-Identifier: Apache-2.0
package import Steelpin

extension MatrixSuite {
  /// The matrix of the project: every scenario under every policy, in a fixed order, as of a clock.
  ///
  /// Throws ``MatrixError`` if the library cannot make the certificates.
  package static func builtin(_ provider: any KeyProvider, clock: Timestamp) throws(MatrixError) -> MatrixSuite {
    try builtin(keys: KeyRing(provider), clock: clock)
  }

  /// The same over a ring of keys, which then has those of the leaves. Without `oddities` there are only chains that a
  /// TLS server can serve.
  ///
  /// Throws ``MatrixError`` if the library cannot make the certificates.
  package static func builtin(
    keys: KeyRing, clock: Timestamp, oddities: Bool = true
  ) throws(MatrixError) -> MatrixSuite {
    let world = try MatrixWorld(keys: keys, clock: clock)
    var rows: [MatrixRow] = []
    for scenario in try world.scenarios() where oddities || !scenario.isBrief {
      let host: HostName
      do { host = try HostName(scenario.host) } catch { throw MatrixError(reason: "\(error)") }
      for policy in world.policies(scenario) {
        let served = scenario.served + (policy.injected.map { [$0] } ?? [])
        var chain = CertificateChain(served)
        chain.evidence = scenario.evidence
        rows.append(
          MatrixRow(
            scenario: scenario.name, clause: scenario.clause, chain: chain, host: host,
            policy: policy.name, judge: .source(policy.source), time: clock,
            expected: policy.expectation.expected(scenario, served: served)))
      }
    }
    return MatrixSuite(
      name: "built-in matrix", file: nil, rows: rows, systemAnchors: AnchorSet([world.root]))
  }
}
