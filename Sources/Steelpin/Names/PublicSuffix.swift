// SPDX-License-Identifier: Apache-2.0
private import CPSL

/// The public suffix list through libpsl: the domains under which anybody may register.
package enum PublicSuffix {
  /// Whether a lower-case A-label domain is a public suffix of the list's ICANN section, as in `co.uk`.
  ///
  /// A single label is one whether listed or not. The private section (`github.io`) is left out: the operators of those
  /// domains do hold certificates for all names under them.
  package static func contains(_ domain: some Collection<UInt8>) -> Bool {
    guard domain.contains(UInt8(ascii: ".")) else { return true }
    guard let list = unsafe psl_builtin() else { return false }
    return unsafe psl_is_public_suffix2(list, String(decoding: domain, as: UTF8.self), PSL_TYPE_ICANN) != 0
  }
}
