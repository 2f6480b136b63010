// SPDX-License-Identifier: Apache-2.0
#if GnuTLS
  internal import CGnuTLS
  internal import Steelpin

  /// Why the library did not decode something.
  struct Refusal: Error {
    let codes: [NativeCode]
  }

  /// A certificate as GnuTLS holds it. Unchecked because it is only read once it is made.
  final class DecodedCertificate: @unchecked Sendable {
    private let handle: Handle<CertificateKind>

    private init(_ handle: consuming Handle<CertificateKind>) { self.handle = handle }

    /// Decodes a certificate, or says why the library refuses its DER.
    static func decode(_ certificate: Certificate) -> Result<DecodedCertificate, Refusal> {
      guard let handle = Handle<CertificateKind>({ gnutls_x509_crt_init(&$0) }) else {
        return .failure(Refusal(codes: [NativeCode(gnutls: GNUTLS_E_MEMORY_ERROR)]))
      }
      let code = Datum.lend(certificate.der) { gnutls_x509_crt_import(handle.pointer, &$0, GNUTLS_X509_FMT_DER) }
      guard code >= 0 else { return .failure(Refusal(codes: [NativeCode(gnutls: code)])) }
      return .success(DecodedCertificate(handle))
    }

    /// Lends the object.
    func withPointer<Result>(_ body: (OpaquePointer) -> Result) -> Result { body(handle.pointer) }
  }

  /// A public key as GnuTLS holds it, only read once it is made.
  final class DecodedKey: @unchecked Sendable {
    private let handle: Handle<PublicKeyKind>

    private init(_ handle: consuming Handle<PublicKeyKind>) { self.handle = handle }

    /// Decodes a SubjectPublicKeyInfo, or says why the library refuses it.
    static func decode(_ key: PublicKeyInfo) -> Result<DecodedKey, Refusal> {
      guard let handle = Handle<PublicKeyKind>({ gnutls_pubkey_init(&$0) }) else {
        return .failure(Refusal(codes: [NativeCode(gnutls: GNUTLS_E_MEMORY_ERROR)]))
      }
      let code = Datum.lend(Array(key.encoded)) { gnutls_pubkey_import(handle.pointer, &$0, GNUTLS_X509_FMT_DER) }
      guard code >= 0 else { return .failure(Refusal(codes: [NativeCode(gnutls: code)])) }
      return .success(DecodedKey(handle))
    }

    /// Lends the object.
    func withPointer<Result>(_ body: (OpaquePointer) -> Result) -> Result { body(handle.pointer) }
  }

  /// Certificates and keys that were decoded before. Leaves are kept apart, so that many different ones do not drive out
  /// the few issuers that all of them need.
  struct DecodedObjects: Sendable {
    private let leaves: BoundedCache<Certificate, DecodedCertificate>
    private let issuers = BoundedCache<Certificate, DecodedCertificate>(capacity: 256)
    private let keys = BoundedCache<PublicKeyInfo, DecodedKey>(capacity: 256)

    /// Caches of which that of leaves holds at most twice that many.
    init(leaves: Int) { self.leaves = BoundedCache(capacity: leaves) }

    /// The decoded certificate at a depth of a path.
    func certificate(_ certificate: Certificate, depth: Int) -> Result<DecodedCertificate, Refusal> {
      let cache = depth == 0 ? leaves : issuers
      if let known = cache[certificate] { return .success(known) }
      let result = DecodedCertificate.decode(certificate)
      if case .success(let decoded) = result { cache.insert(decoded, for: certificate) }
      return result
    }

    /// The decoded key.
    func key(_ key: PublicKeyInfo) -> Result<DecodedKey, Refusal> {
      if let known = keys[key] { return .success(known) }
      let result = DecodedKey.decode(key)
      if case .success(let decoded) = result { keys.insert(decoded, for: key) }
      return result
    }
  }
#endif
