// SPDX-License-Identifier: Apache-2.0
#if OpenSSL
  public import Steelpin

  /// TLS handshakes by OpenSSL.
  public struct OpenSSLTLSEngine: TLSEngine {
    /// `openssl`.
    public let name = "openssl"

    /// An engine; all engines of a process share one context.
    public init() {}

    /// Starts a session; throws if OpenSSL lacks what the configuration asks for, or if the client's identity is unfit.
    public func makeClientSession(_ configuration: TLSClientConfiguration) throws(BackendError) -> any TLSSession {
      let context = try TLSContext.shared.get()
      ErrorQueue.clear()
      guard let handle = Handle<SSLKind>(adopting: context.newSession()) else {
        throw ErrorQueue.error("start a TLS session")
      }
      return try OpenSSLSession(handle, configuration)
    }
  }

  extension OpenSSLTLSEngine: TLSServerEngine {
    package func makeServerSession(
      _ configuration: TLSServerConfiguration
    ) throws(BackendError) -> any TLSServerSession {
      try OpenSSLServerSession(configuration)
    }
  }
#endif
