// SPDX-License-Identifier: Apache-2.0
#if OpenSSL
  internal import COpenSSL
  public import Steelpin

  /// Private keys made by libcrypto in the process's default library context.
  public struct OpenSSLKeyProvider: KeyProvider {
    /// A provider; it has no state.
    public init() {}

    /// Generates a key with the library's own random generator.
    ///
    /// Throws a `BackendError` if the library has no such curve, or for an RSA modulus of fewer than 512 or more than
    /// 16,384 bits.
    public func generateKey(_ kind: KeyKind) throws(BackendError) -> any PrivateKey {
      ErrorQueue.clear()
      let operation = "generate a key"
      guard let context = Handle<EVPKeyContextKind>(adopting: EVP_PKEY_CTX_new_from_name(nil, kind.algorithm, nil)),
        EVP_PKEY_keygen_init(context.pointer) > 0, kind.configure(context.pointer)
      else { throw ErrorQueue.error(operation) }
      var generated: OpaquePointer?
      guard EVP_PKEY_generate(context.pointer, &generated) > 0 else { throw ErrorQueue.error(operation) }
      return try OpenSSLPrivateKey(adopting: generated, operation)
    }

    /// Reads an unencrypted PKCS#8 key; bytes after its end are an error.
    public func importKey(pkcs8: [UInt8]) throws(BackendError) -> any PrivateKey {
      ErrorQueue.clear()
      let operation = "read a PKCS#8 key"
      guard let info = DERExchange.decode(pkcs8, as: PKCS8Kind.self, d2i_PKCS8_PRIV_KEY_INFO) else {
        throw ErrorQueue.error(operation)
      }
      return try OpenSSLPrivateKey(adopting: EVP_PKCS82PKEY(info.pointer), operation)
    }
  }

  extension KeyKind {
    /// The name of the library's key manager.
    fileprivate var algorithm: String {
      switch self {
      case .ecdsa: "EC"
      case .ed25519: "ED25519"
      case .ed448: "ED448"
      case .rsa: "RSA"
      case .rsaPSS: "RSA-PSS"
      }
    }

    /// Sets the curve or the size; false if the library has no such key.
    fileprivate func configure(_ context: OpaquePointer) -> Bool {
      switch self {
      case .ecdsa(let bits): EVP_PKEY_CTX_set_group_name(context, "P-\(bits)") > 0
      case .ed25519, .ed448: true
      case .rsa(let bits), .rsaPSS(let bits):
        Self.rsaSizes ~= bits && EVP_PKEY_CTX_set_rsa_keygen_bits(context, CInt(clamping: bits)) > 0
      }
    }
  }

  enum EVPKeyContextKind: HandleKind { static func free(_ pointer: OpaquePointer) { EVP_PKEY_CTX_free(pointer) } }
  enum PKCS8Kind: HandleKind { static func free(_ pointer: OpaquePointer) { PKCS8_PRIV_KEY_INFO_free(pointer) } }
#endif
