// SPDX-License-Identifier: Apache-2.0

/// Whether a certificate is one for TLS servers. Plain X.509 (`.basicX509`) does not ask.
extension CertificateRule {
  /// A restricted key may do what a TLS server does with it: sign, decipher or agree on keys. The key of an authority
  /// that is its own server signs at any rate.
  static let serverKeyUsage = CertificateRule(
    "key usage of a TLS server", clause: "RFC 5280 4.2.1.3 and 4.2.1.12", codes: .purposeMismatch, profiles: .every,
    each: .leaf, when: \.asksForPurpose
  ) { leaf, faults in
    guard let usage = leaf.decoded.keyUsage,
      usage.isDisjoint(with: [.digitalSignature, .keyEncipherment, .keyAgreement]),
      !usage.contains(.keyCertSign) || leaf.decoded.basicConstraints?.isCA != true
    else { return }
    faults.add(
      .purposeMismatch,
      "keyUsage has neither digitalSignature nor keyEncipherment nor keyAgreement, as a TLS server needs")
  }

  /// A leaf that is restricted to purposes has that of a TLS server among them.
  static let serverPurpose = CertificateRule(
    "extended key usage of the leaf", clause: "RFC 5280 4.2.1.12", codes: .purposeMismatch,
    profiles: [.rfc5280, .standard],
    concerning: { $1 && $0.decoded.extendedKeyUsage?.allowServers == false }
  ) { path, context, findings in
    guard context.asksForPurpose, let purposes = path.certificates.first?.decoded.extendedKeyUsage,
      !purposes.allowServers
    else { return }
    findings.append(.wrongPurpose(purposes, depth: 0))
  }

  /// The leaf has the purpose of a TLS server by name; the purpose "any" does not do. Apple asks it of certificates
  /// since July 2019, and of earlier ones only that they are not for something else.
  static let serverPurposeRequired = CertificateRule(
    "extended key usage required", clause: "CABF BR 7.1.2.7.10, Apple HT210176",
    codes: .purposeMismatch, .extensionMissing, profiles: [.apple, .webPKI],
    concerning: { certificate, isLeaf in
      let purposes = certificate.decoded.extendedKeyUsage ?? []
      return isLeaf && (!purposes.contains(.serverAuth) || purposes.contains(where: forbiddenBesideServers.contains))
    }
  ) { path, context, findings in
    guard context.asksForPurpose, let leaf = path.certificates.first else { return }
    let purposes = leaf.decoded.extendedKeyUsage
    if context.profile == .apple, let notBefore = leaf.validity.notBefore, notBefore < AppleDates.july2019 {
      if let purposes, !purposes.allowServers { findings.append(.wrongPurpose(purposes, depth: 0)) }
      return
    }
    guard let purposes else {
      findings.append(Finding(.extensionMissing, depth: 0, detail: "there is no extKeyUsage with serverAuth"))
      return
    }
    if !purposes.contains(.serverAuth) {
      findings.append(.wrongPurpose(purposes, depth: 0))
    } else if context.profile == .webPKI, purposes.contains(where: forbiddenBesideServers.contains) {
      findings.append(
        Finding(
          .purposeMismatch, depth: 0, detail: "extKeyUsage has a purpose that no TLS server may have beside its own"))
    }
  }

  /// What CABF BR 7.1.2.7.10 forbids beside serverAuth.
  private static let forbiddenBesideServers: Set<OID> = [
    .anyExtendedKeyUsage, .codeSigning, .emailProtection, .ocspSigning, .precertificateSigning, .timeStamping,
  ]

  /// Purposes of an issuer restrict those of the certificates below, as all browsers have it.
  static let serverPurposeOfIssuers = CertificateRule(
    "extended key usage of issuers", clause: "RFC 5280 4.2.1.12, CABF BR 7.1.2.10.6", codes: .purposeMismatch,
    profiles: .every, concerning: { !$1 && $0.decoded.extendedKeyUsage?.allowServers == false }
  ) { path, context, findings in
    guard context.asksForPurpose else { return }
    for depth in path.issuers.indices {
      guard let purposes = path.certificates[depth].decoded.extendedKeyUsage, !purposes.allowServers else { continue }
      findings.append(.wrongPurpose(purposes, depth: depth))
    }
  }

  /// A server does not present a certificate authority, unless it is trusted as it is. RFC 5280 4.2.1.9 allows it.
  static let leafIsNoAuthority = CertificateRule(
    "no authority as leaf", clause: "CABF BR 7.1.2.7.8", codes: .purposeMismatch, profiles: [.webPKI],
    each: .leaf, when: \.asksForPurpose
  ) { leaf, faults in
    guard leaf.decoded.basicConstraints?.isCA == true else { return }
    faults.add(.purposeMismatch, "the leaf is a certificate authority, not a server")
  }

  /// A server's certificate that says that it is an authority, and that its key may not sign certificates, is neither.
  static let leafIsNoHalfAuthority = CertificateRule(
    "no authority as leaf that may not sign", clause: "RFC 5280 4.2.1.3 and 4.2.1.9, CABF BR 7.1.2.7.8",
    codes: .purposeMismatch, profiles: [.standard], each: .leaf, when: \.asksForPurpose
  ) { leaf, faults in
    guard leaf.decoded.basicConstraints?.isCA == true, leaf.decoded.keyUsage?.contains(.keyCertSign) == false else {
      return
    }
    faults.add(.purposeMismatch, "the leaf is a certificate authority whose key may not sign certificates")
  }
}

extension RuleContext {
  /// Whether the certificate has to be one for TLS servers.
  var asksForPurpose: Bool { domain != .basicX509 }
}

extension [OID] {
  /// Whether key purposes include that of TLS servers, or any.
  fileprivate var allowServers: Bool { contains(.serverAuth) || contains(.anyExtendedKeyUsage) }
}

extension Finding {
  fileprivate static func wrongPurpose(_ purposes: [OID], depth: Int) -> Finding {
    let shown = purposes.prefix(4).map(\.description).joined(separator: ", ")
    return Finding(
      .purposeMismatch, depth: depth, detail: "extKeyUsage is \(shown), which is not for TLS servers (serverAuth)")
  }
}
