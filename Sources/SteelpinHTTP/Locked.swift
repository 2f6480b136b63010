// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// A value behind a lock of the system. The thread sanitizer sees nothing of the Mutex of Synchronization where threads
/// wait for it, and here they do.
final class Locked<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  /// Runs a body that no other thread interrupts.
  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
