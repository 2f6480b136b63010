// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinCommand

#if GnuTLS
  private import SteelpinGnuTLS
#endif
#if OpenSSL
  private import SteelpinOpenSSL
#endif

/// The libraries of this build, in the order in which they judge; the first performs handshakes unless another is asked.
let backends: [Backend] = {
  var backends: [Backend] = []
  #if OpenSSL
    var openssl = Backend(
      name: "openssl", libraryVersion: { OpenSSLLibrary.version },
      makeEvaluator: { OpenSSLTrustEvaluator(systemAnchors: $0) }, engine: OpenSSLTLSEngine(),
      keyProvider: OpenSSLKeyProvider(), pkcs12: OpenSSLPKCS12Codec())
    openssl.serverEngine = OpenSSLTLSEngine()
    backends.append(openssl)
  #endif
  #if GnuTLS
    backends.append(
      Backend(
        name: "gnutls", libraryVersion: { GnuTLSLibrary.version },
        makeEvaluator: { GnuTLSTrustEvaluator(systemAnchors: $0) }, engine: GnuTLSTLSEngine(),
        keyProvider: GnuTLSKeyProvider(), pkcs12: GnuTLSPKCS12Codec()))
  #endif
  return backends
}()
