// SPDX-License-Identifier: Apache-2.0

extension TrustEvaluator {
  /// Judges a chain as served under what a source demands of the host: a table of hosts, a composite policy, or the
  /// rules of another system.
  ///
  /// The verdict is that of the part which decides: the first of `all` that refuses, else the last; the first of `any`
  /// that trusts, else one that only misses a pin, else the last. `time` is the moment at which parts without a time of
  /// their own are judged, and at which pins expire; nil is now. Throws ``BackendError`` only if the library could not
  /// work.
  public func evaluate(
    _ chain: CertificateChain, host: HostName?, by source: some PolicySource, at time: Timestamp? = nil
  ) throws(BackendError) -> Verdict {
    let time = time ?? .now()
    return try evaluate(chain, host: host, part: source.policy(for: host, at: time).at(time), time: time)
  }

  private func evaluate(
    _ chain: CertificateChain, host: HostName?, part: CompositePolicy, time: Timestamp
  ) throws(BackendError) -> Verdict {
    #if STEELPIN_MUTATIONS
      if Mutation.allIsAny.isOn, case .all(let parts) = part {
        return try evaluate(chain, host: host, part: .any(parts), time: time)
      }
    #endif
    switch part {
    case .all(let parts):
      var last: Verdict?
      for part in parts {
        let verdict = try evaluate(chain, host: host, part: part, time: time)
        guard verdict.isTrusted else { return verdict }
        last = verdict
      }
      return last ?? refused(chain, host, .contradiction, time)
    case .any(let parts):
      var nearest: Verdict?
      for part in parts {
        let verdict = try evaluate(chain, host: host, part: part, time: time)
        if verdict.isTrusted { return verdict }
        if nearest?.outcome != .pinMismatch { nearest = verdict }
      }
      return nearest ?? refused(chain, host, .contradiction, time)
    case .forHost(let other, let part):
      // The connection is still one to the host that was asked for, whatever name its certificate was compared with.
      return try evaluate(chain, host: other, part: part, time: time).about(host)
    case .policy(let policy): return try evaluate(chain, host: host, policy: policy)
    case .refuse(let refusal): return refused(chain, host, refusal, time)
    }
  }

  private func refused(
    _ chain: CertificateChain, _ host: HostName?, _ refusal: CompositePolicy.Refusal, _ time: Timestamp
  ) -> Verdict {
    var path: [Certificate] = []
    if case .certificate(let leaf) = chain.elements.first { path = [leaf] }
    return Verdict(
      backend: name, outcome: .untrusted, host: host, time: time, path: path, reachesAnchor: false,
      findings: [refusal.finding], pins: nil, attempts: [])
  }
}

extension Verdict {
  fileprivate func about(_ host: HostName?) -> Verdict {
    Verdict(
      backend: backend, outcome: outcome, host: host, time: time, path: path, reachesAnchor: reachesAnchor,
      findings: findings, pins: pins, attempts: attempts)
  }
}

extension CompositePolicy.Refusal {
  fileprivate var finding: Finding {
    switch self {
    case .contradiction:
      Finding(
        .policyContradiction, detail: "the settings of the policy contradict each other, so it refuses every server")
    case .emptyPins:
      Finding(.pinSetEmpty, detail: "pinning is configured without a pin, which nothing can meet")
    case .host:
      Finding(.hostNotAllowed, detail: "the policy does not allow connections to this host")
    }
  }
}
