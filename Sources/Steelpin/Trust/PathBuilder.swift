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
  /// Octets of all finished candidates together, a certificate counting once for each path that it is on. What rules do
  /// grows with them.
  public var candidateOctets = 1 << 22

  /// The default budget, far above what real servers need.
  public init() {}
}

/// Enumerates the paths from a leaf to an anchor by names alone, the most promising first (RFC 4158). It proves nothing
/// and trusts nothing: each path is a candidate for a backend to prove.
package struct PathBuilder {
  /// One certificate at the end of an unfinished path; the path is read along the parents.
  private struct Node {
    let certificate: Int
    let parent: Int?
    let depth: Int
    let cost: Int
  }

  private struct Link: Hashable {
    let subject: Int
    let issuer: Int
  }

  private var candidates: IssuerIndex
  private let budget: PathBudget
  private var nodes: [Node] = []
  private var queue = PathQueue()
  private var broken: Set<Link> = []
  private var steps = 0
  private var octets = 0
  private var deadEnd: Int?

  /// The limit of the budget at which the search stopped, so that a path may exist that was not found; nil if every path
  /// was seen.
  package private(set) var exhaustion: String?

  package init(
    leaf: Certificate, pool: some Sequence<Certificate>, anchors: [AnchorSet], time: Timestamp, budget: PathBudget
  ) {
    self.candidates = IssuerIndex(leaf: leaf, pool: pool, anchors: anchors, time: time)
    self.budget = budget
    push(Node(certificate: 0, parent: nil, depth: 0, cost: 0))
  }

  /// The next candidate, leaf first and ending at an anchor; nil when there is none left or the budget is spent.
  package mutating func next() -> [Certificate]? {
    while let best = queue.popFirst() {
      guard !isBroken(best) else { continue }
      guard steps < budget.steps else {
        exhaustion = exhaustion ?? "more than \(budget.steps) unfinished paths had to be extended"
        return nil
      }
      steps += 1
      extend(best)
      guard candidates.isAnchor(nodes[best].certificate) else { continue }
      let path = path(to: best)
      let isFirst = octets == 0
      octets += path.reduce(0) { $0 + $1.der.count }
      guard isFirst || octets <= budget.candidateOctets else {
        exhaustion = exhaustion ?? "the paths to an anchor have more than \(budget.candidateOctets) octets"
        return nil
      }
      return path
    }
    return nil
  }

  /// The longest path that reached no anchor, the first of several: what is shown if there is no candidate.
  package var longestDeadEnd: [Certificate] { deadEnd.map(path) ?? [] }

  /// Takes note that a signature is wrong, so that no further path leads over it.
  package mutating func exclude(subject: Certificate, issuer: Certificate) {
    guard let subject = candidates.index(of: subject), let issuer = candidates.index(of: issuer) else { return }
    broken.insert(Link(subject: subject, issuer: issuer))
  }

  private mutating func extend(_ index: Int) {
    let last = nodes[index]
    let onPath = indices(to: index)
    let named = candidates.issuers(of: last.certificate)
    guard nodes.count + named.count <= Self.maximumNodes else {
      exhaustion = exhaustion ?? "more than \(Self.maximumNodes) unfinished paths had to be kept"
      return
    }
    // A path through two certificates with the same name and key only detours.
    let issuers = named.filter { issuer in !onPath.contains { candidates.isSameAuthority($0, issuer) } }
    let isTooDeep = last.depth + 1 >= budget.depth
    if issuers.isEmpty || isTooDeep, deadEnd.map({ nodes[$0].depth < last.depth }) ?? true { deadEnd = index }
    guard !isTooDeep else {
      if !issuers.isEmpty { exhaustion = exhaustion ?? "a path of more than \(budget.depth) certificates was left" }
      return
    }
    for issuer in issuers where !broken.contains(Link(subject: last.certificate, issuer: issuer)) {
      let cost = last.cost + candidates.cost(of: issuer, issuing: last.certificate)
      push(Node(certificate: issuer, parent: index, depth: last.depth + 1, cost: cost))
    }
  }

  private mutating func push(_ node: Node) {
    queue.insert(nodes.count, cost: node.cost)
    nodes.append(node)
  }

  private func isBroken(_ index: Int) -> Bool {
    guard !broken.isEmpty else { return false }
    let path = indices(to: index)
    return zip(path, path.dropFirst()).contains { broken.contains(Link(subject: $1, issuer: $0)) }
  }

  /// The certificates of a path, the end first.
  private func indices(to index: Int) -> [Int] {
    var path: [Int] = []
    var next: Int? = index
    while let current = next {
      path.append(nodes[current].certificate)
      next = nodes[current].parent
    }
    return path
  }

  private func path(to index: Int) -> [Certificate] {
    indices(to: index).reversed().map { candidates.certificates[$0] }
  }

  /// Unfinished paths that are kept, 32 octets each.
  private static let maximumNodes = 1 << 16
}
