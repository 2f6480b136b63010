// SPDX-License-Identifier: Apache-2.0
internal import Dispatch

extension Probe {
  /// Runs work that waits for a network on a thread outside of Swift's own pool, which must not be blocked.
  static func offload<Value: Sendable>(_ work: @escaping @Sendable (Cancellation) -> Value) async -> Value {
    let cancellation = Cancellation()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(returning: work(cancellation)) }
      }
    } onCancel: {
      cancellation.cancel()
    }
  }
}
