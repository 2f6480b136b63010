// SPDX-License-Identifier: Apache-2.0

extension CertificateRule {
  /// All names of the certificates below an issuer lie where its name constraints allow. Constraints of an anchor count
  /// as those of any issuer; names of self-issued certificates that are not the leaf do not (6.1.3 (b) and (c)).
  ///
  /// A common name is never taken for a host, here as little as in matching the host.
  static let nameConstraints = CertificateRule(
    "name constraints", clause: "RFC 5280 4.2.1.10 and 6.1.3 (b), (c)",
    codes: .nameNotPermitted, .extensionMalformed, .pathBudgetExceeded, profiles: .every,
    concerning: { !$1 && $0.decoded.nameConstraints != nil }
  ) { path, context, findings in
    var comparisons = 0
    for depth in path.issuers.indices {
      guard let constraints = path.certificates[depth].decoded.nameConstraints else { continue }
      let isLenient = !TrustPolicy.Profile.insistsOnForm.contains(context.profile)
      if let fault = constraints.formFault(allowsLeadingDot: isLenient) {
        findings.append(Finding(.extensionMalformed, depth: depth, detail: "in nameConstraints, \(fault)"))
      }
      let subtrees = ConstrainedSubtrees(constraints)
      for below in (0..<depth).reversed() {
        let certificate = path.certificates[below]
        if below > 0, certificate.isSelfIssued { continue }
        let names = certificate.constrainedNames
        comparisons += names.reduce(0) { $0 + $1.comparisonCost } * subtrees.count
        guard comparisons <= maximumComparisons else {
          findings.append(
            Finding(
              .pathBudgetExceeded, depth: depth,
              detail:
                "more or longer names and name constraints than will be compared: over \(maximumComparisons) pairs"
            ))
          return
        }
        if let fault = names.lazy.compactMap(subtrees.fault).first {
          findings.append(
            Finding(
              .nameNotPermitted, depth: below,
              detail: "\(fault) by the name constraints of the certificate at depth \(depth)"))
        }
      }
    }
  }

  /// Pairs of names and subtrees on one path, long names counting as several; real certificates have some hundreds.
  private static let maximumComparisons = 1 << 16
}

extension TrustPolicy.Profile {
  /// The profiles that refuse a DNS name with a leading dot, a form that RFC 5280 4.2.1.10 does not know. The others read
  /// it as most clients do: as all names below, without the domain itself. Other faults of form nobody forgives.
  fileprivate static let insistsOnForm: Set<TrustPolicy.Profile> = .letter
}

extension Certificate {
  /// The names to which constraints apply: the subject, the alternative names, and the mail addresses in the subject if
  /// there are none among the alternative names.
  fileprivate var constrainedNames: [GeneralName] {
    var names = decoded.subjectAlternativeNames ?? []
    let hasMailbox = names.contains { if case .email = $0 { true } else { false } }
    if !hasMailbox { names += subject.values(of: .emailAddress).map { .email($0.value) } }
    if !subject.isEmpty { names.append(.directory(subject)) }
    return names
  }
}

/// The subtrees of name constraints, prepared for comparing.
private struct ConstrainedSubtrees {
  private let permitted: [PreparedSubtree]
  private let excluded: [PreparedSubtree]

  init(_ constraints: NameConstraints) {
    self.permitted = constraints.permitted.map(PreparedSubtree.init)
    self.excluded = constraints.excluded.map(PreparedSubtree.init)
  }

  var count: Int { permitted.count + excluded.count }

  /// How a name violates the constraints; nil if it does not.
  func fault(_ name: GeneralName) -> String? {
    let prepared = PreparedName(name)
    #if STEELPIN_MUTATIONS
      let permitted = Mutation.permittedNames.isOn ? [] : self.permitted
      let excluded = Mutation.excludedNames.isOn ? [] : self.excluded
    #endif
    for subtree in excluded where subtree.kind == prepared.kind {
      guard !subtree.mightContain(prepared) else { return "\(name.shown) is excluded" }
    }
    var isConstrained = false
    for subtree in permitted where subtree.kind == prepared.kind {
      if subtree.contains(prepared) { return nil }
      isConstrained = true
    }
    return isConstrained ? "\(name.shown) is not permitted" : nil
  }
}

extension GeneralName {
  /// How many comparisons of usual names one of this name is worth: 1 for each 256 octets begun.
  fileprivate var comparisonCost: Int {
    let octets =
      switch self {
      case .directory(let name): name.encoded
      case .dns(let octets), .email(let octets), .ip(let octets), .uri(let octets), .other(_, let octets),
        .otherName(_, let octets):
        octets
      }
    return 1 + octets.count / 256
  }

  /// The name for people to read.
  fileprivate var shown: String {
    switch self {
    case .directory(let name): "the directory name '\(name)'"
    case .dns(let octets): "the DNS name '\(String(decoding: octets, as: UTF8.self))'"
    case .email(let octets): "the mail address '\(String(decoding: octets, as: UTF8.self))'"
    case .ip(let octets): "the address \(hostText ?? Hex.encode(octets))"
    case .other, .otherName: "a name of a kind whose constraints are not understood"
    case .uri(let octets): "the URI '\(String(decoding: octets, as: UTF8.self))'"
    }
  }
}
