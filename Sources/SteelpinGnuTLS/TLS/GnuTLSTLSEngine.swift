// SPDX-License-Identifier: Apache-2.0
#if GnuTLS
  public import Steelpin

  /// TLS handshakes by GnuTLS.
  public struct GnuTLSTLSEngine: TLSEngine {
    /// `gnutls`.
    public let name = "gnutls"

    /// An engine; it has no state.
    public init() {}

    /// Starts a session; throws if GnuTLS lacks what the configuration asks for, or if the client's identity is unfit.
    public func makeClientSession(_ configuration: TLSClientConfiguration) throws(BackendError) -> any TLSSession {
      try GnuTLSSession(configuration)
    }
  }
#endif
