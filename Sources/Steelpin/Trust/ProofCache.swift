// SPDX-License-Identifier: Apache-2.0

/// The paths that a backend has proved, by the bytes of all their certificates. Only proofs are kept, and a proof says
/// nothing about dates, host, revocation, pins or rules, which are judged anew every time.
package struct ProofCache: Sendable {
  private struct Path: Hashable, Sendable {
    let certificates: ArraySlice<Certificate>
  }

  private struct Proved: Sendable {}

  private let paths: BoundedCache<Path, Proved>
  /// The parts of proved paths from the leaf's issuer to the anchor.
  private let issuers: BoundedCache<Path, Proved>

  /// A cache of at most twice that many paths; 0 turns it off.
  package init(capacity: Int) {
    self.paths = BoundedCache(capacity: capacity)
    self.issuers = BoundedCache(capacity: capacity)
  }

  /// Proves a path, or knows that it was proved before.
  ///
  /// Under issuers whose own path was proved before, a new leaf is proved by its issuer alone, if nothing above that
  /// issuer says anything about leaves: all other links are known.
  package func proof(
    of path: [Certificate], by prove: ([Certificate]) throws(BackendError) -> PathProof
  ) throws(BackendError) -> PathProof {
    let key = Path(certificates: path[...])
    if paths[key] != nil { return .proved }
    let above = Path(certificates: path.dropFirst())
    if path.count > 2, !path.dropFirst(2).contains(where: \.limitsLeaves), issuers[above] != nil,
      try prove(Array(path.prefix(2))) == .proved
    {
      paths.insert(Proved(), for: key)
      return .proved
    }
    let proof = try prove(path)
    if proof == .proved {
      paths.insert(Proved(), for: key)
      if path.count > 2 { issuers.insert(Proved(), for: above) }
    }
    return proof
  }
}

extension Certificate {
  /// Whether it says what certificates further down than those that it issues may be (RFC 5280 4.2.1.9 to 4.2.1.14).
  fileprivate var limitsLeaves: Bool {
    decoded.basicConstraints?.pathLength != nil
      || extensions.contains { item in
        [.nameConstraints, .policyConstraints, .inhibitAnyPolicy, .policyMappings].contains(item.identifier)
      }
  }
}
