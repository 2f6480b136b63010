// SPDX-License-Identifier: Apache-2.0
#if OpenSSL
  internal import COpenSSL
  internal import COpenSSLShims
  public import Steelpin

  /// Judges chains with libcrypto. Safe to share among threads; what one evaluation decodes and proves helps the next.
  public struct OpenSSLTrustEvaluator: TrustBackend {
    /// `openssl`.
    public let name = "openssl"
    /// The anchors that `.system` means; nil if they were not loaded.
    public let systemAnchors: AnchorSet?
    /// How much work an evaluation may do.
    public let budget: PathBudget
    private let proofs: ProofCache
    private let decoded: OpenSSLObjects

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
      self.decoded = OpenSSLObjects(leaves: cachedLeaves)
    }

    /// Proves a path with X509_verify_cert, whose store is the path's last certificate alone.
    public func prove(_ path: [Certificate]) throws(BackendError) -> PathProof {
      try proofs.proof(of: path) { path throws(BackendError) in
        let isLeftToLinks =
          path.inheritsParameters || path.hasNamesOfSeveralSpellings || path.hasSelfIssuedIntermediate
        if !isLeftToLinks, let proof = try PathVerification(decoded).prove(path) { return proof }
        return try proveSignatures(of: path)
      }
    }

    /// Checks a signature with ASN1_item_verify. The message must be one DER value.
    public func check(
      signature: ArraySlice<UInt8>, algorithm: AlgorithmIdentifier, over message: ArraySlice<UInt8>,
      by key: PublicKeyInfo
    ) throws(BackendError) -> SignatureCheck {
      ErrorQueue.clear()
      let object: DecodedKey
      do throws(DecodingRefusal) { object = try decoded.key(key) } catch { return .unsupported(error.codes) }
      let result = object.withPointer { key in
        algorithm.encoded.withUnsafeBufferPointer { algorithm in
          message.withUnsafeBufferPointer { message in
            signature.withUnsafeBufferPointer { signature in
              cossl_verify(
                key, algorithm.baseAddress, algorithm.count, message.baseAddress, message.count, signature.baseAddress,
                signature.count)
            }
          }
        }
      }
      switch result {
      case 1: return .valid
      case 0: return .invalid(ErrorQueue.drain())
      default: return .unsupported(ErrorQueue.drain())
      }
    }
  }
#endif
