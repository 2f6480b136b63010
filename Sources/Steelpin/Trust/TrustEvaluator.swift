// SPDX-License-Identifier: Apache-2.0

/// Judges certificate chains. Evaluators of different backends are interchangeable: the same chain, host and policy
/// give the same verdict with the same codes.
public protocol TrustEvaluator: Sendable {
  /// The name that `--backend` takes, as in `openssl`.
  var name: String { get }

  /// Judges a chain as served under a policy.
  ///
  /// The host is compared only if the policy's domain validation is `.ssl`. Throws ``BackendError`` only if the library
  /// could not work; whatever is wrong with a certificate is in the verdict.
  func evaluate(_ chain: CertificateChain, host: HostName?, policy: TrustPolicy) throws(BackendError) -> Verdict
}

/// What a library has to do to be an evaluator: prove one exact path, and check one signature. Building paths, matching
/// names, rules, pins and the last word are the same code for all.
public protocol TrustBackend: TrustEvaluator {
  /// The anchors that `.system` means; nil if they were not loaded, so that such a policy trusts nothing.
  var systemAnchors: AnchorSet? { get }

  /// How much work an evaluation may do.
  var budget: PathBudget { get }

  /// Asks the library whether a path, leaf first and ending at a certificate that is trusted as it is, is proved.
  ///
  /// Dates, host, purpose, revocation and the strength of algorithms are not the library's to judge here.
  func prove(_ path: [Certificate]) throws(BackendError) -> PathProof

  /// Asks the library whether a signature over some bytes was made by the owner of a key.
  func check(
    signature: ArraySlice<UInt8>, algorithm: AlgorithmIdentifier, over message: ArraySlice<UInt8>, by key: PublicKeyInfo
  ) throws(BackendError) -> SignatureCheck
}

/// What a library said of a path.
public enum PathProof: Sendable, Hashable {
  /// The path is proved.
  case proved
  /// The path is refused, with the library's reasons.
  case refused([NativeCode])
}

/// What a library said of a signature.
public enum SignatureCheck: Sendable, Hashable {
  /// It was not made by the key over these bytes.
  case invalid([NativeCode])
  /// The library does not know the algorithm, or it does not fit the key.
  case unsupported([NativeCode])
  /// It was made by the key over these bytes.
  case valid
}

extension TrustBackend {
  /// Judges a chain as served under a policy.
  public func evaluate(_ chain: CertificateChain, host: HostName?, policy: TrustPolicy) throws(BackendError) -> Verdict
  {
    var evaluation = Evaluation(backend: self, chain: chain, host: host, policy: policy, listsAllPaths: false)
    return try evaluation.run()
  }

  /// Judges a chain as `evaluate(_:host:policy:)` does, and goes on to judge every path within the budget, so that
  /// all acceptable ones are among the verdict's attempts, each with the pin that it meets.
  public func evaluateAllPaths(
    _ chain: CertificateChain, host: HostName?, policy: TrustPolicy
  ) throws(BackendError) -> Verdict {
    var evaluation = Evaluation(backend: self, chain: chain, host: host, policy: policy, listsAllPaths: true)
    return try evaluation.run()
  }
}
