// SPDX-License-Identifier: Apache-2.0

/// An emulation of what Apple's trust service adds for TLS servers; its other additions are marked `.apple` where the
/// rule is shared. Certificate transparency, AIA fetching and Apple's block lists are not emulated.
extension CertificateRule {
  /// 825 days since July 2019 whatever the anchor; under the system's roots since March 2018, and 398 days since
  /// September 2020.
  static let appleValidityLength = CertificateRule(
    "validity length on Apple systems", clause: "Apple HT210176 and HT211025", codes: .validityTooLong,
    profiles: [.apple]
  ) { path, context, findings in
    guard context.domain != .basicX509, let validity = path.certificates.first?.validity,
      let notBefore = validity.notBefore, let notAfter = validity.notAfter
    else { return }
    let limit: Int64? =
      if context.endsAtSystemAnchor {
        notBefore >= AppleDates.september2020 ? 398 : notBefore >= AppleDates.march2018 ? 825 : nil
      } else {
        notBefore >= AppleDates.july2019 ? 825 : nil
      }
    guard let limit, notAfter > notBefore.advanced(byDays: limit) else { return }
    findings.append(
      Finding(
        .validityTooLong, depth: 0,
        detail: "valid until \(notAfter), which is more than \(limit) days after \(notBefore)"))
  }
}

/// The days from which Apple's requirements hold.
enum AppleDates {
  static let march2018 = Timestamp(secondsSince1970: 1_519_862_400)
  static let july2019 = Timestamp(secondsSince1970: 1_561_939_200)
  static let september2020 = Timestamp(secondsSince1970: 1_598_918_400)
}
