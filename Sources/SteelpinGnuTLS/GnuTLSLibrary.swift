// SPDX-License-Identifier: Apache-2.0
#if GnuTLS
  internal import CGnuTLS

  /// The library that is loaded.
  public enum GnuTLSLibrary {
    /// Its version in its own words, as in `GnuTLS 3.7.3`.
    public static var version: String {
      gnutls_check_version(nil).map { "GnuTLS " + String(cString: $0) } ?? "GnuTLS"
    }
  }
#endif
