// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
package import SteelpinProbe

/// Accepts connections on the loopback interface and hands each to a script on a thread of its own; what comes of them
/// is a stream.
package final class LabServer<Event: Sendable>: Sendable {
  /// The port.
  package let port: UInt16
  /// What came of each connection, in the order in which they ended. It ends after ``finish()`` or ``cancel()``, with
  /// the last connection.
  package let events: AsyncStream<Event>

  private let state = Locked(State())
  private let cancellation = Cancellation()
  private let continuation: AsyncStream<Event>.Continuation

  private struct State {
    var isFinishing = false
    var accepted = 0
    /// The connections that are open, and one for the thread that accepts.
    var open = 1
  }

  /// Starts to listen; each connection must end by the deadline.
  ///
  /// Throws ``LabError`` if the port is taken.
  package init(
    port: UInt16, lifetime: Duration,
    _ script: @escaping @Sendable (_ number: Int, _ socket: consuming Socket, _ deadline: Deadline) -> Event?
  ) throws(LabError) {
    let listener = try LabListener(port: port)
    self.port = listener.port
    (events, continuation) = AsyncStream.makeStream()
    let deadline = Deadline(after: lifetime, cancellation)
    let box = ListenerBox(listener)
    OwnThread.run { [self] in
      accept(box, script, deadline)
      leave()
    }
  }

  /// Accepts nothing that is not connected yet, and lets what is open come to its end.
  package func finish() { state.withLock { $0.isFinishing = true } }

  /// Ends everything now.
  package func cancel() {
    finish()
    cancellation.cancel()
  }

  private func accept(
    _ box: ListenerBox, _ script: @escaping @Sendable (Int, consuming Socket, Deadline) -> Event?, _ deadline: Deadline
  ) {
    while true {
      // Who connected before the end was announced is still served.
      let isLast = state.withLock { $0.isFinishing } || deadline.isOver
      while let descriptor = box.listener.accept(waiting: isLast ? 0 : 20) {
        let number = state.withLock { state in
          state.open += 1
          state.accepted += 1
          return state.accepted
        }
        OwnThread.run { [self] in
          if let event = script(number, Socket(adopting: descriptor), deadline) { continuation.yield(event) }
          leave()
        }
      }
      if isLast { return }
    }
  }

  private func leave() {
    let isLast = state.withLock { state in
      state.open -= 1
      return state.open == 0
    }
    if isLast { continuation.finish() }
  }

  /// Carries the listener into its thread.
  private final class ListenerBox: Sendable {
    let listener: LabListener

    init(_ listener: consuming LabListener) { self.listener = listener }
  }
}
