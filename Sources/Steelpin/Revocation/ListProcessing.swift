// SPDX-License-Identifier: Apache-2.0

/// What revocation lists say, by the algorithm of RFC 5280 6.3.3, whose steps the comments name.
extension RevocationChecker {
  /// What some lists say of the certificate at a depth of a path.
  mutating func judgeLists(
    _ lists: [CertificateRevocationList], _ path: [Certificate], _ depth: Int
  ) throws(BackendError) -> RevocationAnswer {
    let certificate = path[depth]
    // The newest first: an older one of the same scope then covers no further reason.
    let complete = lists.filter { !$0.isDelta }.sorted { $0.thisUpdate > $1.thisUpdate }
    let deltas = lists.filter(\.isDelta)
    var covered = ReasonSet()
    for point in certificate.pointsOfLists {
      for list in complete where !covered.isSuperset(of: .all) {
        guard list.covers(certificate, at: point) else { continue }  // (b)
        let reasons = (point.reasons ?? .all).intersection(list.contents.scope?.onlySomeReasons ?? .all)  // (d)
        guard !reasons.isSubset(of: covered) else { continue }  // (e)
        switch try judge(list, deltas, path, depth, isDelegated: !point.crlIssuer.isEmpty) {
        case .good: covered.formUnion(reasons)  // (l)
        case .revoked(let detail): return .revoked(detail)
        case .undetermined: continue
        }
      }
    }
    return covered.isSuperset(of: .all) ? .good : .undetermined
  }

  /// What one complete list, with the deltas to it, says of a certificate that it covers; whether the certificate
  /// names the list's issuer itself.
  private mutating func judge(
    _ list: CertificateRevocationList, _ deltas: [CertificateRevocationList], _ path: [Certificate], _ depth: Int,
    isDelegated: Bool
  ) throws(BackendError) -> RevocationAnswer {
    let certificate = path[depth]
    let source = "the list of (\(list.issuer)) of \(list.thisUpdate)"
    guard list.isUnderstood else {
      note(.crlExtensionUnknown, "\(source) has a critical extension that is not understood")
      return .undetermined
    }
    guard let signer = try signer(of: list, source, path, depth, mayBeItself: isDelegated) else {  // (f), (g)
      return .undetermined
    }
    let delta = try delta(to: list, deltas, signer)  // (a), (c), (h)
    let changed = delta?.contents.entry(for: certificate)  // (i)
    let entry = changed ?? list.contents.entry(for: certificate)  // (j)
    let isUsable = isUsable(list, delta: delta, source)
    // (k) is in the condition. A revocation for good stays one in an outdated list.
    if let entry, entry.reason != .removeFromCRL, isUsable || entry.reason.isPermanent {
      return .revoked(Self.revokedDetail(entry.date, entry.reason, source))
    }
    return isUsable ? .good : .undetermined
  }

  /// Whether a list, brought up to date by a delta, may prove that a certificate is not revoked. Dates are then those
  /// of the delta (RFC 5280 5.2.4).
  private mutating func isUsable(
    _ list: CertificateRevocationList, delta: CertificateRevocationList?, _ source: String
  ) -> Bool {
    var isUsable = true
    for fault in list.contents.formFaults {
      note(.crlMalformed, "\(source): \(fault)")
      isUsable = false
    }
    if profile != .rfc5280, let digest = list.contents.signed.algorithm.weakDigest {
      note(.crlSignatureInvalid, "\(source) is signed with \(digest), which no longer holds")
      isUsable = false
    }
    guard list.thisUpdate <= time.advanced(by: Self.clockSkew) else {
      note(.revocationNotYetValid, "\(source) is from the future, judged at \(time)")
      return false
    }
    if !(delta ?? list).isCurrent(at: time) {
      let end = list.nextUpdate.map { "was good until \($0)" } ?? "does not say until when it is good"
      note(.revocationExpired, "\(source) \(end), judged at \(time)")
      isUsable = false
    }
    return isUsable
  }

  /// The newest current delta to a list by the same signer; nil if there is none.
  private mutating func delta(
    to list: CertificateRevocationList, _ deltas: [CertificateRevocationList], _ signer: Certificate
  ) throws(BackendError) -> CertificateRevocationList? {
    var newest: CertificateRevocationList?
    for delta in deltas where delta.isDelta(to: list) && delta.isUnderstood && delta.isCurrent(at: time) {
      guard delta.contents.formFaults.isEmpty, profile == .rfc5280 || delta.contents.signed.algorithm.weakDigest == nil
      else { continue }
      if let best = newest?.contents.number, let number = delta.contents.number, number <= best { continue }
      if try check(delta.contents.signed, by: signer.publicKey) == .valid { newest = delta }
    }
    return newest
  }
}

extension CertificateRevocationList {
  /// Whether every critical extension is understood.
  var isUnderstood: Bool { contents.unknownCritical.isEmpty }

  /// Whether the next one is not due yet. One that does not say when is never current (RFC 5280 5.1.2.5).
  func isCurrent(at time: Timestamp) -> Bool {
    #if STEELPIN_MUTATIONS
      if Mutation.listsExpire.isOn { return true }
    #endif
    guard let nextUpdate else { return false }
    return thisUpdate <= time.advanced(by: RevocationChecker.clockSkew) && time <= nextUpdate
  }

  /// Whether it lists the changes of a complete list: of the same issuer, scope and key, made from that list or an
  /// earlier one, and newer than it (RFC 5280 5.2.4 and 6.3.3 (c)).
  func isDelta(to list: CertificateRevocationList) -> Bool {
    guard let base = contents.baseNumber, let number = contents.number, let complete = list.contents.number else {
      return false
    }
    return contents.issuerKey == list.contents.issuerKey && contents.scope == list.contents.scope
      && contents.authorityKeyIdentifier?.keyIdentifier == list.contents.authorityKeyIdentifier?.keyIdentifier
      && base <= complete && complete < number
  }
}
