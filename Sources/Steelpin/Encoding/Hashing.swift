// SPDX-License-Identifier: Apache-2.0

extension Hasher {
  /// Feeds all octets at once; Array's own hash(into:) feeds them one by one.
  package mutating func combine(octets: [UInt8]) { combine(octets: octets.span) }

  /// Feeds all octets at once.
  package mutating func combine(octets: Span<UInt8>) {
    unsafe octets.withUnsafeBytes { unsafe combine(bytes: $0) }
  }
}
