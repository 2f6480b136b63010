// SPDX-License-Identifier: Apache-2.0

/// A map that grows only: as long as there are few entries it is a list that is looked through, so that a usual chain
/// needs no table; of many it is a table, so that a chain that was made to be slow is not.
struct SmallMap<Key: Hashable, Value> {
  private var list: [(key: Key, value: Value)] = []
  private var table: [Key: Value] = [:]

  /// How many entries there are.
  var count: Int { list.isEmpty ? table.count : list.count }

  subscript(key: Key) -> Value? {
    for entry in list where entry.key == key { return entry.value }
    return table.isEmpty ? nil : table[key]
  }

  /// Adds a value for a key that has none.
  mutating func insert(_ value: Value, for key: Key) {
    if table.isEmpty, list.count < Self.maximumList {
      list.append((key, value))
      return
    }
    for entry in list { table[entry.key] = entry.value }
    list = []
    table[key] = value
  }

  private static var maximumList: Int { 8 }
}
