// SPDX-License-Identifier: Apache-2.0

/// What OCSP responses say (RFC 6960 3.2).
extension RevocationChecker {
  /// How a response repeats the nonce of a request.
  enum NonceDemand {
    /// There was no request of ours.
    case none
    /// It repeats this one, or leaves it out if the flag allows.
    case repeats([UInt8], mayLeaveOut: Bool)
  }

  /// What the stapled response says of the leaf.
  mutating func judgeStaple(_ path: [Certificate]) throws(BackendError) -> RevocationAnswer {
    guard case .response(let der) = evidence.staple else { return .undetermined }
    return try judge(response: der, path, 0, source: "the stapled response", nonce: .none)
  }

  /// What the responses at hand say; those about other certificates are passed over.
  mutating func judgeResponsesAtHand(_ path: [Certificate], _ depth: Int) throws(BackendError) -> RevocationAnswer {
    var answer = RevocationAnswer.undetermined
    for der in evidence.ocspResponses where answer.isOpen {
      if let response = try? OCSPResponse(der: der), response.status == .successful,
        !response.answers.contains(where: { $0.identifier.names(path[depth], issuedBy: path[depth + 1]) })
      {
        continue
      }
      answer = answer.joined(try judge(response: der, path, depth, source: "an OCSP response at hand", nonce: .none))
    }
    return answer
  }

  /// What a response says of the certificate at a depth of a path.
  mutating func judge(
    response der: [UInt8], _ path: [Certificate], _ depth: Int, source: String, nonce: NonceDemand
  ) throws(BackendError) -> RevocationAnswer {
    // Certificates that are sent have the same bound; a response is smaller by far.
    guard der.count <= backend.budget.octets else {
      note(.ocspMalformed, "\(source) has \(der.count) octets, more than \(backend.budget.octets)")
      return .undetermined
    }
    let response: OCSPResponse
    do throws(RevocationEvidenceError) {
      response = try OCSPResponse(der: der)
    } catch {
      note(.ocspMalformed, "\(source) cannot be read: \(error)")
      return .undetermined
    }
    guard let basic = response.basic else {
      note(.revocationUnavailable, "\(source) says that the responder did not answer (\(response.status))")
      return .undetermined
    }
    let (certificate, issuer) = (path[depth], path[depth + 1])
    let answers = basic.answers.filter { $0.identifier.names(certificate, issuedBy: issuer) }
    guard !answers.isEmpty else {
      note(.ocspMalformed, "\(source) is not about this certificate")
      return .undetermined
    }
    if let unknown = basic.unknownCritical.first {
      note(.ocspMalformed, "\(source) has the critical extension \(unknown), which is not understood")
      return .undetermined
    }
    guard try isSigned(basic, path, depth, source) else { return .undetermined }
    // From here on the signature holds: a revocation for good stays one, whatever else is wrong.
    for case .revoked(let date, let reason) in answers.map(\.status) where reason?.isPermanent ?? true {
      return .revoked(Self.revokedDetail(date, reason, source))
    }
    if case .repeats(let wanted, let mayLeaveOut) = nonce, basic.nonce.map({ Array($0) != wanted }) ?? !mayLeaveOut {
      let what = basic.nonce == nil ? "repeats no nonce" : "repeats another nonce"
      note(.ocspNonceMismatch, "\(source) \(what) than the request's")
      return .undetermined
    }
    let current = answers.filter { isCurrent($0, basic, source) }
    guard let latest = current.max(by: { $0.thisUpdate < $1.thisUpdate }) else { return .undetermined }
    switch latest.status {
    case .good: return .good
    case .revoked(let date, let reason): return .revoked(Self.revokedDetail(date, reason, source))
    case .unknown:
      note(.revocationUnknown, "\(source) says that the responder does not know the certificate")
      return .undetermined
    }
  }

  static func revokedDetail(_ date: Timestamp, _ reason: RevocationReason?, _ source: String) -> String {
    "revoked on \(date)" + (reason.map { " (\($0))" } ?? "") + ", says \(source)"
  }

  /// RFC 6960 3.2 (5) and (6). Clocks of responders may run five minutes ahead; a response that does not say when newer
  /// information comes is good for a day.
  private mutating func isCurrent(
    _ answer: OCSPResponse.Answer, _ basic: OCSPResponse.Basic, _ source: String
  ) -> Bool {
    let latest = time.advanced(by: Self.clockSkew)
    if answer.thisUpdate > latest || basic.producedAt > latest {
      note(.revocationNotYetValid, "\(source) is of \(max(answer.thisUpdate, basic.producedAt)), judged at \(time)")
      return false
    }
    let end = answer.nextUpdate ?? answer.thisUpdate.advanced(byDays: 1)
    if time > end {
      note(.revocationExpired, "\(source) was good until \(end), judged at \(time)")
      return false
    }
    return true
  }

  /// Seconds by which the clock of an issuer may be ahead of ours.
  static let clockSkew: Int64 = 300
}
