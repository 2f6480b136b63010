// SPDX-License-Identifier: Apache-2.0

/// What names a certificate must have, and in which form.
extension CertificateRule {
  /// The issuer is named.
  static let issuerName = CertificateRule(
    "issuer not empty", clause: "RFC 5280 4.1.2.4", codes: .nameMalformed, profiles: .every, each: .untrusted
  ) { certificate, faults in
    if certificate.issuer.isEmpty { faults.add(.nameMalformed, "the issuer's name is empty") }
  }

  /// Whoever issues has a name.
  static let issuerSubject = CertificateRule(
    "subject of an issuer not empty", clause: "RFC 5280 4.1.2.6", codes: .nameMalformed, profiles: .every,
    each: .issuers
  ) { certificate, faults in
    if certificate.subject.isEmpty { faults.add(.nameMalformed, "the subject of an issuer is empty") }
  }

  /// Without a subject, the alternative names are all there is: they must be there, and critical.
  static let emptySubject = CertificateRule(
    "empty subject only with critical subjectAltName", clause: "RFC 5280 4.1.2.6 and 4.2.1.6",
    codes: .extensionMissing, .extensionMisplaced, profiles: .letter, each: .leaf
  ) { leaf, faults in
    guard leaf.subject.isEmpty else { return }
    guard let names = leaf.firstExtension(.subjectAlternativeName) else {
      faults.add(.extensionMissing, "neither a subject nor a subjectAltName")
      return
    }
    if !names.isCritical { faults.add(.extensionMisplaced, "the subject is empty, but subjectAltName is not critical") }
  }

  /// Alternative names have the form of their kind.
  static let alternativeNameForm = CertificateRule(
    "form of alternative names", clause: "RFC 5280 4.2.1.6", codes: .nameMalformed, profiles: .letter, each: .untrusted
  ) { certificate, faults in
    for name in certificate.decoded.subjectAlternativeNames ?? [] {
      guard let fault = name.formFault else { continue }
      faults.add(.nameMalformed, "in subjectAltName, \(fault)")
      break
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
    case .dns(let octets):
      PresentedName.isHostName(octets) && !octets.contains(UInt8(ascii: "_")) ? nil : "a dNSName is no host name"
    case .email(let octets): PresentedMailbox(octets) == nil ? "an rfc822Name is no mail address" : nil
    case .uri(let octets): PresentedURI.isAbsolute(octets) ? nil : "a uniformResourceIdentifier is not absolute"
    case .directory, .ip, .other, .otherName: nil
    }
  }
}
