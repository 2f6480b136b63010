// SPDX-License-Identifier: Apache-2.0

/// All rules of ours. They can only object: a path without findings still needs a backend's proof.
package enum CertificateRules {
  /// The objections to a path, leaf first, in the order of the rules; empty if there are none.
  ///
  /// `reachesAnchor` says that the last certificate is an anchor, which is trusted as it is: of an anchor only what it
  /// says about the certificates below it is judged, its dates, its key, and whether its form is one that can be read.
  package static func findings(
    _ path: [Certificate], reachesAnchor: Bool, in context: RuleContext
  ) -> [Finding] {
    var findings: [Finding] = []
    let path = RulePath(certificates: path, reachesAnchor: reachesAnchor)
    for rule in rules(of: context.profile) { rule.check(path, context, &findings) }
    return findings
  }

  /// The rules of a profile, chosen once and not for every path.
  private static func rules(of profile: TrustPolicy.Profile) -> [CertificateRule] {
    switch profile {
    case .apple: apple
    case .rfc5280: rfc5280
    case .standard: standard
    case .webPKI: webPKI
    }
  }

  private static let apple = all.filter { $0.profiles.contains(.apple) }
  private static let rfc5280 = all.filter { $0.profiles.contains(.rfc5280) }
  private static let standard = all.filter { $0.profiles.contains(.standard) }
  private static let webPKI = all.filter { $0.profiles.contains(.webPKI) }

  /// Every rule, in the order in which findings are reported.
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
  ]

  private static let issuingRules: [CertificateRule] = [
    .certificateAuthority, .pathLength, .pathLengthPlacement, .keyCertSign, .keyUsageConsistency,
    .constraintPlacement, .nameConstraints, .certificatePolicies,
  ]

  private static let purposeRules: [CertificateRule] = [
    .serverKeyUsage, .serverPurpose, .serverPurposeRequired, .serverPurposeOfIssuers, .leafIsNoAuthority,
  ]

  private static let strengthRules: [CertificateRule] = [
    .namedCurve, .keyStrength, .keyForm, .edwardsKeys, .signatureStrength,
  ]

  private static let profileRules: [CertificateRule] = [
    .publicSuffixWildcard, .commonName, .alternativeNameCritical, .purposeNotCritical, .rootPurpose,
    .publicValidityLength, .appleValidityLength,
  ]
}

/// A path as rules see it.
package struct RulePath: Sendable {
  package let certificates: [Certificate]
  package let reachesAnchor: Bool

  package init(certificates: [Certificate], reachesAnchor: Bool) {
    self.certificates = certificates
    self.reachesAnchor = reachesAnchor
  }

  /// The certificates that are not trusted as they are, with their depths: all but an anchor.
  package var untrusted: ArraySlice<Certificate> { reachesAnchor ? certificates.dropLast() : certificates[...] }

  /// The certificates that issue others on the path, with their depths, the anchor included.
  package var issuers: ArraySlice<Certificate> { certificates.dropFirst() }

  /// The leaf, if it is not itself an anchor.
  package var untrustedLeaf: Certificate? { untrusted.first }

  /// The anchor, if the path reaches one.
  package var anchor: Certificate? { reachesAnchor ? certificates.last : nil }
}

/// One rule: what it is called, where it comes from, who applies it, and how it is judged.
package struct CertificateRule: Sendable {
  /// A name for the table of rules in the documentation.
  package let name: String
  /// The clause that it comes from.
  package let clause: String
  /// What it says if it objects.
  package let codes: [FindingCode]
  /// The profiles that apply it.
  package let profiles: Set<TrustPolicy.Profile>
  /// Adds what it objects to.
  package let check: @Sendable (RulePath, RuleContext, inout [Finding]) -> Void

  init(
    _ name: String, clause: String, codes: FindingCode..., profiles: Set<TrustPolicy.Profile>,
    check: @escaping @Sendable (RulePath, RuleContext, inout [Finding]) -> Void
  ) {
    self.name = name
    self.clause = clause
    self.codes = codes
    self.profiles = profiles
    self.check = check
  }
}

extension Set<TrustPolicy.Profile> {
  static let every = Set(TrustPolicy.Profile.allCases)

  /// What RFC 5280 asks of issuers but not of those who verify, and what only issuers that know it have wrong.
  static let letter: Set = [.rfc5280, .webPKI]
}
