// SPDX-License-Identifier: Apache-2.0

/// What some evidence says about a certificate.
enum RevocationAnswer: Equatable {
  /// It is current and says that the certificate is not revoked.
  case good
  /// It proves that the certificate is revoked; when, why and who says so, in words.
  case revoked(String)
  /// It says nothing that counts.
  case undetermined
}

/// Asks whether the certificates of a proved path were revoked, by the evidence at hand and what may be fetched.
///
/// Evidence can only speak against a path. Whatever source proves a certificate revoked decides, whatever others say.
struct RevocationChecker {
  let backend: any TrustBackend
  let policy: RevocationPolicy
  let evidence: RevocationEvidence
  /// Certificates from which paths to those who sign lists are built.
  let pool: [Certificate]
  let profile: TrustPolicy.Profile
  let time: Timestamp
  /// What was found wrong with the evidence about the certificate in question.
  var problems: [Finding] = []
  /// The certificates whose status is being established, the outermost first: none of them can vouch for itself.
  var inProgress: [Certificate] = []
  var signatures: [SignatureKey: SignatureCheck] = [:]
  var fetched: [RevocationRequest: Result<[UInt8], RevocationFetchError>] = [:]
  var fetchedLists: [String: CertificateRevocationList] = [:]
  private var remainingSignatures = 512

  /// Requests that one evaluation sends at most.
  static let maximumRequests = 24
  /// How deep the question goes whether those who sign lists were revoked themselves.
  static let maximumDepth = 5

  init(
    backend: any TrustBackend, policy: RevocationPolicy, evidence: RevocationEvidence, pool: [Certificate],
    profile: TrustPolicy.Profile, time: Timestamp
  ) {
    self.backend = backend
    self.policy = policy
    self.evidence = evidence
    self.pool = pool + evidence.certificates
    self.profile = profile
    self.time = time
  }

  /// What is to be said about the revocation of a path, leaf first and ending at an anchor: errors refuse it.
  mutating func findings(_ path: [Certificate]) throws(BackendError) -> [Finding] {
    // A server staples for its own certificate alone (RFC 6066 section 8).
    let isLeafOnly = policy.scope == .leaf || policy.mode == .staple
    var findings: [Finding] = []
    for depth in path.indices.dropLast().prefix(isLeafOnly ? 1 : path.count) {
      findings += try judge(path, depth)
    }
    return findings
  }

  private mutating func judge(_ path: [Certificate], _ depth: Int) throws(BackendError) -> [Finding] {
    problems = []
    var answer = RevocationAnswer.undetermined
    var findings: [Finding] = []
    if depth == 0 {
      answer = try judgeStaple(path)
      if answer != .good, path[0].requiresStaple, let finding = missingStaple(answer) { findings.append(finding) }
    }
    if policy.mode != .staple, answer.isOpen { answer = answer.joined(try status(path, depth)) }
    #if STEELPIN_MUTATIONS
      if Mutation.revoked.isOn, case .revoked = answer { answer = .good }
    #endif
    switch answer {
    case .good: break
    case .revoked(let detail): findings.append(Finding(.revoked, depth: depth, detail: detail))
    case .undetermined: note(.revocationUnknown, unknownDetail)
    }
    let severity: Finding.Severity = answer == .undetermined && policy.failure == .hard ? .error : .warning
    #if STEELPIN_MUTATIONS
      if Mutation.softFail.isOn { return findings }
    #endif
    return findings
      + problems.map { problem in
        Finding(problem.code, severity: severity, depth: depth, detail: problem.detail, native: problem.native)
      }
  }

  /// What the evidence says about the certificate at a depth of a path, but for a staple.
  mutating func status(_ path: [Certificate], _ depth: Int) throws(BackendError) -> RevocationAnswer {
    guard path.indices.contains(depth + 1), inProgress.count < Self.maximumDepth, !inProgress.contains(path[depth])
    else { return .undetermined }
    inProgress.append(path[depth])
    defer { inProgress.removeLast() }
    var answer = try judgeResponsesAtHand(path, depth)
    if answer.isOpen { answer = answer.joined(try judgeLists(evidence.lists, path, depth)) }
    guard answer == .undetermined, policy.mode == .online else { return answer }
    return try fetchStatus(path, depth)
  }

  /// Notes what is wrong with evidence, each thing once.
  mutating func note(_ code: FindingCode, _ detail: String, _ native: [NativeCode] = []) {
    guard !problems.contains(where: { $0.code == code && $0.detail == detail }) else { return }
    problems.append(Finding(code, detail: detail, native: native))
  }

  /// Checks a signature, the same one once.
  mutating func check(_ signed: SignedBytes, by key: PublicKeyInfo) throws(BackendError) -> SignatureCheck {
    #if STEELPIN_MUTATIONS
      if Mutation.listSignature.isOn { return .valid }
    #endif
    guard signed.algorithm.allows(signed.signature) else { return .invalid([]) }
    guard signed.algorithm.isMade(by: key) else { return .unsupported([]) }
    let question = SignatureKey(message: signed.message, signature: signed.signature, key: key)
    if let known = signatures[question] { return known }
    guard remainingSignatures > 0 else { return .unsupported([]) }
    remainingSignatures -= 1
    let check = try backend.check(
      signature: signed.signature, algorithm: signed.algorithm, over: signed.message, by: key)
    signatures[question] = check
    return check
  }
}

// MARK: - Words

extension RevocationChecker {
  private var unknownDetail: String {
    switch policy.mode {
    case .staple where evidence.staple == .notSent: "the server stapled no response"
    case .staple: "no stapled response tells the certificate's status"
    default: "no current response or list tells the certificate's status for every reason"
    }
  }

  /// RFC 7633 4.3.1: a client that asked must not go on without a response that is good. Without a handshake nobody
  /// asked.
  private func missingStaple(_ answer: RevocationAnswer) -> Finding? {
    if case .revoked = answer { return nil }
    switch evidence.staple {
    case .notSent:
      return Finding(.stapleMissing, depth: 0, detail: "the certificate says must-staple, but no response was stapled")
    case .response:
      let detail = "the certificate says must-staple, but the stapled response does not prove it good"
      return Finding(.stapleMissing, depth: 0, detail: detail)
    case .unknown: return nil
    }
  }
}

extension RevocationAnswer {
  /// Whether another source can still change it: one may prove revoked what another holds for good.
  var isOpen: Bool {
    if case .revoked = self { false } else { true }
  }

  /// The graver of two answers.
  func joined(_ other: RevocationAnswer) -> RevocationAnswer {
    switch (self, other) {
    case (.revoked, _), (.good, .undetermined): self
    default: other
    }
  }
}

extension Certificate {
  /// Whether the server must staple an OCSP response for it: TLS feature 5, status_request (RFC 7633).
  var requiresStaple: Bool {
    #if STEELPIN_MUTATIONS
      if Mutation.mustStaple.isOn { return false }
    #endif
    return decoded.tlsFeatures?.contains(5) ?? false
  }
}

/// One signature over a message by a key.
struct SignatureKey: Hashable {
  let message: ArraySlice<UInt8>
  let signature: ArraySlice<UInt8>
  let key: PublicKeyInfo

  /// Hashes the signature alone, which is short; messages may be megabytes.
  func hash(into hasher: inout Hasher) { hasher.combine(signature) }
}
