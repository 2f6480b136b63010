// SPDX-License-Identifier: Apache-2.0
#if GnuTLS
  internal import CGnuTLS
  internal import Steelpin

  /// A key of GnuTLS. Unchecked because the objects are only read once they are made, as a server's credentials are by
  /// all of its sessions at a time.
  final class GnuTLSPrivateKey: PrivateKey, @unchecked Sendable {
    let publicKeyInfo: [UInt8]
    private let pkcs8Bytes: [UInt8]
    private let signer: Handle<PrivateKeyKind>

    /// Copies a key.
    init(_ key: borrowing Handle<X509PrivateKeyKind>, _ operation: String) throws(BackendError) {
      guard let signer = Handle<PrivateKeyKind>({ gnutls_privkey_init(&$0) }),
        let publicKey = Handle<PublicKeyKind>({ gnutls_pubkey_init(&$0) })
      else { throw BackendError(gnutls: GNUTLS_E_MEMORY_ERROR, operation) }
      try Self.check(
        gnutls_privkey_import_x509(signer.pointer, key.pointer, GNUTLS_PRIVKEY_IMPORT_COPY.rawValue), operation)
      try Self.check(gnutls_pubkey_import_privkey(publicKey.pointer, signer.pointer, 0, 0), operation)
      let info = Datum.take { gnutls_pubkey_export2(publicKey.pointer, GNUTLS_X509_FMT_DER, &$0) }
      try Self.check(info.code, operation)
      let pkcs8 = Datum.take {
        gnutls_x509_privkey_export2_pkcs8(key.pointer, GNUTLS_X509_FMT_DER, nil, GNUTLS_PKCS_PLAIN.rawValue, &$0)
      }
      try Self.check(pkcs8.code, operation)
      self.publicKeyInfo = info.bytes
      self.pkcs8Bytes = pkcs8.bytes
      self.signer = signer
    }

    func pkcs8() throws(BackendError) -> [UInt8] { pkcs8Bytes }

    func sign(_ message: [UInt8], _ algorithm: SignatureAlgorithm) throws(BackendError) -> [UInt8] {
      let operation = "sign with \(algorithm)"
      let isPSSKey = gnutls_privkey_get_pk_algorithm(signer.pointer, nil) == GNUTLS_PK_RSA_PSS.rawValue
      guard let native = algorithm.native(isPSSKey: isPSSKey) else {
        throw BackendError(gnutls: GNUTLS_E_UNSUPPORTED_SIGNATURE_ALGORITHM, operation)
      }
      let signature = Datum.lend(message) { data in
        Datum.take { gnutls_privkey_sign_data2(signer.pointer, native, 0, &data, &$0) }
      }
      try Self.check(signature.code, operation)
      return signature.bytes
    }

    private static func check(_ code: CInt, _ operation: String) throws(BackendError) {
      guard code >= 0 else { throw BackendError(gnutls: code, operation) }
    }
  }

  extension SignatureAlgorithm {
    /// The library's algorithm; it has two names for PSS, by the kind of key, and none for PSS with SHA-1.
    fileprivate func native(isPSSKey: Bool) -> gnutls_sign_algorithm_t? {
      switch self {
      case .ecdsa(.sha1): GNUTLS_SIGN_ECDSA_SHA1
      case .ecdsa(.sha256): GNUTLS_SIGN_ECDSA_SHA256
      case .ecdsa(.sha384): GNUTLS_SIGN_ECDSA_SHA384
      case .ecdsa(.sha512): GNUTLS_SIGN_ECDSA_SHA512
      case .ed25519: GNUTLS_SIGN_EDDSA_ED25519
      case .ed448: GNUTLS_SIGN_EDDSA_ED448
      case .rsaPKCS1(.sha1): GNUTLS_SIGN_RSA_SHA1
      case .rsaPKCS1(.sha256): GNUTLS_SIGN_RSA_SHA256
      case .rsaPKCS1(.sha384): GNUTLS_SIGN_RSA_SHA384
      case .rsaPKCS1(.sha512): GNUTLS_SIGN_RSA_SHA512
      case .rsaPSS(.sha1): nil
      case .rsaPSS(.sha256): isPSSKey ? GNUTLS_SIGN_RSA_PSS_SHA256 : GNUTLS_SIGN_RSA_PSS_RSAE_SHA256
      case .rsaPSS(.sha384): isPSSKey ? GNUTLS_SIGN_RSA_PSS_SHA384 : GNUTLS_SIGN_RSA_PSS_RSAE_SHA384
      case .rsaPSS(.sha512): isPSSKey ? GNUTLS_SIGN_RSA_PSS_SHA512 : GNUTLS_SIGN_RSA_PSS_RSAE_SHA512
      }
    }
  }
#endif
