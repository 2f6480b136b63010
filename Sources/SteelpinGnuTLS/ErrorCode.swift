// SPDX-License-Identifier: Apache-2.0
#if GnuTLS
  internal import CGnuTLS
  internal import Steelpin

  extension NativeCode {
    /// The error that a function of GnuTLS returned, a negative number.
    init(gnutls code: CInt) {
      let name = gnutls_strerror_name(code).map { String(cString: $0) } ?? "\(code)"
      let message = gnutls_strerror(code).map { String(cString: $0) } ?? ""
      self.init(library: "gnutls", code: name, message: message)
    }
  }

  extension BackendError {
    /// The error of an operation in which a function of GnuTLS returned a negative number.
    init(gnutls code: CInt, _ operation: String) {
      self.init(backend: "gnutls", operation: operation, native: [NativeCode(gnutls: code)])
    }
  }
#endif
