// SPDX-License-Identifier: Apache-2.0

/// How much work one evaluation may do; beyond it the chain is refused with `path-budget-exceeded`.
public struct PathBudget: Sendable, Hashable, Codable {
  /// Certificates on one path, leaf and anchor included.
  public var depth = 24
  /// Unfinished paths that are extended.
  public var steps = 4096
  /// Finished candidates that are judged.
  public var candidates = 192
  /// Signatures that are checked, those of proofs and those that tell why a path fails.
  public var signatureChecks = 256
  /// Octets of all certificates that were sent, together.
  public var octets = 1 << 20

  /// The default budget, far above what real servers need.
  public init() {}
}

/// Enumerates the paths from a leaf to an anchor by names alone, the most promising first (RFC 4158). It proves nothing
/// and trusts nothing: each path is a candidate for a backend to prove.
package struct PathBuilder {
  private struct Partial {
    var path: [Certificate]
    var cost: Int
  }

  private let pool: [NameKey: [Certificate]]
  private let anchors: [AnchorSet]
  private let time: Timestamp
  private let budget: PathBudget
  private var queue: [Partial]
  private var steps = 0
  private var finished: [[Certificate]] = []

  /// Whether the search stopped because of its budget, so that a path may exist that was not found.
  package private(set) var isExhausted = false

  /// The longest path that reached no anchor, the first of several: what is shown if there is no candidate.
  package private(set) var longestDeadEnd: [Certificate] = []

  package init(
    leaf: Certificate, pool: some Sequence<Certificate>, anchors: [AnchorSet], time: Timestamp, budget: PathBudget
  ) {
    var seen: Set<Certificate> = [leaf]
    self.pool = Dictionary(grouping: pool.filter { seen.insert($0).inserted }) { $0.contents.subjectKey }
    self.anchors = anchors
    self.time = time
    self.budget = budget
    self.queue = [Partial(path: [leaf], cost: 0)]
  }

  /// The next candidate, leaf first and ending at an anchor; nil when there is none left or the budget is spent.
  package mutating func next() -> [Certificate]? {
    while true {
      if !finished.isEmpty { return finished.removeFirst() }
      guard let best = queue.indices.min(by: { queue[$0].cost < queue[$1].cost }) else { return nil }
      guard steps < budget.steps else {
        isExhausted = true
        return nil
      }
      steps += 1
      extend(queue.remove(at: best))
    }
  }

  private mutating func extend(_ partial: Partial) {
    guard let last = partial.path.last else { return }
    if anchors.contains(where: { $0.contains(last) }) { finished.append(partial.path) }
    let children = issuers(of: last, on: partial.path)
    if children.isEmpty, partial.path.count > longestDeadEnd.count { longestDeadEnd = partial.path }
    guard partial.path.count < budget.depth else {
      isExhausted = isExhausted || !children.isEmpty
      return
    }
    for child in children {
      queue.append(Partial(path: partial.path + [child], cost: partial.cost + cost(of: child, issuing: last)))
    }
  }

  /// Certificates with the issuer's name, anchors first, that are not on the path yet, neither themselves nor another
  /// with the same name and key: a path through both only detours.
  private func issuers(of certificate: Certificate, on path: [Certificate]) -> [Certificate] {
    let name = certificate.contents.issuerKey
    var candidates: [Certificate] = []
    for set in anchors { candidates += set.certificates(named: name) }
    candidates += (pool[name] ?? []).filter { !candidates.contains($0) }
    return candidates.filter { candidate in
      !path.contains { $0.contents.subjectKey == name && $0.publicKey == candidate.publicKey }
    }
  }

  /// Short paths first, among them those that are valid now, then those whose key identifiers agree, then anchors.
  private func cost(of issuer: Certificate, issuing certificate: Certificate) -> Int {
    var cost = 100
    let validity = issuer.validity
    if let notBefore = validity.notBefore, let notAfter = validity.notAfter, notBefore <= time, time <= notAfter {
    } else {
      cost += 1000
    }
    if let wanted = certificate.decoded.authorityKeyIdentifier?.keyIdentifier,
      let found = issuer.decoded.subjectKeyIdentifier
    {
      cost += wanted == found ? 0 : 20
    } else {
      cost += 10
    }
    if !anchors.contains(where: { $0.contains(issuer) }) { cost += 5 }
    return cost
  }
}
