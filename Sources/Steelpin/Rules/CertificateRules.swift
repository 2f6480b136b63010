// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// All rules of ours. They can only object: a path without findings still needs a backend's proof.
package enum CertificateRules {
  /// The objections to a path, leaf first, in the order of the rules; empty if there are none.
  ///
  /// `reachesAnchor` says that the last certificate is an anchor, which is trusted as it is: of an anchor only what it
  /// says about the certificates below it is judged, its dates, its key, and whether its form is one that can be read.
  package static func findings(
    _ path: [Certificate], reachesAnchor: Bool, in context: RuleContext
  ) -> [Finding] {
    let rules = mask(of: context.profile)
    var concerned: UInt64 = 0
    for depth in path.indices { concerned |= path[depth].concernedRules(isLeaf: depth == 0, among: rules) }
    var findings: [Finding] = []
    let path = RulePath(certificates: path, reachesAnchor: reachesAnchor)
    while concerned != 0 {
      all[concerned.trailingZeroBitCount].check(path, context, &findings)
      concerned &= concerned - 1
    }
    return findings
  }

  /// The rules, of those asked for, that a certificate concerns as a leaf or an issuer.
  fileprivate static func concerned(by certificate: Certificate, isLeaf: Bool, among rules: UInt64) -> UInt64 {
    var (unknown, concerned) = (rules, UInt64(0))
    while unknown != 0 {
      let number = unknown.trailingZeroBitCount
      if all[number].concerns(certificate, isLeaf) { concerned |= 1 << UInt64(number) }
      unknown &= unknown - 1
    }
    return concerned
  }

  /// The rules of a profile, chosen once and not for every path.
  private static func mask(of profile: TrustPolicy.Profile) -> UInt64 {
    switch profile {
    case .apple: apple
    case .rfc5280: rfc5280
    case .standard: standard
    case .webPKI: webPKI
    }
  }

  private static let apple = mask { $0.profiles.contains(.apple) }
  private static let rfc5280 = mask { $0.profiles.contains(.rfc5280) }
  private static let standard = mask { $0.profiles.contains(.standard) }
  private static let webPKI = mask { $0.profiles.contains(.webPKI) }

  private static func mask(where isChosen: (CertificateRule) -> Bool) -> UInt64 {
    all.enumerated().reduce(0) { mask, rule in
      #if STEELPIN_MUTATIONS
        if Mutation.removes(rule.element) { return mask }
      #endif
      return isChosen(rule.element) ? mask | 1 << UInt64(rule.offset) : mask
    }
  }

  /// Every rule, in the order in which findings are reported; no more than there are bits in a mask.
  package static let all: [CertificateRule] =
    [.hostName, .validity]
    + formRules + extensionRules + issuingRules + purposeRules + strengthRules + profileRules

  private static let formRules: [CertificateRule] = [
    .version, .versionThree, .serialNumberLength, .serialNumberPositive, .signatureAlgorithmEquality, .validityForm,
    .issuerName, .issuerSubject, .emptySubject, .alternativeNameForm,
  ]

  private static let extensionRules: [CertificateRule] = [
    .extensionMalformed, .extensionDuplicated, .extensionCriticalUnknown, .extensionNeverCritical,
    .extensionAlwaysCritical, .basicConstraintsCritical, .keyIdentifierPresence, .keyIdentifierMatch,
    .rootIdentifiesItself,
  ]

  private static let issuingRules: [CertificateRule] = [
    .certificateAuthority, .pathLength, .pathLengthPlacement, .keyCertSign, .keyUsageConsistency,
    .constraintPlacement, .nameConstraints, .certificatePolicies,
  ]

  private static let purposeRules: [CertificateRule] = [
    .serverKeyUsage, .serverPurpose, .serverPurposeRequired, .serverPurposeOfIssuers, .leafIsNoAuthority,
    .leafIsNoHalfAuthority,
  ]

  private static let strengthRules: [CertificateRule] = [
    .keyEncoding, .keyStrength, .keyForm, .edwardsKeys, .signatureInUse, .signatureStrength,
  ]

  private static let profileRules: [CertificateRule] = [
    .publicSuffixWildcard, .commonName, .alternativeNameCritical, .purposeNotCritical, .rootPurpose,
    .publicValidityLength, .appleValidityLength,
  ]
}

extension Certificate {
  /// The rules, of those asked for, that may object to a path because of the certificate.
  fileprivate func concernedRules(isLeaf: Bool, among rules: UInt64) -> UInt64 {
    func find(_ unknown: UInt64) -> UInt64 { CertificateRules.concerned(by: self, isLeaf: isLeaf, among: unknown) }
    return isLeaf ? contents.rulesAsLeaf.among(rules, find) : contents.rulesAsIssuer.among(rules, find)
  }
}

/// Which rules a certificate concerns in one place of a path, found out once for each rule: what a rule is about, and
/// not its judgement, does not change. Bit n is for rule n of ``CertificateRules/all``.
struct ConcernedRules: ~Copyable, Sendable {
  private let known = Atomic<UInt64>(0)
  private let concerned = Atomic<UInt64>(0)

  /// Those among some rules; `find` tells them of the rules about which it was not found out yet.
  borrowing func among(_ rules: UInt64, _ find: (UInt64) -> UInt64) -> UInt64 {
    let unknown = rules & ~known.load(ordering: .acquiring)
    if unknown != 0 {
      concerned.bitwiseOr(find(unknown), ordering: .relaxed)
      known.bitwiseOr(unknown, ordering: .releasing)
    }
    return concerned.load(ordering: .relaxed) & rules
  }
}
