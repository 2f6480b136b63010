// SPDX-License-Identifier: Apache-2.0
#if GnuTLS
  internal import CGnuTLS
  internal import Steelpin

  /// Checks one signature with gnutls_pubkey_verify_data2.
  struct SignatureVerification {
    private let decoded: GnuTLSObjects

    init(_ decoded: GnuTLSObjects) { self.decoded = decoded }

    func check(
      _ signature: ArraySlice<UInt8>, _ algorithm: AlgorithmIdentifier, over message: ArraySlice<UInt8>,
      by info: PublicKeyInfo
    ) -> SignatureCheck {
      if algorithm.algorithm == .rsaPSS { return checkPSS(signature, algorithm, over: message, by: info) }
      let scheme = gnutls_oid_to_sign(algorithm.algorithm.description)
      guard scheme != GNUTLS_SIGN_UNKNOWN else { return .unsupported([]) }
      let key: DecodedKey
      do throws(DecodingRefusal) { key = try decoded.key(info) } catch { return .unsupported(error.codes) }
      return key.withPointer { verify($0, signature, scheme, over: message) }
    }

    /// The parameters of PSS stand in the signature's algorithm (RFC 4055 3.1); GnuTLS takes them from the key, so that
    /// a key of its own, not the cached one, is given them.
    private func checkPSS(
      _ signature: ArraySlice<UInt8>, _ algorithm: AlgorithmIdentifier, over message: ArraySlice<UInt8>,
      by info: PublicKeyInfo
    ) -> SignatureCheck {
      guard let parameters = RSAPSSParameters(algorithm), parameters.hash == parameters.maskHash,
        let (scheme, digest) = Self.pss(parameters.hash), Self.allows(info, parameters)
      else { return .unsupported([]) }
      let key: DecodedKey
      do throws(DecodingRefusal) { key = try DecodedKey.decode(info) } catch { return .unsupported(error.codes) }
      guard let spki = Handle<SPKIKind>({ gnutls_x509_spki_init(&$0) }) else { return .unsupported([]) }
      gnutls_x509_spki_set_rsa_pss_params(spki.pointer, digest, UInt32(parameters.saltLength))
      return key.withPointer { key in
        let code = gnutls_pubkey_set_spki(key, spki.pointer, 0)
        guard code >= 0 else { return .unsupported([NativeCode(gnutls: code)]) }
        return verify(key, signature, scheme, over: message)
      }
    }

    private func verify(
      _ key: OpaquePointer, _ signature: ArraySlice<UInt8>, _ scheme: gnutls_sign_algorithm_t,
      over message: ArraySlice<UInt8>
    ) -> SignatureCheck {
      let algorithm = gnutls_pk_algorithm_t(rawValue: UInt32(bitPattern: gnutls_pubkey_get_pk_algorithm(key, nil)))
      guard gnutls_sign_supports_pk_algorithm(scheme, algorithm) != 0 else { return .unsupported([]) }
      let code = Datum.lend(Array(message)) { message in
        Datum.lend(Array(signature)) { signature in
          gnutls_pubkey_verify_data2(key, scheme, VerifyFlags.anyStrength, &message, &signature)
        }
      }
      return code >= 0 ? .valid : .invalid([NativeCode(gnutls: code)])
    }

    private static func pss(_ hash: OID) -> (gnutls_sign_algorithm_t, gnutls_digest_algorithm_t)? {
      switch hash {
      case .sha256: (GNUTLS_SIGN_RSA_PSS_SHA256, GNUTLS_DIG_SHA256)
      case .sha384: (GNUTLS_SIGN_RSA_PSS_SHA384, GNUTLS_DIG_SHA384)
      case .sha512: (GNUTLS_SIGN_RSA_PSS_SHA512, GNUTLS_DIG_SHA512)
      default: nil
      }
    }

    /// A key of id-RSASSA-PSS with parameters makes only signatures with these, and a salt at least as long
    /// (RFC 4055 3.3).
    private static func allows(_ key: PublicKeyInfo, _ parameters: RSAPSSParameters) -> Bool {
      guard key.algorithm.algorithm == .rsaPSS, !key.algorithm.parameters.isEmpty else { return true }
      guard let required = RSAPSSParameters(key.algorithm) else { return false }
      return required.hash == parameters.hash && required.maskHash == parameters.maskHash
        && parameters.saltLength >= required.saltLength
    }
  }

  /// Flags that leave to our rules what they decide.
  enum VerifyFlags {
    /// The strength of algorithms is for our profiles.
    static let anyStrength =
      GNUTLS_VERIFY_ALLOW_SIGN_RSA_MD2.rawValue | GNUTLS_VERIFY_ALLOW_SIGN_RSA_MD5.rawValue
      | GNUTLS_VERIFY_ALLOW_SIGN_WITH_SHA1.rawValue
    /// Dates too, as GnuTLS has one clock for the whole process; critical extensions, as it does not know those of
    /// policies (RFC 5280 4.2.1.11), which our rules process; and only this path is asked about.
    static let exactPath =
      anyStrength | GNUTLS_VERIFY_DISABLE_TIME_CHECKS.rawValue | GNUTLS_VERIFY_DISABLE_TRUSTED_TIME_CHECKS.rawValue
      | GNUTLS_VERIFY_DISABLE_CRL_CHECKS.rawValue | GNUTLS_VERIFY_DO_NOT_ALLOW_UNSORTED_CHAIN.rawValue
      | GNUTLS_VERIFY_IGNORE_UNKNOWN_CRIT_EXTENSIONS.rawValue
  }

  enum SPKIKind: HandleKind { static func free(_ pointer: OpaquePointer) { gnutls_x509_spki_deinit(pointer) } }
#endif
