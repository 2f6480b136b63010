// SPDX-License-Identifier: Apache-2.0
public import Steelpin
public import Testing

#if GnuTLS
  private import SteelpinGnuTLS
#endif
#if OpenSSL
  private import SteelpinOpenSSL
#endif

/// A value of one backend under the backend's name, which is what a failed test prints.
public struct Named<Value: Sendable>: Sendable, CustomTestStringConvertible {
  /// The backend's name, as in `openssl`.
  public let name: String
  /// The backend's value.
  public let value: Value

  /// A value of the named backend.
  public init(_ name: String, _ value: Value) {
    self.name = name
    self.value = value
  }

  /// The backend's name.
  public var testDescription: String { name }
}

/// The key providers that are compiled in.
public let keyProviders: [Named<any KeyProvider>] = {
  var providers: [Named<any KeyProvider>] = []
  #if OpenSSL
    providers.append(Named("openssl", OpenSSLKeyProvider()))
  #endif
  #if GnuTLS
    providers.append(Named("gnutls", GnuTLSKeyProvider()))
  #endif
  return providers
}()

/// The engines that are compiled in.
public let tlsEngines: [Named<any TLSEngine>] = {
  var engines: [Named<any TLSEngine>] = []
  #if OpenSSL
    engines.append(Named("openssl", OpenSSLTLSEngine()))
  #endif
  #if GnuTLS
    engines.append(Named("gnutls", GnuTLSTLSEngine()))
  #endif
  return engines
}()

/// The engine that serves; nil if none is compiled in.
package let tlsServerEngine: (any TLSServerEngine)? = {
  #if OpenSSL
    OpenSSLTLSEngine()
  #else
    nil
  #endif
}()

/// The trust backends that are compiled in, with the given system anchors.
public func trustBackends(systemAnchors: AnchorSet? = nil) -> [any TrustBackend] {
  var backends: [any TrustBackend] = []
  #if OpenSSL
    backends.append(OpenSSLTrustEvaluator(systemAnchors: systemAnchors))
  #endif
  #if GnuTLS
    backends.append(GnuTLSTrustEvaluator(systemAnchors: systemAnchors))
  #endif
  return backends
}

/// The PKCS#12 codecs that are compiled in.
public let pkcs12Codecs: [Named<any PKCS12Codec>] = {
  var codecs: [Named<any PKCS12Codec>] = []
  #if OpenSSL
    codecs.append(Named("openssl", OpenSSLPKCS12Codec()))
  #endif
  #if GnuTLS
    codecs.append(Named("gnutls", GnuTLSPKCS12Codec()))
  #endif
  return codecs
}()
