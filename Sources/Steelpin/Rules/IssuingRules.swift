// SPDX-License-Identifier: Apache-2.0

/// Who may issue certificates, and how many below.
extension CertificateRule {
  /// Every issuer says that it is one. A certificate of version 1 cannot; as an anchor it is trusted all the same.
  static let certificateAuthority = CertificateRule(
    "issuers are certificate authorities", clause: "RFC 5280 4.2.1.9 and 6.1.4 (k)", codes: .issuerNotCA,
    profiles: .every, concerning: { !$1 && $0.decoded.basicConstraints?.isCA != true }
  ) { path, _, findings in
    for depth in path.issuers.indices {
      let issuer = path.certificates[depth]
      guard issuer.decoded.basicConstraints?.isCA != true else { continue }
      let isAnchor = path.reachesAnchor && depth == path.certificates.count - 1
      if isAnchor, issuer.version < 3, issuer.extensions.isEmpty { continue }
      let reason =
        issuer.decoded.basicConstraints == nil
        ? "has no basicConstraints" : "says that it is no certificate authority"
      findings.append(Finding(.issuerNotCA, depth: depth, detail: "the certificate issues another, but \(reason)"))
    }
  }

  /// basicConstraints of an anchor are critical. Of the certificates below, 6.1.4 (k) only asks that they have it, and
  /// many private authorities leave the flag out.
  static let basicConstraintsCritical = CertificateRule(
    "critical basicConstraints", clause: "RFC 5280 4.2.1.9 (anchors), CABF BR 7.1.2 (all)",
    codes: .extensionMisplaced, profiles: .letter,
    concerning: { !$1 && $0.firstExtension(.basicConstraints)?.isCritical == false }
  ) { path, context, findings in
    for depth in path.issuers.indices {
      let isAnchor = path.reachesAnchor && depth == path.certificates.count - 1
      guard isAnchor || context.profile == .webPKI,
        let item = path.certificates[depth].firstExtension(.basicConstraints), !item.isCritical
      else { continue }
      findings.append(
        Finding(.extensionMisplaced, depth: depth, detail: "basicConstraints of an issuer is not critical"))
    }
  }

  /// No more intermediate certificates below an issuer than it allows; self-issued ones do not count.
  static let pathLength = CertificateRule(
    "path length", clause: "RFC 5280 4.2.1.9 and 6.1.4 (l), (m)", codes: .pathLengthExceeded, profiles: .every,
    concerning: { !$1 && $0.decoded.basicConstraints?.pathLength != nil }
  ) { path, _, findings in
    var below = 0
    #if STEELPIN_MUTATIONS
      if Mutation.pathLengthByOne.isOn { below = -1 }
    #endif
    for depth in path.issuers.indices {
      let issuer = path.certificates[depth]
      if let limit = issuer.decoded.basicConstraints?.pathLength, below > limit {
        findings.append(
          Finding(
            .pathLengthExceeded, depth: depth,
            detail: "allows \(limit) intermediate certificates below it, but there are \(below)"))
      }
      if !issuer.isSelfIssued { below += 1 }
    }
  }

  /// A path length only where there may be a path.
  static let pathLengthPlacement = CertificateRule(
    "path length only of authorities", clause: "RFC 5280 4.2.1.9", codes: .extensionMisplaced, profiles: .letter,
    each: .untrusted
  ) { certificate, faults in
    guard let constraints = certificate.decoded.basicConstraints, constraints.pathLength != nil,
      !constraints.isCA || certificate.decoded.keyUsage.map({ !$0.contains(.keyCertSign) }) ?? false
    else { return }
    faults.add(.extensionMisplaced, "a path length, but no right to sign certificates")
  }

  /// The key of every issuer may sign certificates, if its usage is restricted at all.
  static let keyCertSign = CertificateRule(
    "key usage of issuers", clause: "RFC 5280 4.2.1.3 and 6.1.4 (n)", codes: .keyUsageForbidsSigning, profiles: .every,
    each: .issuers
  ) { certificate, faults in
    guard let usage = certificate.decoded.keyUsage, !usage.contains(.keyCertSign) else { return }
    faults.add(.keyUsageForbidsSigning, "the certificate issues another, but its keyUsage lacks keyCertSign")
  }

  /// keyCertSign only with cA, and a key usage that allows something.
  static let keyUsageConsistency = CertificateRule(
    "consistent key usage", clause: "RFC 5280 4.2.1.3 and 4.2.1.9", codes: .extensionMisplaced, profiles: .letter,
    each: .untrusted
  ) { certificate, faults in
    guard let usage = certificate.decoded.keyUsage else { return }
    if usage.isEmpty { faults.add(.extensionMisplaced, "keyUsage allows nothing at all") }
    if usage.contains(.keyCertSign), certificate.decoded.basicConstraints?.isCA != true {
      faults.add(.extensionMisplaced, "keyCertSign without being a certificate authority")
    }
  }

  /// Constraints on names and policies below, only in certificates that have something below.
  static let constraintPlacement = CertificateRule(
    "constraints only in authorities", clause: "RFC 5280 4.2.1.10, 4.2.1.5", codes: .extensionMisplaced,
    profiles: [.rfc5280, .standard, .webPKI], each: .leaf
  ) { leaf, faults in
    guard leaf.decoded.basicConstraints?.isCA != true else { return }
    for identifier in [OID.nameConstraints, .policyMappings] where leaf.firstExtension(identifier) != nil {
      faults.add(
        .extensionMisplaced, "\(identifier.extensionName) in a certificate that is no certificate authority")
    }
  }
}
