// SPDX-License-Identifier: Apache-2.0
#if GnuTLS
  internal import CGnuTLS
  public import Steelpin

  /// Private keys made by GnuTLS.
  public struct GnuTLSKeyProvider: KeyProvider {
    /// A provider; it has no state.
    public init() {}

    /// Generates a key with the library's own random generator.
    ///
    /// Throws a `BackendError` if the library has no such curve, or for an RSA modulus of fewer than 512 or more than
    /// 16,384 bits.
    public func generateKey(_ kind: KeyKind) throws(BackendError) -> any PrivateKey {
      let operation = "generate a key"
      guard let bits = kind.bits else {
        throw BackendError(gnutls: GNUTLS_E_INVALID_REQUEST, operation)
      }
      guard let key = Handle<X509PrivateKeyKind>({ gnutls_x509_privkey_init(&$0) }) else {
        throw BackendError(gnutls: GNUTLS_E_MEMORY_ERROR, operation)
      }
      let code = gnutls_x509_privkey_generate(key.pointer, kind.algorithm, bits, 0)
      guard code >= 0 else { throw BackendError(gnutls: code, operation) }
      return try GnuTLSPrivateKey(key, operation)
    }

    /// Reads an unencrypted PKCS#8 key.
    public func importKey(pkcs8: [UInt8]) throws(BackendError) -> any PrivateKey {
      let operation = "read a PKCS#8 key"
      guard let key = Handle<X509PrivateKeyKind>({ gnutls_x509_privkey_init(&$0) }) else {
        throw BackendError(gnutls: GNUTLS_E_MEMORY_ERROR, operation)
      }
      let code = Datum.lend(pkcs8) {
        gnutls_x509_privkey_import_pkcs8(key.pointer, &$0, GNUTLS_X509_FMT_DER, nil, GNUTLS_PKCS_PLAIN.rawValue)
      }
      guard code >= 0 else { throw BackendError(gnutls: code, operation) }
      return try GnuTLSPrivateKey(key, operation)
    }
  }

  extension KeyKind {
    fileprivate var algorithm: gnutls_pk_algorithm_t {
      switch self {
      case .ecdsa: GNUTLS_PK_ECDSA
      case .ed25519: GNUTLS_PK_EDDSA_ED25519
      case .ed448: GNUTLS_PK_EDDSA_ED448
      case .rsa: GNUTLS_PK_RSA
      case .rsaPSS: GNUTLS_PK_RSA_PSS
      }
    }

    /// The size or, with the highest bit set, the curve (GNUTLS_CURVE_TO_BITS); nil if there is no such key.
    fileprivate var bits: UInt32? {
      func curve(_ curve: gnutls_ecc_curve_t) -> UInt32 { 1 << 31 | curve.rawValue }
      return switch self {
      case .ecdsa(256): curve(GNUTLS_ECC_CURVE_SECP256R1)
      case .ecdsa(384): curve(GNUTLS_ECC_CURVE_SECP384R1)
      case .ecdsa(521): curve(GNUTLS_ECC_CURVE_SECP521R1)
      case .ecdsa: nil
      case .ed25519: curve(GNUTLS_ECC_CURVE_ED25519)
      case .ed448: curve(GNUTLS_ECC_CURVE_ED448)
      case .rsa(let bits), .rsaPSS(let bits): Self.rsaSizes ~= bits ? UInt32(clamping: bits) : nil
      }
    }
  }

  enum X509PrivateKeyKind: HandleKind {
    static func free(_ pointer: OpaquePointer) { gnutls_x509_privkey_deinit(pointer) }
  }
  enum PrivateKeyKind: HandleKind { static func free(_ pointer: OpaquePointer) { gnutls_privkey_deinit(pointer) } }
#endif
