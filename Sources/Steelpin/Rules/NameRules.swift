// SPDX-License-Identifier: Apache-2.0

/// What names a certificate must have, and in which form.
extension CertificateRule {
  /// The issuer is named.
  static let issuerName = CertificateRule(
    "issuer not empty", clause: "RFC 5280 4.1.2.4", codes: .nameMalformed, profiles: .every
  ) { path, _, findings in
    for (depth, certificate) in path.untrusted.enumerated() where certificate.issuer.isEmpty {
      findings.append(Finding(.nameMalformed, depth: depth, detail: "the issuer's name is empty"))
    }
  }

  /// Whoever issues has a name.
  static let issuerSubject = CertificateRule(
    "subject of an issuer not empty", clause: "RFC 5280 4.1.2.6", codes: .nameMalformed, profiles: .every
  ) { path, _, findings in
    for depth in path.issuers.indices where path.certificates[depth].subject.isEmpty {
      findings.append(Finding(.nameMalformed, depth: depth, detail: "the subject of an issuer is empty"))
    }
  }

  /// Without a subject, the alternative names are all there is: they must be there, and critical.
  static let emptySubject = CertificateRule(
    "empty subject only with critical subjectAltName", clause: "RFC 5280 4.1.2.6 and 4.2.1.6",
    codes: .extensionMissing, .extensionMisplaced, profiles: .letter
  ) { path, _, findings in
    guard let leaf = path.untrustedLeaf, leaf.subject.isEmpty else { return }
    guard let names = leaf.firstExtension(.subjectAlternativeName) else {
      findings.append(Finding(.extensionMissing, depth: 0, detail: "neither a subject nor a subjectAltName"))
      return
    }
    if !names.isCritical {
      findings.append(
        Finding(.extensionMisplaced, depth: 0, detail: "the subject is empty, but subjectAltName is not critical"))
    }
  }

  /// Alternative names have the form of their kind.
  static let alternativeNameForm = CertificateRule(
    "form of alternative names", clause: "RFC 5280 4.2.1.6", codes: .nameMalformed, profiles: .letter
  ) { path, _, findings in
    for (depth, certificate) in path.untrusted.enumerated() {
      for name in certificate.decoded.subjectAlternativeNames ?? [] {
        guard let fault = name.formFault else { continue }
        findings.append(Finding(.nameMalformed, depth: depth, detail: "in subjectAltName, \(fault)"))
        break
      }
    }
  }
}

extension Certificate {
  /// The extension of a kind, the first if there are several.
  package func firstExtension(_ identifier: OID) -> CertificateExtension? {
    extensions.first { $0.identifier == identifier }
  }
}

extension GeneralName {
  /// What is wrong with the form of an alternative name; nil if nothing is.
  var formFault: String? {
    switch self {
    case .dns(let octets): PresentedName.isHostName(octets) ? nil : "a dNSName is no host name"
    case .email(let octets): PresentedMailbox(octets) == nil ? "an rfc822Name is no mail address" : nil
    case .ip(let octets):
      octets.count == 4 || octets.count == 16 ? nil : "an iPAddress has \(octets.count) octets, not 4 or 16"
    case .uri(let octets): PresentedURI.isAbsolute(octets) ? nil : "a uniformResourceIdentifier is not absolute"
    case .directory, .other, .otherName: nil
    }
  }
}
