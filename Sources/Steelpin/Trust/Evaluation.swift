// SPDX-License-Identifier: Apache-2.0

/// One evaluation: finds a path that a backend proves, no rule objects to, and a pin is met on.
struct Evaluation: ~Copyable {
  private let backend: any TrustBackend
  private let chain: CertificateChain
  private let host: HostName?
  private var policy: TrustPolicy
  private let time: Timestamp
  private let listsAllPaths: Bool
  private var links: LinkChecker
  /// Nil if the policy does not ask.
  private var revocation: RevocationChecker?
  /// What revocation left to say about the paths that are acceptable.
  private var warnings: [[Certificate]: [Finding]] = [:]
  private var attempts: [PathAttempt] = []
  /// What stands against the chain whatever the path.
  private var general: [Finding] = []
  /// Whether the search was given up before every path was seen.
  private var isExhausted = false

  /// With `listsAllPaths`, the search goes on after an acceptable path was found, so that all are among the attempts.
  init(
    backend: any TrustBackend, chain: CertificateChain, host: HostName?, policy: TrustPolicy, listsAllPaths: Bool
  ) {
    self.backend = backend
    self.chain = chain
    self.host = host
    self.policy = policy
    self.time = policy.time ?? .now()
    self.listsAllPaths = listsAllPaths
    self.links = LinkChecker(backend: backend, budget: backend.budget.signatureChecks)
    guard policy.revocation.mode != .off else { return }
    self.revocation = RevocationChecker(
      backend: backend, policy: policy.revocation, evidence: chain.evidence, pool: chain.certificates,
      profile: policy.profile, time: time)
  }

  mutating func run() throws(BackendError) -> Verdict {
    let leaf: Certificate
    switch chain.elements.first {
    case .certificate(let certificate): leaf = certificate
    case .malformed(_, let error):
      return unreadable(Finding(.certificateMalformed, depth: 0, detail: "the leaf cannot be read: \(error)"))
    case nil:
      return unreadable(Finding(.chainEmpty, detail: "there is no certificate to judge"))
    }
    #if STEELPIN_MUTATIONS
      if Mutation.emptyPins.isOn, policy.pinning.configured?.isEmpty == true {
        policy.pinning = .none
      }
    #endif
    if policy.pinning.configured?.isEmpty == true {
      let severity: Finding.Severity = policy.enforcement == .enforce ? .error : .warning
      general.append(
        Finding(.pinSetEmpty, severity: severity, detail: "pinning is configured without a pin, which nothing can meet")
      )
    }
    if case .unvalidated = policy.chain { return try unvalidated(leaf) }
    let (sets, system) = anchorSets()
    return try search(from: leaf, sets: sets, system: system)
  }
}

// MARK: - Search

extension Evaluation {
  /// The anchors of the policy, those that it brought first, and those of the system among them.
  private mutating func anchorSets() -> (sets: [AnchorSet], system: AnchorSet?) {
    var sets: [AnchorSet] = []
    var system: AnchorSet?
    switch policy.anchors {
    case .only(let own): sets = [own]
    case .system: system = backend.systemAnchors
    case .systemAnd(let own):
      sets = [own]
      system = backend.systemAnchors
    }
    #if STEELPIN_MUTATIONS
      if Mutation.anchorsAddSystem.isOn { system = backend.systemAnchors }
      if Mutation.anchorsOnly.isOn, !sets.isEmpty { system = nil }
      if Mutation.anchorSent.isOn { sets.append(AnchorSet(chain.certificates.filter(\.isSelfIssued))) }
      if Mutation.emptyAnchors.isOn, sets.allSatisfy(\.isEmpty), system == nil {
        sets = [AnchorSet(chain.certificates)]
      }
    #endif
    if let system {
      sets.append(system)
    } else if policy.anchors.includesSystem {
      general.append(
        Finding(
          .systemAnchorsUnavailable, severity: sets.isEmpty ? .error : .warning,
          detail: "the policy trusts the system's anchors, but none could be loaded"))
    }
    if sets.allSatisfy({ $0.isEmpty }), system != nil || !sets.isEmpty {
      general.append(Finding(.anchorsEmpty, detail: "the set of anchors is empty, so nothing can be trusted"))
    }
    return (sets, system)
  }

