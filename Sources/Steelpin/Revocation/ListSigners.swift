// SPDX-License-Identifier: Apache-2.0

/// Who may sign a list: anyone of its issuer's name with a valid path to the same anchor as the certificate, whose key
/// usage, if there is one, has cRLSign (RFC 5280 6.3.3 (f)). That need not be the key that signed the certificate.
extension RevocationChecker {
  /// Paths to a signer that are tried.
  private static let maximumPaths = 8

  /// The signer of a list; nil, with the reason noted, if none may sign it.
  ///
  /// A certificate vouches for itself only if its issuer delegated that to it: by a distribution point that names it as
  /// the issuer of the list.
  mutating func signer(
    of list: CertificateRevocationList, _ source: String, _ path: [Certificate], _ depth: Int, mayBeItself: Bool
  ) throws(BackendError) -> Certificate? {
    guard let anchor = path.last else { return nil }
    var native: [NativeCode] = []
    var objection: String?
    var isSomebody = false
    for candidate in candidates(list, path) {
      isSomebody = true
      let key = path.firstIndex(of: candidate).map(path.workingKey) ?? candidate.publicKey
      switch try check(list.contents.signed, by: key) {
      case .valid: break
      case .invalid(let codes), .unsupported(let codes):
        native = codes
        continue
      }
      if let usage = candidate.decoded.keyUsage, !usage.contains(.cRLSign) {
        objection = "its signer's key usage lacks cRLSign"
        continue
      }
      // What stands above the certificate on its path is proved, and its own status is asked in its turn.
      if path[(depth + 1)...].contains(candidate) || mayBeItself && candidate == path[depth] { return candidate }
      if try isTrusted(candidate, path, depth, anchor) { return candidate }
      objection = "its signer has no valid path to the anchor of the certificate's path"
    }
    if let objection {
      note(.crlIssuerUntrusted, "\(source): \(objection)")
    } else if isSomebody {
      note(.crlSignatureInvalid, "the signature of \(source) was made by none of that name", native)
    } else {
      note(.crlIssuerUntrusted, "\(source): no certificate of its issuer is at hand")
    }
    return nil
  }

  /// The certificates of the list's issuer, those on the path and those with the right key identifier first.
  private func candidates(_ list: CertificateRevocationList, _ path: [Certificate]) -> ArraySlice<Certificate> {
    var seen = Set<Certificate>()
    let named = (path + pool).filter { candidate in
      candidate.contents.subjectKey == list.contents.issuerKey && seen.insert(candidate).inserted
    }
    guard let wanted = list.contents.authorityKeyIdentifier?.keyIdentifier else { return named.prefix(16) }
    let fitting = named.filter { $0.decoded.subjectKeyIdentifier == wanted }
    return (fitting + named.filter { $0.decoded.subjectKeyIdentifier != wanted }).prefix(16)
  }

  private mutating func isTrusted(
    _ signer: Certificate, _ path: [Certificate], _ depth: Int, _ anchor: Certificate
  ) throws(BackendError) -> Bool {
    var builder = PathBuilder(
      leaf: signer, pool: pool + path, anchors: [AnchorSet([anchor])], time: time, budget: backend.budget)
    var tried = 0
    while tried < Self.maximumPaths, let candidate = builder.next() {
      tried += 1
      guard isUnobjectionable(candidate), try backend.prove(candidate) == .proved else { continue }
      if try isUnrevoked(candidate, above: path[(depth + 1)...]) { return true }
    }
    return false
  }

  /// By the rules for paths of any purpose; how strong keys and signatures must be is for the profile.
  private func isUnobjectionable(_ path: [Certificate]) -> Bool {
    func findings(_ profile: TrustPolicy.Profile) -> [Finding] {
      let context = RuleContext(
        host: nil, domain: .basicX509, profile: profile, time: time, endsAtSystemAnchor: false)
      return CertificateRules.findings(path, reachesAnchor: true, in: context)
    }
    guard findings(.rfc5280).isEmpty else { return false }
    return profile == .rfc5280
      || !findings(profile).contains { $0.code == .keyWeak || $0.code == .signatureAlgorithmWeak }
  }

  /// A signer that is revoked signs nothing; one whose status is unknown does unless that counts.
  private mutating func isUnrevoked(
    _ path: [Certificate], above: ArraySlice<Certificate>
  ) throws(BackendError) -> Bool {
    for depth in path.indices.dropLast() where !above.contains(path[depth]) {
      switch try status(path, depth) {
      case .good: continue
      case .revoked: return false
      case .undetermined: if policy.failure == .hard { return false }
      }
    }
    return true
  }
}
