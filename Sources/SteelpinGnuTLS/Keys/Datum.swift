// SPDX-License-Identifier: Apache-2.0
#if GnuTLS
  internal import CGnuTLS
  internal import CGnuTLSShims

  /// Byte strings as GnuTLS takes and returns them.
  enum Datum {
    /// Lends bytes to a function that does not keep them. A datum counts in 32 bits; nothing here is as long.
    static func lend<Result>(_ bytes: [UInt8], _ body: (inout gnutls_datum_t) -> Result) -> Result {
      bytes.withUnsafeBufferPointer { buffer in
        var datum = gnutls_datum_t(
          data: UnsafeMutablePointer(mutating: buffer.baseAddress), size: UInt32(clamping: buffer.count))
        return body(&datum)
      }
    }

    /// Copies and frees what a function allocates; or its error, a negative number.
    static func take(_ body: (inout gnutls_datum_t) -> CInt) -> (code: CInt, bytes: [UInt8]) {
      var datum = gnutls_datum_t(data: nil, size: 0)
      let code = body(&datum)
      defer { cgnutls_free(datum.data) }
      guard code >= 0 else { return (code, []) }
      return (code, Array(UnsafeBufferPointer(start: datum.data, count: Int(datum.size))))
    }
  }
#endif
