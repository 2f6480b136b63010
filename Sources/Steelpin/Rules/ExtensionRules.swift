// SPDX-License-Identifier: Apache-2.0

/// Extensions as such: readable, each once, known if critical, and critical only where the standard says so.
extension CertificateRule {
  /// Extensions that are understood can be read.
  static let extensionMalformed = CertificateRule(
    "well-formed extensions", clause: "RFC 5280 4.2", codes: .extensionMalformed, profiles: .every, each: .all
  ) { certificate, faults in
    for fault in certificate.decoded.malformed {
      faults.add(
        .extensionMalformed, "the extension \(fault.extension.extensionName) cannot be read: \(fault.cause)")
    }
  }

  /// No extension occurs twice.
  static let extensionDuplicated = CertificateRule(
    "no duplicate extension", clause: "RFC 5280 4.2", codes: .extensionDuplicated, profiles: .every, each: .all
  ) { certificate, faults in
    for identifier in certificate.decoded.duplicated {
      faults.add(.extensionDuplicated, "the extension \(identifier.extensionName) occurs twice")
    }
  }

  /// A critical extension is one that is processed.
  static let extensionCriticalUnknown = CertificateRule(
    "no unprocessed critical extension", clause: "RFC 5280 4.2 and 6.1.4 (o)", codes: .extensionCriticalUnknown,
    profiles: .every, each: .all
  ) { certificate, faults in
    for identifier in certificate.decoded.unknownCritical
      + certificate.extensions(of: notProcessed, critical: true).map(\.identifier)
    {
      faults.add(
        .extensionCriticalUnknown, "the critical extension \(identifier.extensionName) is not processed")
    }
  }

  /// Extensions that nothing may depend on.
  static let extensionNeverCritical = CertificateRule(
    "extensions that are never critical", clause: "RFC 5280 4.2.1.1, 4.2.1.2 and 4.2.2.1", codes: .extensionMisplaced,
    profiles: .every, each: .all
  ) { certificate, faults in
    for item in certificate.extensions(of: neverCritical, critical: true) {
      faults.add(
        .extensionMisplaced, "the extension \(item.identifier.extensionName) is critical, which it must not be")
    }
  }

  /// Constraints on policies that must not be overlooked. The profile of RFC 5280 does not object, since 6.1 processes
  /// them whether critical or not.
  static let extensionAlwaysCritical = CertificateRule(
    "policy constraints that are critical", clause: "RFC 5280 4.2.1.11 and 4.2.1.14", codes: .extensionMisplaced,
    profiles: [.standard, .webPKI], each: .all
  ) { certificate, faults in
    for item in certificate.extensions(of: alwaysCritical, critical: false) {
      faults.add(
        .extensionMisplaced, "the extension \(item.identifier.extensionName) is not critical, which it must be")
    }
  }

  private static let neverCritical: [OID] = [
    .authorityKeyIdentifier, .subjectKeyIdentifier, .authorityInformationAccess,
  ]

  private static let alwaysCritical: [OID] = [.policyConstraints, .inhibitAnyPolicy]

  /// Extensions that can be read and shown, but on which no rule acts: RFC 7633 4, RFC 6962 3.3.
  private static let notProcessed: [OID] = [.tlsFeature, .signedCertificateTimestamps]
}

extension Certificate {
  fileprivate func extensions(of kinds: [OID], critical: Bool) -> [CertificateExtension] {
    extensions.filter { $0.isCritical == critical && kinds.contains($0.identifier) }
  }
}

extension OID {
  /// The name of an extension that has one, else the identifier.
  var extensionName: String {
    switch self {
    case .authorityInformationAccess: "authorityInfoAccess"
    case .authorityKeyIdentifier: "authorityKeyIdentifier"
    case .basicConstraints: "basicConstraints"
    case .certificatePolicies: "certificatePolicies"
    case .crlDistributionPoints: "cRLDistributionPoints"
    case .extendedKeyUsage: "extKeyUsage"
    case .freshestCRL: "freshestCRL"
    case .inhibitAnyPolicy: "inhibitAnyPolicy"
    case .issuerAlternativeName: "issuerAltName"
    case .keyUsage: "keyUsage"
    case .nameConstraints: "nameConstraints"
    case .netscapeCertificateType: "nsCertType"
    case .policyConstraints: "policyConstraints"
    case .policyMappings: "policyMappings"
    case .signedCertificateTimestamps: "signedCertificateTimestampList"
    case .subjectAlternativeName: "subjectAltName"
    case .subjectDirectoryAttributes: "subjectDirectoryAttributes"
    case .subjectKeyIdentifier: "subjectKeyIdentifier"
    case .tlsFeature: "tlsfeature"
    default: description
    }
  }
}
