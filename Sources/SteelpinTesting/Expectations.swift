// SPDX-License-Identifier: Apache-2.0
@_exported public import Steelpin
@_exported public import SteelpinMatrix

#if GnuTLS
  internal import SteelpinGnuTLS
#endif
#if OpenSSL
  internal import SteelpinOpenSSL
#endif

/// Judges a chain with every library of the build, which must agree that it is trusted; returns the verdict of the first.
///
/// The moment is that of the policy, or now. Throws ``TestFailure`` with what was found if it is not trusted.
@discardableResult
public func expectTrusted(
  _ chain: CertificateChain, host: String?, by policy: TrustPolicy
) throws(TestFailure) -> Verdict {
  let verdicts = try judge(chain, host, policy)
  for verdict in verdicts where !verdict.isTrusted {
    throw TestFailure("\(subject(host)) must be trusted, but \(verdict.backend) says \(words(verdict))")
  }
  return verdicts[0]
}

/// Judges a chain with every library of the build, which must agree to reject it for a reason; returns the verdict of
/// the first. A pin that is not met has the code `pin-mismatch`.
///
/// Throws ``TestFailure`` with what was found if it is trusted, or rejected for other reasons alone.
@discardableResult
public func expectRejected(
  _ chain: CertificateChain, host: String?, by policy: TrustPolicy, code: FindingCode
) throws(TestFailure) -> Verdict {
  let verdicts = try judge(chain, host, policy)
  for verdict in verdicts where verdict.isTrusted || !verdict.errors.contains(where: { $0.code == code }) {
    throw TestFailure(
      "\(subject(host)) must be rejected with '\(code.rawValue)', but \(verdict.backend) says \(words(verdict))")
  }
  return verdicts[0]
}

/// A small public-key infrastructure with the keys of the build's first library.
///
/// Throws ``TestFailure`` if the library cannot make the keys, or if the build has no library.
public func makeLab(clock: Timestamp = .now(), kind: KeyKind = .ecdsa(bits: 256)) throws(TestFailure) -> Lab {
  guard let provider = keyProvider else { throw TestFailure("this build has no library: use a trait") }
  do throws(RecipeError) {
    return try Lab(provider, clock: clock, kind: kind)
  } catch {
    throw TestFailure("the keys cannot be made: \(error)")
  }
}

private let keyProvider: (any KeyProvider)? = {
  #if OpenSSL
    OpenSSLKeyProvider()
  #elseif GnuTLS
    GnuTLSKeyProvider()
  #else
    nil
  #endif
}()

private let evaluators: [any TrustEvaluator] = {
  var evaluators: [any TrustEvaluator] = []
  #if OpenSSL
    evaluators.append(OpenSSLTrustEvaluator())
  #endif
  #if GnuTLS
    evaluators.append(GnuTLSTrustEvaluator())
  #endif
  return evaluators
}()

/// The verdicts of all libraries, at least one, which agree.
private func judge(
  _ chain: CertificateChain, _ host: String?, _ policy: TrustPolicy
) throws(TestFailure) -> [Verdict] {
  var policy = policy
  policy.time = policy.time ?? .now()
  var verdicts: [Verdict] = []
  do {
    let name = try host.map { try HostName($0) }
    for evaluator in evaluators { verdicts.append(try evaluator.evaluate(chain, host: name, policy: policy)) }
  } catch {
    throw TestFailure("\(subject(host)) cannot be judged: \(error)")
  }
  guard let first = verdicts.first else { throw TestFailure("this build has no library: use a trait") }
  for verdict in verdicts where !first.agrees(with: verdict) {
    throw TestFailure(
      "the libraries disagree about \(subject(host)): \(first.backend) says \(words(first)), "
        + "\(verdict.backend) says \(words(verdict))")
  }
  return verdicts
}

private func subject(_ host: String?) -> String { host.map { "the chain for '\($0)'" } ?? "the chain" }

private func words(_ verdict: Verdict) -> String {
  let errors = verdict.errors.map { "\($0.code.rawValue): \($0.detail)" }
  return ([verdict.outcome.rawValue] + errors).joined(separator: ", ")
}
