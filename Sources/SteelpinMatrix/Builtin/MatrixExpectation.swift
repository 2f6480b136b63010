// SPDX-License-Identifier: Apache-2.0
package import Steelpin

/// What must come of a demand, computed from the stated faults of a scenario and never by an evaluator.
package indirect enum MatrixExpectation: Sendable {
  case all([MatrixExpectation])
  case any([MatrixExpectation])
  case demand(MatrixDemand)
  case refused(FindingCode)

  /// The outcome for a scenario, and the codes of which an untrusted verdict must name one, or all if there is one path
  /// only that it can be about.
  package func expected(_ scenario: MatrixScenario, served: [Certificate]) -> MatrixExpected {
    let result = result(scenario, served: served)
    return MatrixExpected(
      result.outcome, codes: result.codes.sorted { $0.rawValue < $1.rawValue }, result.isComplete ? .all : .oneOf)
  }

  fileprivate struct Result {
    let outcome: Verdict.Outcome
    let codes: Set<FindingCode>
    var isComplete = false
  }

  fileprivate func result(_ scenario: MatrixScenario, served: [Certificate]) -> Result {
    switch self {
    case .all(let parts):
      let results = parts.map { $0.result(scenario, served: served) }
      return results.first { $0.outcome != .trusted } ?? Result(outcome: .trusted, codes: [])
    case .any(let parts):
      let results = parts.map { $0.result(scenario, served: served) }
      return results.first { $0.outcome == .trusted } ?? results.first { $0.outcome == .pinMismatch }
        ?? Result(outcome: .untrusted, codes: results.reduce(into: []) { $0.formUnion($1.codes) })
    case .demand(let demand): return demand.result(scenario, served: served)
    case .refused(let code): return Result(outcome: .untrusted, codes: [code])
    }
  }
}

extension MatrixDemand {
  fileprivate func result(_ scenario: MatrixScenario, served: [Certificate]) -> MatrixExpectation.Result {
    if case .noPin = pinned {
      return MatrixExpectation.Result(outcome: .untrusted, codes: [.pinSetEmpty], isComplete: true)
    }
    guard let anchors else {
      // Nothing is proved, so pins are compared with the longest chain that names suggest and signatures hold.
      let forged = Set(scenario.faults.filter { $0.code == .signatureInvalid }.map(\.certificate))
      let chains = scenario.paths.map { path in
        let sent = Array(path.prefix { served.contains($0) })
        return sent.firstIndex(where: forged.contains).map { Array(sent[...$0]) } ?? sent
      }
      let longest = chains.max { $0.count < $1.count } ?? []
      return MatrixExpectation.Result(outcome: isMet(on: longest) ? .trusted : .pinMismatch, codes: [])
    }
    var acceptable: [[Certificate]] = []
    var codes: Set<FindingCode> = []
    var count = 0
    for path in scenario.paths {
      for (depth, anchor) in path.enumerated() where anchors.contains(anchor) {
        // An anchor is at hand, but whatever is below it must have been sent.
        guard path[..<depth].allSatisfy(served.contains) else { continue }
        let faults = faults(of: Array(path[...depth]), scenario)
        codes.formUnion(faults)
        count += 1
        if faults.isEmpty { acceptable.append(Array(path[...depth])) }
      }
    }
    guard acceptable.isEmpty else {
      if let revocation, let errors = scenario.revocation[revocation], !errors.isEmpty {
        return MatrixExpectation.Result(outcome: .untrusted, codes: Set(errors), isComplete: true)
      }
      return MatrixExpectation.Result(outcome: acceptable.contains(where: isMet) ? .trusted : .pinMismatch, codes: [])
    }
    if codes.isEmpty {
      codes = [.issuerNotFound, .rootNotTrusted, .selfSignedNotTrusted, .anchorsEmpty, .signatureInvalid]
    }
    return MatrixExpectation.Result(outcome: .untrusted, codes: codes, isComplete: count == 1)
  }

  private func faults(of path: [Certificate], _ scenario: MatrixScenario) -> [FindingCode] {
    scenario.faults.filter { fault in
      guard fault.profiles.contains(profile), let depth = path.firstIndex(of: fault.certificate) else { return false }
      let stands =
        switch fault.place {
        case .anywhere: true
        case .issuer: depth > 0
        case .untrusted: depth < path.count - 1
        }
      let isLookedAt =
        switch fault.audience {
        case .everybody: true
        case .host: domain == .ssl
        case .server: domain != .basicX509
        }
      return stands && isLookedAt
    }.map(\.code)
  }

  private func isMet(on path: [Certificate]) -> Bool {
    switch pinned {
    case .certificate(let pin): path.contains { $0.der == pin.der }
    case .key(let pin): path.contains { $0.publicKey.encoded == pin.publicKey.encoded }
    case .leafKey(let pin): path.first?.publicKey.encoded == pin.publicKey.encoded
    case .leafData(let pin): path.first?.der == pin.der
    case .noPin: false
    case .nothing: true
    }
  }
}
