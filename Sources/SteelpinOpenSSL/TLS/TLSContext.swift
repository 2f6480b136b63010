// SPDX-License-Identifier: Apache-2.0
#if OpenSSL
  internal import COpenSSL
  internal import Steelpin

  enum SSLContextKind: HandleKind { static func free(_ pointer: OpaquePointer) { SSL_CTX_free(pointer) } }
  enum SSLKind: HandleKind { static func free(_ pointer: OpaquePointer) { SSL_free(pointer) } }

  /// What all client sessions have in common: permissive parameters, and no verification.
  ///
  /// Unchecked, because an SSL_CTX may be used by many threads once it is set up, and this one is never changed again.
  final class TLSContext: @unchecked Sendable {
    /// The context of the process, made when it is first needed, or why it could not be made.
    static let shared: Result<TLSContext, BackendError> = Result { () throws(BackendError) in try TLSContext() }

    private let handle: Handle<SSLContextKind>

    /// A new SSL that the caller owns, or NULL.
    func newSession() -> OpaquePointer? { SSL_new(handle.pointer) }

    private init() throws(BackendError) {
      ErrorQueue.clear()
      guard let handle = Handle<SSLContextKind>(adopting: SSL_CTX_new(TLS_client_method())) else {
        throw ErrorQueue.error("make a TLS context")
      }
      let context = handle.pointer
      // Old servers are to be looked at, too: the level of security judges nothing here, and a server without
      // RFC 5746 may be talked to once. Renegotiation is not needed by anyone who only looks.
      SSL_CTX_set_security_level(context, 0)
      _ = SSL_CTX_set_options(
        context, Self.legacyServerConnect | Self.noRenegotiation | Self.noCompressedCertificates)
      // The chain is judged afterwards. Without this OpenSSL would build and verify a path on every handshake.
      SSL_CTX_set_verify(context, SSL_VERIFY_NONE, nil)
      SSL_CTX_set_cert_verify_callback(context, { _, _ in 1 }, nil)
      _ = SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_CERT_LIST, Self.certificateListOctets, nil)
      let groups = [Self.hybridGroups + ":" + Self.groups, Self.groups].contains { list in
        list.withCString { list in
          SSL_CTX_ctrl(context, SSL_CTRL_SET_GROUPS_LIST, 0, UnsafeMutableRawPointer(mutating: list)) == 1
        }
      }
      // A library without the hybrid groups said so.
      ErrorQueue.clear()
      guard SSL_CTX_set_ciphersuites(context, Self.modernSuites) == 1,
        SSL_CTX_set_cipher_list(context, Self.olderSuites) == 1, groups
      else { throw ErrorQueue.error("set the TLS parameters") }
      self.handle = handle
    }

    // Macros of <openssl/ssl.h> that the importer cannot see.
    private static let legacyServerConnect: UInt64 = 1 << 2
    private static let noRenegotiation: UInt64 = 1 << 30
    /// Since OpenSSL 3.2, which asks for RFC 8879 by default; the certificates are read from the message as it came.
    private static let noCompressedCertificates: UInt64 = 1 << 33

    /// As many octets of certificates as an evaluation takes at most.
    private static let certificateListOctets = PathBudget().octets

    /// The groups of ML-KEM with a curve, since OpenSSL 3.5.
    private static let hybridGroups = "X25519MLKEM768:SecP256r1MLKEM768:SecP384r1MLKEM1024"

    /// The groups in the order of preference that both engines share.
    private static let groups = "X25519:P-256:P-384:P-521:X448:ffdhe2048:ffdhe3072:ffdhe4096"

    /// The suites of TLS 1.3, which OpenSSL knows by their names in the registry.
    private static let modernSuites = CipherSuite.offered.filter { $0.code >> 8 == 0x13 }.map(\.name)
      .joined(separator: ":")

    /// The other suites by OpenSSL's names, as far as it has them.
    private static let olderSuites = CipherSuite.offered.filter { $0.code >> 8 != 0x13 }
      .compactMap { suite in OPENSSL_cipher_name(suite.name).map { String(cString: $0) } }
      .filter { $0 != "(NONE)" }.joined(separator: ":")
  }
#endif
