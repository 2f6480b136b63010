// SPDX-License-Identifier: Apache-2.0
internal import CHTTPShims
internal import Steelpin

/// Judges the connections of one hop under what is demanded of its host.
struct ConnectionJudge: Sendable {
  let evaluator: any TrustEvaluator
  let host: HostName
  let policy: CompositePolicy
  let evidence: RevocationEvidence
  /// What a connection that was found good bears: the number of the table, and the host.
  let stamp: String

  /// Why a connection is not used.
  enum Refusal: Error {
    /// It was judged under another table; a fresh one may do better.
    case outdated(PinningFailure.Reason)
    case refused(PinningFailure.Reason)

    var reason: PinningFailure.Reason {
      switch self {
      case .outdated(let reason), .refused(let reason): reason
      }
    }
  }

  init(
    evaluator: any TrustEvaluator, host: HostName, policy: CompositePolicy, evidence: RevocationEvidence, table: UInt64
  ) {
    self.evaluator = evaluator
    self.host = host
    self.policy = policy
    self.evidence = evidence
    self.stamp = "\(table) \(host)"
  }

  /// Judges during the handshake. Where the staple that the policy asks for is still to come, the handshake goes on
  /// without a stamp, and the chain is judged before the request is sent.
  func judge(_ connection: UnsafeMutableRawPointer, _ chain: chttp_chain) throws(Refusal) {
    if chain.knows_staple == 0, policy.asksForStaple { return }
    try judgeChain(connection, chain)
  }

  /// Makes sure, before a request is sent, that the connection was judged under this table for this host.
  func admit(_ connection: UnsafeMutableRawPointer?) throws(Refusal) {
    guard let connection else { throw .refused(.notJudged("there is no TLS connection to judge")) }
    let old = chttp_stamp(connection).map { String(cString: $0) }
    guard old != stamp else { return }
    var question = Question(judge: self, connection: connection)
    let hasChain = withUnsafeMutablePointer(to: &question) { question in
      chttp_with_chain(
        connection,
        { user, chain in
          guard let question = user?.assumingMemoryBound(to: Question.self), let chain else { return 0 }
          question.pointee.answer = Result { () throws(Refusal) in
            try question.pointee.judge.judgeChain(question.pointee.connection, chain.pointee)
          }
          return 1
        }, question)
    }
    do throws(Refusal) {
      guard hasChain == 1, let answer = question.answer else {
        throw .refused(.notJudged("the connection has no chain to judge"))
      }
      try answer.get()
    } catch {
      throw old == nil ? error : .outdated(error.reason)
    }
  }

  private struct Question {
    let judge: ConnectionJudge
    let connection: UnsafeMutableRawPointer
    var answer: Result<Void, Refusal>?
  }

  private func judgeChain(_ connection: UnsafeMutableRawPointer, _ chain: chttp_chain) throws(Refusal) {
    var served = CertificateChain(
      der: (0..<chain.count).map { Array(UnsafeBufferPointer(start: chain.der[$0], count: chain.lengths[$0])) })
    served.evidence = evidence
    if let staple = chain.staple {
      served.evidence.staple = .response(Array(UnsafeBufferPointer(start: staple, count: chain.staple_length)))
    } else if chain.knows_staple == 1 {
      served.evidence.staple = .notSent
    }
    let verdict: Verdict
    do throws(BackendError) {
      verdict = try evaluator.evaluate(served, host: host, by: policy)
    } catch {
      throw .refused(.backend(error))
    }
    guard verdict.isTrusted else { throw .refused(.verdict(verdict)) }
    guard chttp_set_stamp(connection, stamp) == 1 else { throw .refused(.notJudged("out of memory")) }
  }
}

extension CompositePolicy {
  /// Whether a part looks at what the server staples.
  fileprivate var asksForStaple: Bool {
    switch self {
    case .all(let parts), .any(let parts): parts.contains(where: \.asksForStaple)
    case .forHost(_, let part): part.asksForStaple
    case .policy(let policy): policy.revocation.mode != .off
    case .refuse: false
    }
  }
}