  private mutating func search(
    from leaf: Certificate, sets: [AnchorSet], system: AnchorSet?
  ) throws(BackendError) -> Verdict {
    let budget = backend.budget
    guard chain.octets <= budget.octets else {
      giveUp("\(chain.octets) octets of certificates were sent, more than \(budget.octets)")
      return verdict(path: [leaf], anchored: false, acceptable: false, findings: [])
    }
    var builder = PathBuilder(
      leaf: leaf, pool: chain.certificates, anchors: sets, time: time, budget: budget)
    var accepted: PathAttempt?
    var limit: String?
    while let path = builder.next() {
      guard attempts.count < budget.candidates else {
        limit = "\(attempts.count) paths to an anchor were judged, and none is acceptable"
        break
      }
      guard links.remaining > 0 else {
        limit = "\(budget.signatureChecks) signatures were checked"
        break
      }
      let own = policy.anchors.own
      let endsAtSystemAnchor = path.last.map { own?.contains($0) != true } ?? false
      let errors = try judge(path, endsAtSystemAnchor: endsAtSystemAnchor)
      for link in links.faultyLinks(of: path) { builder.exclude(subject: link.subject, issuer: link.issuer) }
      let attempt = PathAttempt(path: path, errors: errors, pin: policy.pinning.match(on: path))
      attempts.append(attempt)
      #if STEELPIN_MUTATIONS
        if Mutation.firstPathOnly.isOn, !errors.isEmpty { break }
      #endif
      guard errors.isEmpty else { continue }
      // Of several acceptable paths the first that meets a pin decides, else the first.
      if accepted == nil || accepted?.pin == nil && attempt.pin != nil { accepted = attempt }
      if !listsAllPaths, policy.pinning.configured == nil || attempt.pin != nil { break }
    }
    if let accepted {
      notePinsOnSomePaths()
      return verdict(
        path: accepted.path, anchored: true, acceptable: true, findings: warnings[accepted.path] ?? [])
    }
    if let limit = limit ?? builder.exhaustion { giveUp(limit) }
    return try refusal(leaf: leaf, deadEnd: builder.longestDeadEnd)
  }

  /// Warns if some acceptable path meets a pin and another meets none, which only shows when all paths are listed.
  private mutating func notePinsOnSomePaths() {
    guard policy.pinning.configured != nil else { return }
    let acceptable = attempts.filter(\.errors.isEmpty)
    let met = acceptable.count { $0.pin != nil }
    guard met > 0, met < acceptable.count else { return }
    general.append(
      Finding(
        .pinOnSomePaths, severity: .warning,
        detail: "a pin is met on \(met) of \(acceptable.count) acceptable paths; a client may build another"))
  }

  private mutating func giveUp(_ limit: String) {
    isExhausted = true
    general.append(exhaustion(limit))
  }

  private func exhaustion(_ limit: String) -> Finding {
    Finding(.pathBudgetExceeded, detail: "the search for a path was given up: \(limit)")
  }

  private func ruleContext(endsAtSystemAnchor: Bool) -> RuleContext {
    RuleContext(
      host: host, domain: policy.domain, profile: policy.profile, time: time, endsAtSystemAnchor: endsAtSystemAnchor,
      certificatePolicies: policy.certificatePolicies)
  }

  /// What stands against one path that ends at an anchor; empty only if the backend proved it.
  private mutating func judge(_ path: [Certificate], endsAtSystemAnchor: Bool) throws(BackendError) -> [Finding] {
    let context = ruleContext(endsAtSystemAnchor: endsAtSystemAnchor)
    let objections = CertificateRules.findings(path, reachesAnchor: true, in: context) + links.knownFaults(of: path)
    guard objections.isEmpty else { return objections }
    // Where one proof has failed, many may: the next ones are only asked for if every signature is right.
    if links.hasFaults {
      let faults = try links.faults(of: path, stopsAtFirst: true)
      guard faults.isEmpty else { return faults }
    }
    guard links.spend(on: path) else { return [exhaustion("too many signatures had to be checked")] }
    switch try backend.prove(path) {
    case .proved:
      guard let findings = try revocation?.findings(path) else { return [] }
      warnings[path] = findings.filter { $0.severity == .warning }
      return findings.filter { $0.severity == .error }
    case .refused(let native):
      #if STEELPIN_MUTATIONS
        if Mutation.proof.isOn { return [] }
      #endif
      let faults = try links.faults(of: path)
      guard faults.isEmpty else { return faults }
      return [Finding(.backendRefused, detail: "the library refuses this path", native: native)]
    }
  }

  /// The verdict when no path is acceptable: all that stands against the path that came nearest.
  private mutating func refusal(leaf: Certificate, deadEnd: [Certificate]) throws(BackendError) -> Verdict {
    if let best = attempts.min(by: { $0.errors.count < $1.errors.count }) {
      let known = Set(best.errors.map(\.code))
      let faults = try links.faults(of: best.path).filter { !known.contains($0.code) }
      return verdict(
        path: best.path, anchored: true, acceptable: false,
        findings: faults + best.errors + (warnings[best.path] ?? []))
    }
    let path = deadEnd.isEmpty ? [leaf] : deadEnd
    let context = ruleContext(endsAtSystemAnchor: false)
    // Of a search that was given up nobody knows which issuer is missing.
    var findings = isExhausted ? [] : try [unanchored(path)]
    findings += CertificateRules.findings(path, reachesAnchor: false, in: context)
    findings += try links.faults(of: path)
    return verdict(path: path, anchored: false, acceptable: false, findings: findings)
  }

