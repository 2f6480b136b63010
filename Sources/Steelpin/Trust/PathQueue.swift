// SPDX-License-Identifier: Apache-2.0

/// A priority queue of numbered paths: the cheapest first, of equal ones the oldest. A binary heap.
package struct PathQueue {
  private struct Item {
    let cost: Int
    let path: Int

    func precedes(_ other: Item) -> Bool { cost == other.cost ? path < other.path : cost < other.cost }
  }

  private var heap: [Item] = []

  package init() {}

  package mutating func insert(_ path: Int, cost: Int) {
    heap.append(Item(cost: cost, path: path))
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].precedes(heap[parent]) else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  package mutating func popFirst() -> Int? {
    guard let first = heap.first, let last = heap.popLast() else { return nil }
    guard !heap.isEmpty else { return first.path }
    heap[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child].precedes(heap[least]) {
        least = child
      }
      guard least != parent else { return first.path }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}
