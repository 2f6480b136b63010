// SPDX-License-Identifier: Apache-2.0
internal import Steelpin

/// Remembers which DER values it has seen, in 16 bytes each, so that it serves for bundles of any size.
///
/// The hashes are SipHash under keys that are new in every process: nobody can prepare two values that collide, and by
/// chance two of a million do with a probability of one to 10^26.
struct DuplicateFilter {
  /// What is remembered of a value.
  struct Key: Hashable, Sendable {
    private let first: Int
    private let second: Int

    /// Takes two passes over the value; any thread may do it.
    init(_ der: ArraySlice<UInt8>) {
      first = Self.hash(der, 1)
      second = Self.hash(der, 2)
    }

    /// Both halves are hashes already.
    func hash(into hasher: inout Hasher) { hasher.combine(first) }

    private static func hash(_ der: ArraySlice<UInt8>, _ domain: UInt8) -> Int {
      var hasher = Hasher()
      hasher.combine(domain)
      hasher.combine(octets: der.span)
      return hasher.finalize()
    }
  }

  private var seen: Set<Key> = []

  /// Whether the value is new.
  mutating func insert(_ key: Key) -> Bool { seen.insert(key).inserted }
}
