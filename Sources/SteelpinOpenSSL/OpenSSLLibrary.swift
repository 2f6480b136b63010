// SPDX-License-Identifier: Apache-2.0
#if OpenSSL
  internal import COpenSSL

  /// The library that is loaded.
  public enum OpenSSLLibrary {
    /// Its version in its own words, as in `OpenSSL 3.0.2 15 Mar 2022`.
    public static var version: String { String(cString: OpenSSL_version(OPENSSL_VERSION)) }
  }
#endif
