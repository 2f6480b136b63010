// SPDX-License-Identifier: Apache-2.0
internal import Steelpin

#if GnuTLS
  private import SteelpinGnuTLS
#endif
#if OpenSSL
  private import SteelpinOpenSSL
#endif

/// A library that judges.
struct Backend: Sendable {
  let name: String
  let makeEvaluator: @Sendable (_ systemAnchors: AnchorSet?) -> any TrustBackend

  /// The libraries of this build, in the order in which they judge.
  static let all: [Backend] = {
    var backends: [Backend] = []
    #if OpenSSL
      backends.append(Backend(name: "openssl") { OpenSSLTrustEvaluator(systemAnchors: $0) })
    #endif
    #if GnuTLS
      backends.append(Backend(name: "gnutls") { GnuTLSTrustEvaluator(systemAnchors: $0) })
    #endif
    return backends
  }()
}
