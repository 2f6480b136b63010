// SPDX-License-Identifier: Apache-2.0
#if OpenSSL
  internal import COpenSSL
  internal import COpenSSLShims
  internal import Steelpin

  /// A certificate as libcrypto holds it. Unchecked because an X509 is only read here once it is made; what the library
  /// caches inside it is behind its own lock (openssl-threads(7)).
  final class DecodedCertificate: @unchecked Sendable {
    private let handle: Handle<X509Kind>

    /// Decodes a certificate; nil if the library refuses its DER, whose reasons are in the ``ErrorQueue``.
    init?(_ certificate: Certificate) {
      let decoded = DERExchange.decode(certificate.der, as: X509Kind.self) { _, cursor, count in
        var object = X509_new_ex(cossl_verification_context(), nil)
        // On failure the library frees the object that it was given.
        return d2i_X509(&object, cursor, count)
      }
      guard let handle = decoded else { return nil }
      self.handle = handle
    }

    /// Lends the object.
    func withPointer<Result>(_ body: (OpaquePointer) -> Result) -> Result { body(handle.pointer) }
  }

  /// A public key as libcrypto holds it, only read once it is made.
  final class DecodedKey: @unchecked Sendable {
    private let handle: Handle<EVPKeyKind>

    /// Decodes a SubjectPublicKeyInfo; nil if the library refuses it, whose reasons are in the ``ErrorQueue``.
    init?(_ key: PublicKeyInfo) {
      let decoded = DERExchange.decode(Array(key.encoded), as: EVPKeyKind.self) { object, cursor, count in
        d2i_PUBKEY_ex(object, cursor, count, cossl_verification_context(), nil)
      }
      guard let handle = decoded else { return nil }
      self.handle = handle
    }

    /// Lends the object.
    func withPointer<Result>(_ body: (OpaquePointer) -> Result) -> Result { body(handle.pointer) }
  }

  /// Certificates and keys that were decoded before. Decoding one takes the library longer than checking its signature.
  ///
  /// Leaves are kept apart, so that many different ones do not drive out the few issuers that all of them need.
  struct DecodedObjects: Sendable {
    private let leaves: BoundedCache<Certificate, DecodedCertificate>
    private let issuers = BoundedCache<Certificate, DecodedCertificate>(capacity: 256)
    private let keys = BoundedCache<PublicKeyInfo, DecodedKey>(capacity: 256)

    /// Caches of which that of leaves holds at most twice that many.
    init(leaves: Int) { self.leaves = BoundedCache(capacity: leaves) }

    /// The decoded certificate at a depth of a path; nil if the library refuses it.
    func certificate(_ certificate: Certificate, depth: Int) -> DecodedCertificate? {
      let cache = depth == 0 ? leaves : issuers
      if let known = cache[certificate] { return known }
      guard let decoded = DecodedCertificate(certificate) else { return nil }
      cache.insert(decoded, for: certificate)
      return decoded
    }

    /// The decoded key; nil if the library refuses it.
    func key(_ key: PublicKeyInfo) -> DecodedKey? {
      if let known = keys[key] { return known }
      guard let decoded = DecodedKey(key) else { return nil }
      keys.insert(decoded, for: key)
      return decoded
    }
  }
#endif
