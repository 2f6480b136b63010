// SPDX-License-Identifier: Apache-2.0
private import CHTTPShims
private import Foundation
internal import Steelpin

/// One multi handle of libcurl and the thread that drives it. The thread is started by the first job and ends with the
/// last reference.
final class Engine: Sendable {
  private let loop: EngineLoop

  init(connectionsPerHost: Int) { loop = EngineLoop(connectionsPerHost: connectionsPerHost) }

  deinit { loop.stop() }

  /// Runs a job on the thread, after those that were given before.
  func perform(_ job: @escaping @Sendable (borrowing EngineAccess) -> Void) { loop.perform(job) }
}

/// The proof that one is on the engine's thread, where all state of hops and loads lives.
struct EngineAccess: ~Copyable {
  fileprivate let loop: EngineLoop

  /// Starts a hop. Nothing of it is called back before this returns.
  func start(_ hop: Hop) { loop.start(hop) }

  /// Ends a hop, of which nothing is called back any more.
  func remove(_ hop: Hop) { loop.remove(hop) }
}

/// What the thread does. All but the inbox belongs to the thread.
private final class EngineLoop: @unchecked Sendable {
  private struct Inbox {
    var jobs: [@Sendable (borrowing EngineAccess) -> Void] = []
    var isRunning = false
    var isStopped = false
    /// The multi handle while the thread is in its loop, to wake it.
    nonisolated(unsafe) var multi: UnsafeMutableRawPointer?
  }

  private let inbox = Locked(Inbox())
  private let connectionsPerHost: Int
  private var multi: UnsafeMutableRawPointer?
  private var hops: [UnsafeMutableRawPointer: Hop] = [:]
  private var nextScan = ContinuousClock.now

  init(connectionsPerHost: Int) { self.connectionsPerHost = max(1, connectionsPerHost) }

  func perform(_ job: @escaping @Sendable (borrowing EngineAccess) -> Void) {
    let starts = inbox.withLock { inbox in
      inbox.jobs.append(job)
      if let multi = inbox.multi { curl_multi_wakeup(multi) }
      defer { inbox.isRunning = true }
      return !inbox.isRunning
    }
    guard starts else { return }
    let thread = Thread { self.run() }
    thread.name = "steelpin-http"
    thread.start()
  }

  func stop() {
    inbox.withLock { inbox in
      inbox.isStopped = true
      if let multi = inbox.multi { curl_multi_wakeup(multi) }
    }
  }

  private func run() {
    let works = Hop.startLibrary()
    multi = works ? curl_multi_init() : nil
    if let multi {
      _ = chttp_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, connectionsPerHost)
      _ = chttp_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
      inbox.withLock { $0.multi = multi }
    }
    while runJobs() { turn() }
    inbox.withLock { $0.multi = nil }
    for hop in hops.values { remove(hop) }
    if let multi { curl_multi_cleanup(multi) }
  }

  /// Runs what was given; false if the thread has nothing to do any more. The jobs are gone before the thread waits, as
  /// they hold what may be the last reference to the engine. Swift 6.3.1 fails to compile this inside of its caller.
  @inline(never)
  private func runJobs() -> Bool {
    let (jobs, isStopped) = inbox.withLock { inbox in
      defer { inbox.jobs = [] }
      return (inbox.jobs, inbox.isStopped)
    }
    for job in jobs { job(EngineAccess(loop: self)) }
    return !isStopped || !jobs.isEmpty
  }

  /// Lets libcurl work, hands out what has ended, and waits for what is next.
  private func turn() {
    guard let multi else {
      // Every hop fails at once, so there is nothing to wait for but jobs.
      if isIdle { Thread.sleep(forTimeInterval: 0.01) }
      return
    }
    var running: CInt = 0
    curl_multi_perform(multi, &running)
    var code = CURLE_OK
    while let handle = chttp_finished(multi, &code) {
      guard let hop = hops[handle] else { continue }
      remove(hop)
      hop.finish(code, EngineAccess(loop: self))
    }
    scan()
    guard isIdle else { return }
    curl_multi_poll(multi, nil, 0, hops.isEmpty ? 60_000 : 100, nil)
  }

  private var isIdle: Bool { inbox.withLock { !$0.isStopped && $0.jobs.isEmpty } }

  /// Ends what has waited too long.
  private func scan() {
    let now = ContinuousClock.now
    guard now >= nextScan else { return }
    nextScan = now + .milliseconds(100)
    for hop in hops.values where hop.isOverdue(at: now) {
      remove(hop)
      hop.timeOut(EngineAccess(loop: self))
    }
  }

  func start(_ hop: Hop) {
    guard let multi, let handle = hop.configure(), curl_multi_add_handle(multi, handle) == CURLM_OK else {
      return perform { access in hop.finish(CURLE_FAILED_INIT, access) }
    }
    hops[handle] = hop
  }

  func remove(_ hop: Hop) {
    guard let multi, let handle = hop.handle, hops.removeValue(forKey: handle) != nil else { return }
    curl_multi_remove_handle(multi, handle)
    hop.release()
  }
}
