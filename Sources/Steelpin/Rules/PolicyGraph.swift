// SPDX-License-Identifier: Apache-2.0

/// The valid policies of a path in the form of RFC 9618, which gives the same answers as the tree of RFC 5280 6.1 but
/// cannot grow exponentially: at each depth a policy is one node, with all the nodes above that lead to it.
package struct PolicyGraph {
  package init() {}

  /// What a valid policy hangs on at the depth above.
  fileprivate enum Parents {
    case anyPolicy
    case policies(Set<OID>)
  }

  /// The policies at one depth.
  fileprivate struct Level {
    /// Each valid policy with its parents.
    var nodes: [OID: Parents] = [:]
    /// Whether anyPolicy is valid, which it is only under the anyPolicy of the depth above.
    var hasAnyPolicy = false
    /// The policies expected of the next certificate, each with the nodes of this depth that expect it.
    var expected: [OID: Set<OID>] = [:]

    var isEmpty: Bool { nodes.isEmpty && !hasAnyPolicy }
  }

  /// Depth 0 is the root of the tree, which is anyPolicy.
  private var levels = [Level(hasAnyPolicy: true)]

  /// Whether no policy is valid any more; none can become valid again.
  package var isEmpty: Bool { levels.last?.isEmpty ?? true }

  /// 6.1.3 (d) and (e): the policies of the next certificate; nil if it has no certificatePolicies.
  package mutating func add(_ policies: [PolicyInformation]?, allowsAnyPolicy: Bool) {
    guard let above = levels.last else { return }
    var level = Level()
    defer { levels.append(level) }
    guard let policies, !above.isEmpty else { return }
    for policy in policies where policy.identifier != .anyPolicy {
      if let parents = above.expected[policy.identifier] {
        level.nodes[policy.identifier] = .policies(parents)
      } else if above.hasAnyPolicy {
        level.nodes[policy.identifier] = .anyPolicy
      }
    }
    if allowsAnyPolicy, policies.contains(where: { $0.identifier == .anyPolicy }) {
      for (policy, parents) in above.expected where level.nodes[policy] == nil {
        level.nodes[policy] = .policies(parents)
      }
      level.hasAnyPolicy = above.hasAnyPolicy
    }
    level.expectOwnPolicies()
  }

  /// 6.1.4 (b): the mappings of the certificate whose policies were added last.
  package mutating func map(_ mappings: [PolicyMapping], isInhibited: Bool) {
    guard var level = levels.popLast() else { return }
    defer { levels.append(level) }
    if isInhibited {
      for mapping in mappings { level.nodes[mapping.issuerDomain] = nil }
      level.expectOwnPolicies()
      return
    }
    var subjects: [OID: Set<OID>] = [:]
    for mapping in mappings { subjects[mapping.issuerDomain, default: []].insert(mapping.subjectDomain) }
    if level.hasAnyPolicy {
      for policy in subjects.keys where level.nodes[policy] == nil { level.nodes[policy] = .anyPolicy }
    }
    level.expected = [:]
    for policy in level.nodes.keys {
      for subject in subjects[policy] ?? [policy] { level.expected[subject, default: []].insert(policy) }
    }
  }

  /// 6.1.5 (g): whether a policy is left that the user accepts; nil accepts any.
  package func allows(_ accepted: Set<OID>?) -> Bool {
    guard let last = levels.last, !last.isEmpty else { return false }
    guard let accepted, !accepted.contains(.anyPolicy) else { return true }
    if last.hasAnyPolicy { return !accepted.isEmpty }
    // Walk up from the leaf's policies to those that hang on an anyPolicy: these are in the domain of the user.
    var reachable = Set(last.nodes.keys)
    for level in levels.reversed() {
      var above = Set<OID>()
      for policy in reachable {
        switch level.nodes[policy] {
        case .anyPolicy: if accepted.contains(policy) { return true }
        case .policies(let parents): above.formUnion(parents)
        case nil: continue
        }
      }
      reachable = above
    }
    return false
  }
}

extension PolicyGraph.Level {
  /// Without a mapping, a policy expects itself.
  fileprivate mutating func expectOwnPolicies() {
    expected = [:]
    for policy in nodes.keys { expected[policy] = [policy] }
  }
}
