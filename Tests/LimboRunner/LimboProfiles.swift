// SPDX-License-Identifier: Apache-2.0
import Steelpin

/// Under which profiles a case is judged; it must be acceptable to each of them. This is the whole mapping, and the same
/// table stands in docs/limbo.md: nothing of a case but its `profile`, `policy` and `features` is looked at.
extension LimboCase {
  var profiles: [TrustPolicy.Profile] {
    if let profile {
      // However it is written, and the letter of RFC 5280 if it is none of ours.
      let wanted = profile.lowercased().filter { $0.isLetter || $0.isNumber }
      let found = TrustPolicy.Profile.allCases.filter { $0.rawValue.lowercased() == wanted }
      return found.isEmpty ? [.rfc5280] : found
    }
    if policy != nil || features.contains("rfc5280-incompatible-with-webpki") { return [.rfc5280] }
    if features.contains(where: { $0.hasPrefix("pedantic-") }) { return [.webPKI] }
    return [.standard, .rfc5280]
  }

  /// How far the certificate is checked to be one for the host. Suites of pure path validation, which have policy
  /// inputs or a profile and no host, are plain X.509, as is a client's certificate.
  var domain: TrustPolicy.DomainValidation {
    switch validationKind {
    case .client: .basicX509
    case .server: expectedPeerName != nil ? .ssl : profile != nil || policy != nil ? .basicX509 : .sslAnyHost
    }
  }
}
