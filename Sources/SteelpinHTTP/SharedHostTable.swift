// SPDX-License-Identifier: Apache-2.0
public import Steelpin
private import Synchronization

/// A host table that several clients share, and that may be replaced while they work.
///
/// A connection is used only as long as its chain was judged under the table that holds when a request is sent: after a
/// change each connection is judged once more, before anything is sent through it.
public final class SharedHostTable: Sendable {
  /// A table, and a number that no other state of any table has.
  struct Snapshot: Sendable {
    var table: HostTable
    var number: UInt64
  }

  private let state: Locked<Snapshot>
  private static let numbers = Atomic<UInt64>(0)

  /// Shares a table.
  public init(_ table: HostTable) { state = Locked(Snapshot(table: table, number: Self.nextNumber())) }

  /// The table that holds now.
  public var table: HostTable {
    get { snapshot.table }
    set { update { $0 = newValue } }
  }

  /// Changes the table in one step.
  public func update(_ change: (inout HostTable) -> Void) {
    state.withLock { state in
      change(&state.table)
      state.number = Self.nextNumber()
    }
  }

  var snapshot: Snapshot { state.withLock { $0 } }

  private static func nextNumber() -> UInt64 { numbers.add(1, ordering: .relaxed).newValue }
}
