// SPDX-License-Identifier: Apache-2.0
private import CHTTPShims

/// Digests of libcrypto.
enum MessageDigest {
  /// A digest by the library's name for it; nil if the library has none, as MD5 where only approved ones are allowed.
  static func digest(_ name: String, of bytes: [UInt8]) -> [UInt8]? {
    var out = [UInt8](repeating: 0, count: Int(CHTTP_MAX_DIGEST))
    let count = chttp_digest(name, bytes, bytes.count, &out)
    return count > 0 ? Array(out.prefix(count)) : nil
  }

  /// An HMAC (RFC 2104) by the library's name for its digest.
  static func hmac(_ name: String, key: [UInt8], of bytes: [UInt8]) -> [UInt8]? {
    var out = [UInt8](repeating: 0, count: Int(CHTTP_MAX_DIGEST))
    let count = chttp_hmac(name, key, key.count, bytes, bytes.count, &out)
    return count > 0 ? Array(out.prefix(count)) : nil
  }
}
