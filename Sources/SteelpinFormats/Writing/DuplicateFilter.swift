// SPDX-License-Identifier: Apache-2.0
internal import Steelpin

/// Remembers which DER values it has seen, in 16 bytes each, so that it serves for bundles of any size.
///
/// The hashes are SipHash under keys that are new in every process: nobody can prepare two values that collide, and by
/// chance two of a million do with a probability of one to 10^26.
package struct DuplicateFilter {
  private struct Key: Hashable {
    let first: Int
    let second: Int

    /// Both halves are hashes already.
    func hash(into hasher: inout Hasher) { hasher.combine(first) }
  }

  private var seen: Set<Key> = []

  package init() {}

  /// Whether the value is new.
  package mutating func insert(_ der: ArraySlice<UInt8>) -> Bool {
    seen.insert(Key(first: Self.hash(der, 1), second: Self.hash(der, 2))).inserted
  }

  private static func hash(_ der: ArraySlice<UInt8>, _ domain: UInt8) -> Int {
    var hasher = Hasher()
    hasher.combine(domain)
    hasher.combine(octets: der.span)
    return hasher.finalize()
  }
}
