// SPDX-License-Identifier: Apache-2.0

/// All rules of ours. They can only object: a path without findings still needs a backend's proof.
package enum CertificateRules {
  /// The objections to a path, leaf first, in the order of the rules; empty if there are none.
  ///
  /// `reachesAnchor` says that the last certificate is an anchor, which is trusted as it is: of an anchor only what it
  /// says about the certificates below it is judged, and its dates.
  package static func findings(
    _ path: [Certificate], reachesAnchor: Bool, in context: RuleContext
  ) -> [Finding] {
    var findings: [Finding] = []
    for rule in all where rule.profiles.contains(context.profile) {
      rule.check(RulePath(certificates: path, reachesAnchor: reachesAnchor), context, &findings)
    }
    return findings
  }

  /// Every rule, in the order in which findings are reported.
  package static let all: [CertificateRule] = [
    .hostName, .validity,
  ]
}

/// A path as rules see it.
package struct RulePath: Sendable {
  package let certificates: [Certificate]
  package let reachesAnchor: Bool

  /// The certificates that are not trusted as they are, with their depths: all but an anchor.
  package var untrusted: ArraySlice<Certificate> { reachesAnchor ? certificates.dropLast() : certificates[...] }

  /// The certificates that issue others on the path, with their depths, the anchor included.
  package var issuers: ArraySlice<Certificate> { certificates.dropFirst() }
}

/// One rule: what it is called, where it comes from, who applies it, and how it is judged.
package struct CertificateRule: Sendable {
  /// A name for the table of rules in the documentation.
  package let name: String
  /// The clause that it comes from.
  package let clause: String
  /// The profiles that apply it.
  package let profiles: Set<TrustPolicy.Profile>
  /// Adds what it objects to.
  package let check: @Sendable (RulePath, RuleContext, inout [Finding]) -> Void
}

extension Set<TrustPolicy.Profile> {
  static let every = Set(TrustPolicy.Profile.allCases)
}
