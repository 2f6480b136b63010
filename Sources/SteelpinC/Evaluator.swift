// SPDX-License-Identifier: Apache-2.0
internal import CSteelpin
internal import Steelpin
internal import SteelpinConfigurations
internal import SteelpinFetch
internal import SteelpinFormats
internal import SteelpinReports

/// What is to be judged.
struct Question: Sendable {
  /// The certificates as they came, leaf first.
  let chain: [[UInt8]]
  let host: String?
  /// Seconds since 1970; nil is now.
  let time: Int64?
  /// The stapled OCSP response, empty if there was none; nil if that is not known.
  let staple: [UInt8]?
}

/// What the libraries said.
struct Answer: Sendable {
  let verdicts: [Verdict]
  let time: Timestamp

  var status: CInt {
    switch Decision(verdicts) {
    case .disagreement: STEELPIN_DISAGREEMENT.status
    case .nothing: STEELPIN_INTERNAL.status
    case .outcome(.pinMismatch): STEELPIN_PIN_MISMATCH.status
    case .outcome(.trusted): STEELPIN_TRUSTED.status
    case .outcome(.untrusted): STEELPIN_UNTRUSTED.status
    }
  }

  /// The report: what a target of `steelpin verify --json` has.
  var json: JSONValue {
    JSONSchema.document("evaluate").adding([
      "status": .integer(Int(status)), "agree": .bool(Decision(verdicts) != .disagreement),
      "verdicts": .array(verdicts.map { .verdict($0, now: time) }),
    ])
  }
}

/// A policy with those who judge by it. It never changes, so threads share it.
final class Evaluator: Sendable {
  private let policy: PolicyDocument
  private let evaluators: [any TrustBackend]
  private let evidence: RevocationEvidence

  /// Reads policy and options.
  init(policy: [UInt8], options: [UInt8]?) throws(Failure) {
    do throws(PolicyDocumentError) {
      self.policy = try PolicyDocument(json: policy)
    } catch {
      throw Failure(error)
    }
    let options = try EvaluatorOptions(options)
    let system = options.systemAnchors ?? SystemAnchors.load().anchors
    self.evaluators = try options.backends().map { $0.makeEvaluator(system.isEmpty ? nil : system) }
    self.evidence = options.evidence
  }

  /// Judges with every evaluator.
  func answer(_ question: Question) throws(Failure) -> Answer {
    let host = try Self.host(question.host)
    let time = try Self.time(question.time)
    var chain = CertificateChain(der: question.chain)
    chain.evidence = evidence(question)
    var verdicts: [Verdict] = []
    for evaluator in evaluators {
      do throws(BackendError) {
        verdicts.append(try evaluator.evaluate(chain, host: host, by: policy, at: time))
      } catch {
        throw Failure(STEELPIN_INTERNAL.status, code: "backend-failed", "\(error)", hint: "nothing was judged")
      }
    }
    return Answer(verdicts: verdicts, time: time)
  }

  /// What is at hand about revocation. The fetcher only fetches if the policy's mode is `online`, and each evaluation has
  /// its own, so that all libraries judge the same answer and nothing is kept.
  private func evidence(_ question: Question) -> RevocationEvidence {
    var evidence = evidence
    if let staple = question.staple { evidence.staple = staple.isEmpty ? .notSent : .response(staple) }
    evidence.fetcher = HTTPRevocationFetcher()
    evidence.nonce = RevocationEvidence.makeNonce()
    return evidence
  }

  private static func host(_ text: String?) throws(Failure) -> HostName? {
    guard let text else { return nil }
    do throws(HostNameError) {
      return try HostName(text)
    } catch {
      throw Failure(STEELPIN_USAGE.status, code: "host-malformed", "the host: \(error)")
    }
  }

  private static func time(_ seconds: Int64?) throws(Failure) -> Timestamp {
    guard let seconds else { return .now() }
    guard let time = Timestamp("@\(seconds)") else {
      throw .usage("the time: \(seconds) seconds since 1970 are outside the years 0 to 9999")
    }
    return time
  }
}
