// SPDX-License-Identifier: Apache-2.0

/// Who may sign OCSP responses (RFC 6960 4.2.2.2): the issuer of the certificate, or one whom it delegated.
extension RevocationChecker {
  /// Whether a response was signed by somebody who may answer for the certificate at a depth of a path.
  mutating func isSigned(
    _ basic: OCSPResponse.Basic, _ path: [Certificate], _ depth: Int, _ source: String
  ) throws(BackendError) -> Bool {
    let issuer = path[depth + 1]
    if profile != .rfc5280, let digest = basic.signed.algorithm.weakDigest {
      note(.ocspSignatureInvalid, "\(source) is signed with \(digest), which no longer holds")
      return false
    }
    var native: [NativeCode] = []
    var isSomebody = false
    for signer in [issuer] + delegates(basic) where basic.responder.names(signer) {
      isSomebody = true
      switch try check(basic.signed, by: signer.publicKey) {
      case .valid:
        guard signer != issuer else { return true }
        guard let objection = try objection(to: signer, path, depth) else { return true }
        note(.ocspResponderUnauthorized, "\(source) is signed by (\(signer.subject)), \(objection)")
        return false
      case .invalid(let codes), .unsupported(let codes): native = codes
      }
    }
    if isSomebody {
      note(.ocspSignatureInvalid, "the signature of \(source) was not made by the responder that it names", native)
    } else {
      note(
        .ocspResponderUnauthorized,
        "\(source) names a responder that is neither the issuer nor among the certificates that came along")
    }
    return false
  }

  /// The certificates that may be those of a responder, a bounded number of them.
  private func delegates(_ basic: OCSPResponse.Basic) -> ArraySlice<Certificate> {
    (basic.certificates + evidence.certificates).prefix(32)
  }

  /// Why a responder that is not the issuer itself may not answer for the certificate; nil if it may.
  private mutating func objection(
    to responder: Certificate, _ path: [Certificate], _ depth: Int
  ) throws(BackendError) -> String? {
    let issuer = path[depth + 1]
    guard responder.contents.issuerKey == issuer.contents.subjectKey else { return "whom another CA certified" }
    // By the same key that signed the certificate in question.
    guard try check(responder.signed, by: issuer.publicKey) == .valid else { return "whom another key certified" }
    if profile != .rfc5280, let digest = responder.signatureAlgorithm.weakDigest { return "certified with \(digest)" }
    let decoded = responder.decoded
    guard decoded.extendedKeyUsage?.contains(.ocspSigning) == true else { return "who lacks OCSPSigning" }
    if let usage = decoded.keyUsage, usage.isDisjoint(with: [.digitalSignature, .nonRepudiation]) {
      return "whose key usage forbids signing"
    }
    guard decoded.malformed.isEmpty, decoded.duplicated.isEmpty, decoded.unknownCritical.isEmpty else {
      return "whose certificate has extensions that are not understood"
    }
    guard let notBefore = responder.validity.notBefore, let notAfter = responder.validity.notAfter,
      notBefore <= time, time <= notAfter
    else { return "whose certificate is not valid at \(time)" }
    return try isRevoked(responder, path, depth) ? "whose certificate was revoked" : nil
  }

  /// The issuer says by id-pkix-ocsp-nocheck that the responder need not be checked (RFC 6960 4.2.2.2.1). Otherwise the
  /// lists at hand may speak against it; what they do not know does not, or responders would have to vouch for
  /// each other without end.
  private mutating func isRevoked(
    _ responder: Certificate, _ path: [Certificate], _ depth: Int
  ) throws(BackendError) -> Bool {
    guard policy.mode != .staple, !responder.extensions.contains(where: { $0.identifier == .ocspNoCheck }),
      inProgress.count < Self.maximumDepth
    else { return false }
    let noted = problems
    defer { problems = noted }
    inProgress.append(responder)
    defer { inProgress.removeLast() }
    return try !judgeLists(evidence.lists, [responder] + path[(depth + 1)...], 0).isOpen
  }
}

extension OCSPResponse.ResponderID {
  /// Whether it is the name of a certificate's subject.
  func names(_ certificate: Certificate) -> Bool {
    switch self {
    case .key(let hash): SHA1.hash(certificate.publicKey.key)[...] == hash
    case .name(let name): certificate.contents.subjectKey == name
    }
  }
}

extension Certificate {
  /// What its issuer signed.
  var signed: SignedBytes {
    SignedBytes(message: tbsCertificate, algorithm: signatureAlgorithm, signature: signature)
  }
}
