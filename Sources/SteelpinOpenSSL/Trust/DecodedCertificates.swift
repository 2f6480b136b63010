// SPDX-License-Identifier: Apache-2.0
#if OpenSSL
  internal import COpenSSL
  internal import COpenSSLShims
  internal import Steelpin

  /// A certificate as libcrypto holds it. Unchecked because an X509 is only read here once it is made; what the library
  /// caches inside it is behind its own lock (openssl-threads(7)).
  final class DecodedCertificate: DecodedObject, @unchecked Sendable {
    private let handle: Handle<X509Kind>

    private init(_ handle: consuming Handle<X509Kind>) { self.handle = handle }

    /// Decodes a certificate, or says why the library refuses its DER.
    static func decode(_ certificate: Certificate) throws(DecodingRefusal) -> DecodedCertificate {
      ErrorQueue.clear()
      let decoded = DERExchange.decode(certificate.der, as: X509Kind.self) { _, cursor, count in
        var object = X509_new_ex(cossl_verification_context(), nil)
        // On failure the library frees the object that it was given.
        return d2i_X509(&object, cursor, count)
      }
      guard let handle = decoded else { throw DecodingRefusal(codes: ErrorQueue.drain()) }
      return DecodedCertificate(handle)
    }

    /// Lends the object.
    func withPointer<Result>(_ body: (OpaquePointer) -> Result) -> Result { body(handle.pointer) }
  }

  /// A public key as libcrypto holds it, only read once it is made.
  final class DecodedKey: DecodedObject, @unchecked Sendable {
    private let handle: Handle<EVPKeyKind>

    private init(_ handle: consuming Handle<EVPKeyKind>) { self.handle = handle }

    /// Decodes a SubjectPublicKeyInfo, or says why the library refuses it.
    static func decode(_ key: PublicKeyInfo) throws(DecodingRefusal) -> DecodedKey {
      ErrorQueue.clear()
      let decoded = DERExchange.decode(Array(key.encoded), as: EVPKeyKind.self) { object, cursor, count in
        d2i_PUBKEY_ex(object, cursor, count, cossl_verification_context(), nil)
      }
      guard let handle = decoded else { throw DecodingRefusal(codes: ErrorQueue.drain()) }
      return DecodedKey(handle)
    }

    /// Lends the object.
    func withPointer<Result>(_ body: (OpaquePointer) -> Result) -> Result { body(handle.pointer) }
  }

  /// What libcrypto decoded before.
  typealias OpenSSLObjects = DecodedObjects<DecodedCertificate, DecodedKey>
#endif
