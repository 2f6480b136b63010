// SPDX-License-Identifier: Apache-2.0
private import CPSL

/// The public suffix list through libpsl: the domains under which anybody may register.
package enum PublicSuffix {
  /// Which entries of the list count.
  package enum Section: Sendable {
    /// All, those that their owners entered (`github.io`) included.
    case all
    /// Only the registries' own (`co.uk`).
    case icann
  }

  /// Whether a lower-case A-label domain is a public suffix, as is `co.uk`.
  ///
  /// A single label is one whether listed or not. The private section is left out unless asked for: the operators of
  /// those domains do hold certificates for all names under them.
  package static func contains(_ domain: some Collection<UInt8>, section: Section = .icann) -> Bool {
    guard domain.contains(UInt8(ascii: ".")) else { return true }
    guard let list = unsafe psl_builtin() else { return false }
    let type: CInt =
      switch section {
      case .all: PSL_TYPE_ICANN | PSL_TYPE_PRIVATE
      case .icann: PSL_TYPE_ICANN
      }
    return unsafe psl_is_public_suffix2(list, String(decoding: domain, as: UTF8.self), type) != 0
  }

  /// Whether a rule of the registries' section is for the lower-case A-label domain itself, as for `com` but not for
  /// `localhost`, which only the rule for unlisted labels makes a suffix.
  package static func isListed(_ domain: some Collection<UInt8>) -> Bool {
    guard let list = unsafe psl_builtin() else { return false }
    let type = PSL_TYPE_ICANN | PSL_TYPE_NO_STAR_RULE
    return unsafe psl_is_public_suffix2(list, String(decoding: domain, as: UTF8.self), type) != 0
  }
}
