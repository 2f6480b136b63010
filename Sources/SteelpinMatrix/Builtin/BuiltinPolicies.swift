// SPDX-License-Identifier: Apache-2.0
package import Steelpin

/// A column of the matrix: a policy for a scenario, and what is expected of it.
package struct MatrixPolicy: Sendable {
  package let name: MatrixPolicyName
  package let source: any PolicySource
  package let expectation: MatrixExpectation
  /// A certificate that is sent in addition, behind the chain.
  package let injected: Certificate?
}

extension MatrixWorld {
  /// The policies under which a scenario is judged: the cross product of anchors, domain and pins, the same pins without
  /// a proof, every profile, demands for evidence of revocation, and the presets. A brief scenario has no pins, and one
  /// set of anchors.
  package func policies(_ scenario: MatrixScenario) -> [MatrixPolicy] {
    var policies: [MatrixPolicy] = []
    let root = scenario.root ?? self.root
    let pins = scenario.isBrief ? [("no pin", .nothing, nil)] : pins(scenario.leaf)
    let sets = anchors(scenario.leaf, root).filter { !scenario.isBrief || $0.name == "root" }
    for (anchorName, anchors, members) in sets {
      for domain in TrustPolicy.DomainValidation.allCases {
        for (pinName, pinned, injected) in pins {
          policies.append(
            MatrixPolicy(
              name: MatrixPolicyName(anchorName, domain.rawValue, pinName),
              source: TrustPolicy(anchors: anchors, domain: domain, pinning: pinned.pinning),
              expectation: .demand(MatrixDemand(anchors: members, domain, pinned: pinned)), injected: injected))
        }
      }
    }
    for (pinName, pinned, injected) in pins {
      policies.append(
        MatrixPolicy(
          name: MatrixPolicyName("no proof", pinName),
          source: TrustPolicy(pinning: pinned.pinning, chain: .unvalidated),
          expectation: .demand(MatrixDemand(anchors: nil, pinned: pinned)), injected: injected))
    }
    let anchor = TrustPolicy.Anchors.only(AnchorSet([root]))
    for profile in TrustPolicy.Profile.allCases where profile != .standard {
      policies.append(
        MatrixPolicy(
          name: MatrixPolicyName("root by the rules of \(profile.rawValue)"),
          source: TrustPolicy(anchors: anchor, profile: profile),
          expectation: .demand(MatrixDemand(anchors: [root], profile: profile)), injected: nil))
    }
    for demand in MatrixDemand.Revocation.allCases where scenario.revocation[demand] != nil {
      policies.append(
        MatrixPolicy(
          name: MatrixPolicyName("root \(demand.rawValue)"),
          source: TrustPolicy(anchors: anchor, revocation: demand.policy),
          expectation: .demand(MatrixDemand(anchors: [root], revocation: demand)), injected: nil))
    }
    return policies + presets(scenario.leaf)
  }

  private func anchors(
    _ leaf: Certificate, _ root: Certificate
  ) -> [(name: String, TrustPolicy.Anchors, members: [Certificate])] {
    let wrong = AnchorSet([stranger])
    return [
      ("no anchors", .only(AnchorSet([])), []), ("system", .system, [self.root]),
      ("root", .only(AnchorSet([root])), [root]),
      ("intermediate", .only(AnchorSet([intermediate])), [intermediate]),
      ("leaf", .only(AnchorSet([leaf])), [leaf]), ("wrong", .only(wrong), [stranger]),
      ("system and wrong", .systemAnd(wrong), [self.root, stranger]),
      ("system and leaf", .systemAnd(AnchorSet([leaf])), [self.root, leaf]),
    ]
  }

  private func pins(_ leaf: Certificate) -> [(name: String, MatrixDemand.Pinned, injected: Certificate?)] {
    [
      ("no pin", .nothing, nil), ("leaf data", .leafData(leaf), nil), ("wrong leaf data", .leafData(stranger), nil),
      ("leaf data of another certificate of the key", .leafData(twin), nil),
      ("leaf data of the intermediate", .leafData(intermediate), nil),
      ("certificate of the leaf", .certificate(leaf), nil),
      ("another certificate of the leaf's key", .certificate(twin), nil),
      ("certificate of the intermediate", .certificate(intermediate), nil),
      ("certificate of the root", .certificate(root), nil), ("key of the leaf", .key(leaf), nil),
      ("key of the intermediate", .key(intermediate), nil), ("key of the root", .key(root), nil),
      ("key of the intermediate at the leaf", .leafKey(intermediate), nil), ("wrong key", .key(stranger), nil),
      ("injected key", .key(stranger), stranger), ("injected certificate", .certificate(stranger), stranger),
      ("a set without a pin", .noPin, nil),
    ]
  }
}

extension MatrixDemand.Pinned {
  var pinning: TrustPolicy.Pinning {
    switch self {
    case .certificate(let pin): .certificates([pin], scope: .any)
    case .key(let pin): .pins(PinSet([Pin(.publicKey, of: pin)]), scope: .any)
    case .leafData(let pin): .leafData([pin])
    case .leafKey(let pin): .pins(PinSet([Pin(.publicKey, of: pin)]), scope: .leaf)
    case .noPin: .pins(PinSet([]), scope: .any)
    case .nothing: .none
    }
  }
}
