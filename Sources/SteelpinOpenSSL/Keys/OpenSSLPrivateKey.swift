// SPDX-License-Identifier: Apache-2.0
#if OpenSSL
  internal import COpenSSL
  internal import Steelpin

  /// A key of libcrypto. Unchecked because an EVP_PKEY is only read here once it is made, which the library allows from
  /// any number of threads at a time (openssl-threads(7)); every signature has a context of its own.
  final class OpenSSLPrivateKey: PrivateKey, @unchecked Sendable {
    let publicKeyInfo: [UInt8]
    private let handle: Handle<EVPKeyKind>

    /// Takes ownership of what the library made; NULL is an error of the operation.
    init(adopting pointer: OpaquePointer?, _ operation: String) throws(BackendError) {
      guard let handle = Handle<EVPKeyKind>(adopting: pointer),
        let info = DERExchange.encode(handle.pointer, i2d_PUBKEY)
      else { throw ErrorQueue.error(operation) }
      self.handle = handle
      self.publicKeyInfo = info
    }

    func pkcs8() throws(BackendError) -> [UInt8] {
      ErrorQueue.clear()
      guard let info = Handle<PKCS8Kind>(adopting: EVP_PKEY2PKCS8(handle.pointer)),
        let bytes = DERExchange.encode(info.pointer, i2d_PKCS8_PRIV_KEY_INFO)
      else { throw ErrorQueue.error("write a key as PKCS#8") }
      return bytes
    }

    func sign(_ message: [UInt8], _ algorithm: SignatureAlgorithm) throws(BackendError) -> [UInt8] {
      ErrorQueue.clear()
      let operation = "sign with \(algorithm)"
      // An RSA key would sign for ECDSA's or EdDSA's name as happily: the digest is all that the library is told.
      guard algorithm.fits(handle.pointer) else {
        throw BackendError(backend: "openssl", operation: operation + ", as the key is of another kind", native: [])
      }
      guard let context = Handle<DigestContextKind>(adopting: EVP_MD_CTX_new()) else {
        throw ErrorQueue.error(operation)
      }
      var keyContext: OpaquePointer?
      guard
        EVP_DigestSignInit_ex(context.pointer, &keyContext, algorithm.digestName, nil, nil, handle.pointer, nil) > 0
      else { throw ErrorQueue.error(operation) }
      if case .rsaPSS = algorithm {
        guard EVP_PKEY_CTX_set_rsa_padding(keyContext, RSA_PKCS1_PSS_PADDING) > 0,
          EVP_PKEY_CTX_set_rsa_pss_saltlen(keyContext, RSA_PSS_SALTLEN_DIGEST) > 0
        else { throw ErrorQueue.error(operation) }
      }
      var count = 0
      guard EVP_DigestSign(context.pointer, nil, &count, message, message.count) > 0 else {
        throw ErrorQueue.error(operation)
      }
      var succeeded = false
      let signature = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
        succeeded = EVP_DigestSign(context.pointer, buffer.baseAddress, &count, message, message.count) > 0
        initialized = succeeded ? count : 0
      }
      guard succeeded else { throw ErrorQueue.error(operation) }
      return signature
    }
  }

  extension SignatureAlgorithm {
    /// Whether a key can sign this way at all; id-RSASSA-PSS keys refuse PKCS#1 (RFC 4055 1.2).
    fileprivate func fits(_ key: OpaquePointer) -> Bool {
      let names: [String] =
        switch self {
        case .ecdsa: ["EC"]
        case .ed25519: ["ED25519"]
        case .ed448: ["ED448"]
        case .rsaPKCS1: ["RSA"]
        case .rsaPSS: ["RSA", "RSA-PSS"]
        }
      return names.contains { EVP_PKEY_is_a(key, $0) == 1 }
    }

    /// The library's name of the digest; nil where the algorithm has its own.
    fileprivate var digestName: String? {
      switch self {
      case .ed25519, .ed448: nil
      case .ecdsa(let hash), .rsaPKCS1(let hash), .rsaPSS(let hash):
        switch hash {
        case .sha1: "SHA1"
        case .sha256: "SHA256"
        case .sha384: "SHA384"
        case .sha512: "SHA512"
        }
      }
    }
  }

  enum DigestContextKind: HandleKind { static func free(_ pointer: OpaquePointer) { EVP_MD_CTX_free(pointer) } }
#endif
