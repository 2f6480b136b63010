// SPDX-License-Identifier: Apache-2.0

extension CertificateRule {
  /// Certificate policies with their mappings and constraints. They decide only where an explicit policy is required,
  /// by the user or by an issuer. Constraints of an anchor do not count (6.1.1 (d)).
  static let certificatePolicies = CertificateRule(
    "certificate policies", clause: "RFC 5280 6.1.3 (d) to (f), 6.1.4 (a) to (j), 6.1.5, RFC 9618",
    codes: .policyNotAllowed, profiles: .every
  ) { path, context, findings in
    guard context.certificatePolicies.requireExplicitPolicy || path.untrusted.contains(where: \.hasPolicyRules) else {
      return
    }
    var judge = PolicyJudge(count: path.untrusted.count, inputs: context.certificatePolicies)
    for depth in path.untrusted.indices.reversed() {
      guard let fault = judge.fault(of: path.certificates[depth], isLeaf: depth == 0) else { continue }
      findings.append(Finding(.policyNotAllowed, depth: depth, detail: fault))
      return
    }
  }
}

/// The state variables of RFC 5280 6.1.2 that concern policies, carried from the anchor's subject down to the leaf.
private struct PolicyJudge {
  private var graph = PolicyGraph()
  private var explicitPolicy: Int
  private var inhibitAnyPolicy: Int
  private var policyMapping: Int
  private let accepted: Set<OID>?

  init(count: Int, inputs: TrustPolicy.CertificatePolicies) {
    self.explicitPolicy = inputs.requireExplicitPolicy ? 0 : count + 1
    self.inhibitAnyPolicy = inputs.inhibitAnyPolicy ? 0 : count + 1
    self.policyMapping = inputs.inhibitPolicyMapping ? 0 : count + 1
    self.accepted = inputs.accepted
  }

  /// What is wrong with the policies of the next certificate; nil if nothing is.
  mutating func fault(of certificate: Certificate, isLeaf: Bool) -> String? {
    let extensions = certificate.decoded
    graph.add(
      extensions.certificatePolicies,
      allowsAnyPolicy: inhibitAnyPolicy > 0 || !isLeaf && certificate.isSelfIssued)
    if explicitPolicy == 0, graph.isEmpty { return "an explicit policy is required, but none is valid any more" }
    return isLeaf ? wrapUp(extensions) : prepare(certificate, extensions)
  }

  /// 6.1.4: on to the next certificate.
  private mutating func prepare(_ certificate: Certificate, _ extensions: DecodedExtensions) -> String? {
    if let mappings = extensions.policyMappings {
      if mappings.contains(where: { $0.issuerDomain == .anyPolicy || $0.subjectDomain == .anyPolicy }) {
        return "a policy mapping from or to anyPolicy"
      }
      graph.map(mappings, isInhibited: policyMapping == 0)
    }
    if !certificate.isSelfIssued {
      explicitPolicy = max(0, explicitPolicy - 1)
      policyMapping = max(0, policyMapping - 1)
      inhibitAnyPolicy = max(0, inhibitAnyPolicy - 1)
    }
    if let constraints = extensions.policyConstraints {
      if let skip = constraints.requireExplicitPolicy { explicitPolicy = min(explicitPolicy, skip) }
      if let skip = constraints.inhibitPolicyMapping { policyMapping = min(policyMapping, skip) }
    }
    if let skip = extensions.inhibitAnyPolicy { inhibitAnyPolicy = min(inhibitAnyPolicy, skip) }
    return nil
  }

  /// 6.1.5 (a), (b) and (g).
  private mutating func wrapUp(_ extensions: DecodedExtensions) -> String? {
    explicitPolicy = max(0, explicitPolicy - 1)
    if extensions.policyConstraints?.requireExplicitPolicy == 0 { explicitPolicy = 0 }
    guard explicitPolicy == 0, !graph.allows(accepted) else { return nil }
    return "an explicit policy is required, but the path is valid for none that is accepted"
  }
}

extension Certificate {
  /// Whether anything in the certificate may make policies decide.
  fileprivate var hasPolicyRules: Bool { decoded.policyConstraints != nil || decoded.policyMappings != nil }
}
