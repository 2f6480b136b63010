// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// One moment at which everything has to be done, and whether somebody has lost interest before.
package struct Deadline: Sendable {
  private let clock = ContinuousClock()
  private let end: ContinuousClock.Instant
  private let cancellation: Cancellation

  package init(after timeout: Duration, _ cancellation: Cancellation) {
    // Nobody waits longer than a year, and no instant is beyond what the clock can count.
    self.end = clock.now.advanced(by: min(max(.zero, timeout), .seconds(31_536_000)))
    self.cancellation = cancellation
  }

  private init(_ end: ContinuousClock.Instant, _ cancellation: Cancellation) {
    self.end = end
    self.cancellation = cancellation
  }

  package var isCancelled: Bool { cancellation.isCancelled }

  /// The time that is left, never negative.
  package var remaining: Duration { max(.zero, clock.now.duration(to: end)) }

  package var isOver: Bool { remaining == .zero }

  /// A deadline that comes earlier: after a part of what is left.
  func divided(by parts: Int) -> Deadline {
    Deadline(clock.now.advanced(by: remaining / max(1, parts)), cancellation)
  }

  /// A deadline that comes after a duration, or with this one if that is earlier.
  package func atMost(_ duration: Duration) -> Deadline {
    Deadline(min(end, clock.now.advanced(by: duration)), cancellation)
  }

  /// Milliseconds for poll(2), at most so many that a cancellation is noticed soon, at least 1 while time is left.
  package var pollSlice: Int32 {
    let milliseconds = remaining / .milliseconds(1)
    return Int32(min(50, milliseconds.rounded(.up)))
  }
}

/// Tells a thread that waits for a server that nobody waits for it any more.
package final class Cancellation: Sendable {
  private let flag = Atomic(false)

  package init() {}

  package var isCancelled: Bool { flag.load(ordering: .relaxed) }

  package func cancel() { flag.store(true, ordering: .relaxed) }
}
