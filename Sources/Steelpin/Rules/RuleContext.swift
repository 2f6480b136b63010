// SPDX-License-Identifier: Apache-2.0

/// What rules need to know beside the path itself.
package struct RuleContext: Sendable {
  package let host: HostName?
  package let domain: TrustPolicy.DomainValidation
  package let profile: TrustPolicy.Profile
  package let time: Timestamp
  /// Whether the path ends at one of the system's anchors rather than one that the policy brought.
  package let endsAtSystemAnchor: Bool
  /// The user's inputs to the validation of certificate policies.
  package let certificatePolicies: TrustPolicy.CertificatePolicies

  package init(
    host: HostName?, domain: TrustPolicy.DomainValidation, profile: TrustPolicy.Profile, time: Timestamp,
    endsAtSystemAnchor: Bool, certificatePolicies: TrustPolicy.CertificatePolicies = .init()
  ) {
    self.host = host
    self.domain = domain
    self.profile = profile
    self.time = time
    self.endsAtSystemAnchor = endsAtSystemAnchor
    self.certificatePolicies = certificatePolicies
  }
}
