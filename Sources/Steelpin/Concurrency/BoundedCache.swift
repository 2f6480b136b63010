// SPDX-License-Identifier: Apache-2.0

/// A map of bounded size for values that can be made again, shared by threads.
///
/// Two generations approximate "least recently used" without a list: when the young one is full it becomes the old one,
/// and the old one is dropped. A value that is found in the old generation moves to the young one.
package final class BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Generations {
    var young: [Key: Value] = [:]
    var old: [Key: Value] = [:]
  }

  private let capacity: Int
  private let generations = Locked(Generations())

  /// A cache that holds at most twice `capacity` values; one of 0 holds none.
  package init(capacity: Int) { self.capacity = capacity }

  /// The value of a key; nil if it was never inserted or is forgotten.
  package subscript(key: Key) -> Value? {
    generations.withLock { generations in
      if let value = generations.young[key] { return value }
      guard let value = generations.old.removeValue(forKey: key) else { return nil }
      insert(value, key, &generations)
      return value
    }
  }

  /// Keeps a value, perhaps forgetting others.
  package func insert(_ value: Value, for key: Key) {
    guard capacity > 0 else { return }
    generations.withLock { insert(value, key, &$0) }
  }

  private func insert(_ value: Value, _ key: Key, _ generations: inout Generations) {
    if generations.young.count >= capacity {
      generations.old = generations.young
      generations.young = [:]
    }
    generations.young[key] = value
  }
}
