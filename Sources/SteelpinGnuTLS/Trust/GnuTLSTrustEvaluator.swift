// SPDX-License-Identifier: Apache-2.0
#if GnuTLS
  internal import CGnuTLS
  public import Steelpin

  /// Judges chains with GnuTLS. Safe to share among threads; what one evaluation decodes and proves helps the next.
  public struct GnuTLSTrustEvaluator: TrustBackend {
    /// `gnutls`.
    public let name = "gnutls"
    /// The anchors that `.system` means; nil if they were not loaded.
    public let systemAnchors: AnchorSet?
    /// How much work an evaluation may do.
    public let budget: PathBudget
    private let proofs: ProofCache
    private let decoded: GnuTLSObjects

    /// An evaluator with the given system anchors. `cachedProofs` bounds how many paths that were proved are remembered,
    /// so that the library is not asked again; 0 asks it every time. `cachedLeaves` bounds how many decoded leaves are
    /// kept; 0 keeps none.
    public init(
      systemAnchors: AnchorSet? = nil, budget: PathBudget = PathBudget(), cachedProofs: Int = 512,
      cachedLeaves: Int = 64
    ) {
      self.systemAnchors = systemAnchors
      self.budget = budget
      self.proofs = ProofCache(capacity: cachedProofs)
      self.decoded = GnuTLSObjects(leaves: cachedLeaves)
    }

    /// Proves a path with gnutls_x509_crt_list_verify, whose only authority is the path's last certificate.
    public func prove(_ path: [Certificate]) throws(BackendError) -> PathProof {
      try proofs.proof(of: path) { path throws(BackendError) in
        let verification = PathVerification(decoded)
        guard LinkedPath.isLeftToLinks(path) else { return try verification.prove(path) }
        if let refusal = verification.refusalToDecode(path) { return refusal }
        return try proveSignatures(of: path)
      }
    }

    /// Checks a signature with gnutls_pubkey_verify_data2.
    public func check(
      signature: ArraySlice<UInt8>, algorithm: AlgorithmIdentifier, over message: ArraySlice<UInt8>,
      by key: PublicKeyInfo
    ) throws(BackendError) -> SignatureCheck {
      SignatureVerification(decoded).check(signature, algorithm, over: message, by: key)
    }
  }
#endif