  /// Why a path that could not be continued is not trusted.
  private mutating func unanchored(_ path: [Certificate]) throws(BackendError) -> Finding {
    let depth = path.count - 1
    let last = path[depth]
    let isSelfSigned = last.isSelfIssued ? try links.isSelfSigned(last) : false
    guard isSelfSigned == true else {
      return Finding(
        .issuerNotFound, depth: depth,
        detail: "its issuer (\(last.issuer)) is neither among the anchors nor among the certificates sent")
    }
    return depth == 0
      ? Finding(.selfSignedNotTrusted, depth: 0, detail: "the certificate is signed by its own key and no anchor")
      : Finding(.rootNotTrusted, depth: depth, detail: "the root (\(last.subject)) is not among the anchors")
  }
}

// MARK: - Verdicts

extension Evaluation {
  private func unreadable(_ finding: Finding) -> Verdict {
    Verdict(
      backend: backend.name, outcome: .untrusted, host: host, time: time, path: [], reachesAnchor: false,
      findings: [finding] + general, pins: nil, attempts: [])
  }

  /// The verdict of a policy that asks for no proof: the path is what the names suggest, as far as each certificate is
  /// signed by the next. A pinned certificate that was sent beside a forged leaf is on no path.
  private mutating func unvalidated(_ leaf: Certificate) throws(BackendError) -> Verdict {
    var builder = PathBuilder(
      leaf: leaf, pool: chain.certificates, anchors: [], time: time, budget: backend.budget)
    while builder.next() != nil {}
    general.append(
      Finding(
        .chainUnvalidated, severity: .warning,
        detail: "the policy asks for no proof: anchors, dates and names were not checked"))
    #if STEELPIN_MUTATIONS
      if Mutation.unsignedPath.isOn {
        return verdict(path: builder.longestDeadEnd, anchored: false, acceptable: true, findings: [])
      }
    #endif
    let path = try links.signedPart(of: builder.longestDeadEnd.isEmpty ? [leaf] : builder.longestDeadEnd)
    return verdict(path: path, anchored: false, acceptable: true, findings: [])
  }

  private func verdict(path: [Certificate], anchored: Bool, acceptable: Bool, findings: [Finding]) -> Verdict {
    var findings = general + findings
    let isTrusted = acceptable && !findings.contains { $0.severity == .error }
    var outcome: Verdict.Outcome = isTrusted ? .trusted : .untrusted
    var report: PinReport?
    if let configured = policy.pinning.configured {
      let scope = policy.pinning.scope
      #if STEELPIN_MUTATIONS
        let path = Mutation.pinsOnSent.isOn ? chain.certificates : path
      #endif
      let match = policy.pinning.match(on: path)
      let misses =
        match == nil ? PinNearMiss.find(configured, path: path, sent: chain.certificates, scope: scope) : []
      report = PinReport(
        configured: configured, scope: scope, match: isTrusted ? match : nil, nearMisses: misses)
      if match == nil, !configured.isEmpty {
        #if STEELPIN_MUTATIONS
          let policy = TrustPolicy(enforcement: Mutation.missedPin.isOn ? .reportOnly : policy.enforcement)
        #endif
        let counts = policy.enforcement == .enforce
        findings.append(
          Finding(
            .pinMismatch, severity: counts ? .error : .warning,
            detail: configured.count == 1
              ? "the configured pin is not met on the path within the scope '\(scope.rawValue)'"
              : "none of the \(configured.count) pins is met on the path within the scope '\(scope.rawValue)'"))
        if isTrusted, counts { outcome = .pinMismatch }
      }
    }
    findings += Observations.about(chain, path: path, anchored: anchored, isExhausted: isExhausted, time: time)
    let sorted =
      findings.isEmpty
      ? [] : findings.filter { $0.severity == .error } + findings.filter { $0.severity == .warning }
    return Verdict(
      backend: backend.name, outcome: outcome, host: host, time: time, path: path, reachesAnchor: anchored,
      findings: sorted, pins: report, attempts: attempts)
  }
}

extension TrustPolicy.Anchors {
  /// The anchors that the policy itself brought; nil if it brought none.
  var own: AnchorSet? {
    switch self {
    case .only(let own), .systemAnd(let own): own
    case .system: nil
    }
  }

  /// Whether the system's anchors are trusted.
  var includesSystem: Bool {
    switch self {
    case .only: false
    case .system, .systemAnd: true
    }
  }
}

extension CertificateChain {
  /// Octets of all elements together.
  var octets: Int {
    elements.reduce(0) { sum, element in
      switch element {
      case .certificate(let certificate): sum + certificate.der.count
      case .malformed(let bytes, _): sum + bytes.count
      }
    }
  }
}
