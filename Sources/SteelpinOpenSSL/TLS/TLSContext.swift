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
      self.handle = handle
      let context = self.handle.pointer
      // Old servers are to be looked at, too: the level of security judges nothing here, and a server without
      // RFC 5746 may be talked to once. Renegotiation is not needed by anyone who only looks.
      SSL_CTX_set_security_level(context, 0)
      _ = SSL_CTX_set_options(context, Self.options)
      // The chain is judged afterwards. Without this OpenSSL would build and verify a path on every handshake.
      SSL_CTX_set_verify(context, SSL_VERIFY_NONE, nil)
      SSL_CTX_set_cert_verify_callback(context, { _, _ in 1 }, nil)
      guard SSL_CTX_set_ciphersuites(context, Self.suites { $0.hasPrefix("TLS_") }) == 1,
        SSL_CTX_set_cipher_list(context, try Self.suites13AndOlder(context)) == 1,
        SSL_CTX_ctrl(context, SSL_CTRL_SET_GROUPS_LIST, 0, nil) == 1
      else { throw ErrorQueue.error("set the TLS parameters") }
    }
  }
#endif
