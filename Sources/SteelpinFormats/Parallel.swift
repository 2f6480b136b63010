// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Steelpin
internal import Synchronization

/// Work on all processors.
enum Parallel {
  /// What a body returns for each of 0 to `count` - 1, in this order; the body runs on as many threads as there are
  /// processors, this one among them.
  static func map<Result: Sendable>(_ count: Int, _ body: @Sendable (Int) -> Result) -> [Result] {
    let threads = min(count, processors)
    guard threads > 1 else { return (0..<count).map(body) }
    return withoutActuallyEscaping(body) { body in
      let work = Work(count, body)
      // A thread that cannot be had is no fault: the others do its part.
      let helpers = (1..<threads).compactMap { _ in Thread { work.run() } }
      work.run()
      for helper in helpers { helper.join() }
      return work.results
    }
  }

  /// As many as this process may use, at most eight: beyond, memory and the file system are what is waited for.
  private static let processors = max(1, min(8, sysconf(CInt(_SC_NPROCESSORS_ONLN))))
}

/// Numbers that are taken by whichever thread is free.
private final class Work<Result: Sendable>: Sendable {
  private let count: Int
  private let body: @Sendable (Int) -> Result
  private let next = Atomic(0)
  private let finished: Locked<[Result?]>

  init(_ count: Int, _ body: @escaping @Sendable (Int) -> Result) {
    self.count = count
    self.body = body
    self.finished = Locked(Array(repeating: nil, count: count))
  }

  func run() {
    while true {
      let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
      guard number < count else { return }
      let result = body(number)
      finished.withLock { $0[number] = result }
    }
  }

  var results: [Result] { finished.withLock { $0.compactMap(\.self) } }
}

/// A thread that is waited for.
private struct Thread {
  private let thread: pthread_t

  /// Starts a thread; nil if the system gives none.
  init?(_ block: @escaping @Sendable () -> Void) {
    let argument = unsafe Unmanaged.passRetained(Block(block))
    var thread = pthread_t()
    let code = unsafe pthread_create(
      &thread, nil,
      { argument in
        if let argument = unsafe argument { unsafe Unmanaged<Block>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, argument.toOpaque())
    guard code == 0 else {
      unsafe argument.release()
      return nil
    }
    self.thread = thread
  }

  func join() { pthread_join(thread, nil) }

  private final class Block: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
