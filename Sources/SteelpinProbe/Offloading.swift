// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Glibc

extension Probe {
  /// Runs work that waits for a network on a thread of its own, as Swift's pool must not be blocked.
  static func offload<Value: Sendable>(_ work: @escaping @Sendable (Cancellation) -> Value) async -> Value {
    let cancellation = Cancellation()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        OwnThread.run { continuation.resume(returning: work(cancellation)) }
      }
    } onCancel: {
      cancellation.cancel()
    }
  }
}

/// Threads of their own. Dispatch bounds the number of its threads, so that as many probes as there are threads would
/// wait for name lookups that get none.
package enum OwnThread {
  /// Runs a block on a new thread; on one of Dispatch if the system gives none.
  package static func run(_ block: @escaping @Sendable () -> Void) {
    var attributes = pthread_attr_t()
    guard pthread_attr_init(&attributes) == 0 else { return DispatchQueue.global().async(execute: block) }
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    // Much less than the usual 8 MiB, and much more than a handshake takes, sanitizers included.
    pthread_attr_setstacksize(&attributes, 1 << 20)
    let argument = Unmanaged.passRetained(Box(block))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, &attributes,
      { argument in
        if let argument { Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().block() }
        return nil
      }, argument.toOpaque())
    guard code != 0 else { return }
    argument.release()
    DispatchQueue.global().async(execute: block)
  }

  private final class Box: Sendable {
    let block: @Sendable () -> Void

    init(_ block: @escaping @Sendable () -> Void) { self.block = block }
  }
}
