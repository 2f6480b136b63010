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
  /// a proof, and the presets.
  package func policies(_ scenario: MatrixScenario) -> [MatrixPolicy] {
    var policies: [MatrixPolicy] = []
    let pins = pins(scenario.leaf)
    for (anchorName, anchors, members) in anchors(scenario.leaf) {
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
    return policies + presets(scenario.leaf)
  }

  private func anchors(
    _ leaf: Certificate
  ) -> [(name: String, TrustPolicy.Anchors, members: [Certificate])] {
    let wrong = AnchorSet([stranger])
    return [
      ("no anchors", .only(AnchorSet([])), []), ("system", .system, [root]),
      ("root", .only(AnchorSet([root])), [root]),
      ("intermediate", .only(AnchorSet([intermediate])), [intermediate]),
      ("leaf", .only(AnchorSet([leaf])), [leaf]), ("wrong", .only(wrong), [stranger]),
      ("system and wrong", .systemAnd(wrong), [root, stranger]),
      ("system and leaf", .systemAnd(AnchorSet([leaf])), [root, leaf]),
    ]
  }

  private func pins(_ leaf: Certificate) -> [(name: String, MatrixDemand.Pinned, injected: Certificate?)] {
    [
      ("no pin", .nothing, nil), ("leaf data", .leafData(leaf), nil), ("wrong leaf data", .leafData(stranger), nil),
      ("certificate of the leaf", .certificate(leaf), nil),
      ("certificate of the intermediate", .certificate(intermediate), nil),
      ("certificate of the root", .certificate(root), nil), ("key of the leaf", .key(leaf), nil),
      ("key of the intermediate", .key(intermediate), nil), ("key of the root", .key(root), nil),
      ("key of the intermediate at the leaf", .leafKey(intermediate), nil), ("wrong key", .key(stranger), nil),
      ("injected key", .key(stranger), stranger), ("injected certificate", .certificate(stranger), stranger),
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
    case .nothing: .none
    }
  }
}
