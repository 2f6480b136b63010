// SPDX-License-Identifier: Apache-2.0

/// The identifiers by which certificates point at the keys of their issuers.
extension CertificateRule {
  /// What a certificate says about its issuer is true of the next one, as far as both say anything.
  static let keyIdentifierMatch = CertificateRule(
    "key identifiers match", clause: "RFC 5280 4.2.1.1 and 4.2.1.2", codes: .keyIdentifierMismatch, profiles: .every,
    concerning: { certificate, _ in certificate.decoded.authorityKeyIdentifier != nil }
  ) { path, _, findings in
    for (depth, (certificate, issuer)) in zip(path.certificates, path.issuers).enumerated() {
      guard let said = certificate.decoded.authorityKeyIdentifier else { continue }
      for fault in said.faults(asIdentifierOf: issuer) {
        findings.append(Finding(.keyIdentifierMismatch, depth: depth, detail: "its authorityKeyIdentifier \(fault)"))
      }
    }
  }

  /// What a root says about its issuer is true of itself. An anchor with the name of its issuer is taken for a root: one
  /// that an older key of the same name has signed is no anchor to distribute.
  static let rootIdentifiesItself = CertificateRule(
    "key identifiers of a root are its own", clause: "RFC 5280 4.2.1.1, CABF BR 7.1.2.1.3",
    codes: .keyIdentifierMismatch, profiles: .letter,
    concerning: { certificate, _ in certificate.isSelfIssued && certificate.decoded.authorityKeyIdentifier != nil }
  ) { path, _, findings in
    guard let root = path.anchor, root.isSelfIssued, let said = root.decoded.authorityKeyIdentifier else { return }
    for fault in said.faults(asIdentifierOf: root) {
      findings.append(
        Finding(
          .keyIdentifierMismatch, depth: path.certificates.count - 1,
          detail: "the authorityKeyIdentifier of the root \(fault)"))
    }
  }

  /// Authorities have a subjectKeyIdentifier, and all but self-signed certificates an authorityKeyIdentifier with a key
  /// identifier. Paths are judged without them just as well, so only the profiles of the letter insist.
  static let keyIdentifierPresence = CertificateRule(
    "key identifiers present", clause: "RFC 5280 4.2.1.1 and 4.2.1.2, CABF BR 7.1.2.11", codes: .extensionMissing,
    profiles: .letter,
    concerning: { certificate, _ in
      certificate.decoded.authorityKeyIdentifier?.keyIdentifier == nil
        || certificate.firstExtension(.subjectKeyIdentifier) == nil
    }
  ) { path, context, findings in
    for (depth, certificate) in path.certificates.enumerated() where certificate.version == 3 {
      let isAuthority = certificate.decoded.basicConstraints?.isCA == true
      if isAuthority, certificate.firstExtension(.subjectKeyIdentifier) == nil {
        findings.append(Finding(.extensionMissing, depth: depth, detail: "an authority without subjectKeyIdentifier"))
      }
      let isAnchor = path.reachesAnchor && depth == path.certificates.count - 1
      guard certificate.firstExtension(.authorityKeyIdentifier) != nil else {
        // On a path only an anchor can be self-signed: a certificate with the issuer's name and key is a detour. What
        // an anchor that is not would point at lies above the path, which only the forum's rules ask about.
        if !isAnchor || context.profile == .webPKI && !certificate.isSelfIssued {
          findings.append(Finding(.extensionMissing, depth: depth, detail: "there is no authorityKeyIdentifier"))
        }
        continue
      }
      if let identifier = certificate.decoded.authorityKeyIdentifier, identifier.keyIdentifier == nil {
        findings.append(
          Finding(.extensionMissing, depth: depth, detail: "authorityKeyIdentifier without a key identifier"))
      }
    }
  }
}

extension AuthorityKeyIdentifier {
  /// In which way it is not of a certificate, as far as both say anything.
  fileprivate func faults(asIdentifierOf issuer: Certificate) -> [String] {
    var faults: [String] = []
    if let key = keyIdentifier, let found = issuer.decoded.subjectKeyIdentifier, key != found {
      faults.append(
        "is \(Hex.encode(key.prefix(32))), but the issuer's subjectKeyIdentifier is \(Hex.encode(found.prefix(32)))")
    }
    if let serialNumber {
      let names = (self.issuer ?? []).compactMap(\.directoryName)
      if serialNumber != issuer.serialNumber || names.first.map({ $0 != issuer.issuer }) ?? false {
        faults.append("names another certificate of the issuer")
      }
    }
    return faults
  }
}

extension GeneralName {
  /// The directory name, if it is one.
  var directoryName: DistinguishedName? {
    if case .directory(let name) = self { name } else { nil }
  }
}
