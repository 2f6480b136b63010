// SPDX-License-Identifier: Apache-2.0
#if GnuTLS
  internal import CGnuTLS
  internal import Steelpin

  /// A certificate as GnuTLS holds it. Unchecked because it is only read once it is made.
  final class DecodedCertificate: DecodedObject, @unchecked Sendable {
    private let handle: Handle<CertificateKind>

    private init(_ handle: consuming Handle<CertificateKind>) { self.handle = handle }

    /// Decodes a certificate, or says why the library refuses its DER.
    static func decode(_ certificate: Certificate) throws(DecodingRefusal) -> DecodedCertificate {
      guard let handle = Handle<CertificateKind>({ gnutls_x509_crt_init(&$0) }) else {
        throw DecodingRefusal(codes: [NativeCode(gnutls: GNUTLS_E_MEMORY_ERROR)])
      }
      let code = Datum.lend(certificate.der) { gnutls_x509_crt_import(handle.pointer, &$0, GNUTLS_X509_FMT_DER) }
      guard code >= 0 else { throw DecodingRefusal(codes: [NativeCode(gnutls: code)]) }
      return DecodedCertificate(handle)
    }

    /// Lends the object.
    func withPointer<Result>(_ body: (OpaquePointer) -> Result) -> Result { body(handle.pointer) }
  }

  /// A public key as GnuTLS holds it, only read once it is made.
  final class DecodedKey: DecodedObject, @unchecked Sendable {
    private let handle: Handle<PublicKeyKind>

    private init(_ handle: consuming Handle<PublicKeyKind>) { self.handle = handle }

    /// Decodes a SubjectPublicKeyInfo, or says why the library refuses it.
    static func decode(_ key: PublicKeyInfo) throws(DecodingRefusal) -> DecodedKey {
      guard let handle = Handle<PublicKeyKind>({ gnutls_pubkey_init(&$0) }) else {
        throw DecodingRefusal(codes: [NativeCode(gnutls: GNUTLS_E_MEMORY_ERROR)])
      }
      let code = Datum.lend(Array(key.encoded)) { gnutls_pubkey_import(handle.pointer, &$0, GNUTLS_X509_FMT_DER) }
      guard code >= 0 else { throw DecodingRefusal(codes: [NativeCode(gnutls: code)]) }
      return DecodedKey(handle)
    }

    /// Lends the object.
    func withPointer<Result>(_ body: (OpaquePointer) -> Result) -> Result { body(handle.pointer) }
  }

  /// What GnuTLS decoded before.
  typealias GnuTLSObjects = DecodedObjects<DecodedCertificate, DecodedKey>
#endif
