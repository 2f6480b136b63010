// SPDX-License-Identifier: Apache-2.0

extension CertificateRule {
  /// Every certificate of the path is valid now, the anchor included; both bounds belong to the period.
  static let validity = CertificateRule(
    name: "validity period", clause: "RFC 5280 4.1.2.5 and 6.1.3 (a)(2)", profiles: .every
  ) { path, context, findings in
    for (depth, certificate) in path.certificates.enumerated() {
      let validity = certificate.validity
      guard let notBefore = validity.notBefore, let notAfter = validity.notAfter else {
        findings.append(Finding(.validityMalformed, depth: depth, detail: "a date is not one that RFC 5280 allows"))
        continue
      }
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
}
