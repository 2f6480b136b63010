// SPDX-License-Identifier: Apache-2.0
#if OpenSSL
  internal import COpenSSL
  internal import Steelpin

  /// The thread's queue of OpenSSL errors: cleared before a call that may fail, drained after it did.
  enum ErrorQueue {
    static func clear() { ERR_clear_error() }

    /// Takes all errors off the queue, the most recent, that is the most general, first.
    static func drain() -> [NativeCode] {
      var codes: [NativeCode] = []
      while true {
        let code = ERR_get_error()
        guard code != 0 else { return codes.reversed() }
        let reason = ERR_reason_error_string(code).map { String(cString: $0) } ?? ""
        codes.append(
          NativeCode(library: "openssl", code: "error:" + String(code, radix: 16, uppercase: true), message: reason))
      }
    }

    /// The error of an operation that failed, with all that the queue holds.
    static func error(_ operation: String) -> BackendError {
      BackendError(backend: "openssl", operation: operation, native: drain())
    }
  }
#endif
