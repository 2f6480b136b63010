// SPDX-License-Identifier: Apache-2.0

extension CertificateRule {
  /// Every certificate of the path is valid now, the anchor included; both bounds belong to the period.
  static let validity = CertificateRule(
    "validity period", clause: "RFC 5280 4.1.2.5 and 6.1.3 (a)(2)", codes: .validityMalformed, .notYetValid, .expired,
    profiles: .every
  ) { path, context, findings in
    for (depth, certificate) in path.certificates.enumerated() {
      #if STEELPIN_MUTATIONS
        if Mutation.dateOfLeafOnly.isOn, depth > 0 { return }
      #endif
      let validity = certificate.validity
      guard let notBefore = validity.notBefore, let notAfter = validity.notAfter else {
        findings.append(Finding(.validityMalformed, depth: depth, detail: "a date is not one that RFC 5280 allows"))
        continue
      }
      #if STEELPIN_MUTATIONS
        if Mutation.notBefore.isOn, context.time < notBefore { continue }
        if Mutation.notAfter.isOn, context.time > notAfter { continue }
      #endif
      if context.time < notBefore {
        findings.append(
          Finding(.notYetValid, depth: depth, detail: "valid from \(notBefore), judged at \(context.time)"))
      }
      if context.time > notAfter {
        let detail = "valid until \(notAfter), judged at \(context.time)"
        findings.append(Finding(.expired, depth: depth, detail: detail))
      }
    }
  }

  /// Dates up to 2049 are UTCTime, later ones GeneralizedTime. RFC 5280 wants this of issuers, while those who verify
  /// must be able to process either form, so its own profile does not object.
  static let validityForm = CertificateRule(
    "validity in the prescribed form", clause: "RFC 5280 4.1.2.5", codes: .validityMalformed,
    profiles: [.standard, .webPKI], each: .untrusted
  ) { certificate, faults in
    let validity = certificate.validity
    guard validity.notBefore != nil, validity.notAfter != nil, !validity.usesPrescribedForms else { return }
    faults.add(.validityMalformed, "a date before 2050 is not UTCTime, or a later one is not GeneralizedTime")
  }
}
