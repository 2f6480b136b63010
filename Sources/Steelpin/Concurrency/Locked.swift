// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A value that one thread at a time may touch.
///
/// It is a Mutex that the thread sanitizer understands: where threads wait for each other, Mutex hands its lock on inside
/// the library and the kernel, which the sanitizer does not see, and so it would report every access. The flag says the
/// same to it, and costs a load and a store.
package struct Locked<Value: ~Copyable>: ~Copyable, Sendable {
  private let mutex: Mutex<Value>
  private let handover = Atomic<Bool>(false)

  package init(_ value: consuming sending Value) { mutex = Mutex(value) }

  /// Runs a body that no other thread interrupts, and returns what it returns.
  package borrowing func withLock<Result, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try mutex.withLock { (value) throws(Failure) in
      _ = handover.load(ordering: .acquiring)
      defer { handover.store(true, ordering: .releasing) }
      return try body(&value)
    }
  }
}
