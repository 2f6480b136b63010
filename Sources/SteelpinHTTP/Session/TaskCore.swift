// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import FoundationNetworking
internal import Steelpin

/// What the three kinds of task have in common: the load, and what a task shows of it. The state behind the lock may be
/// read from any thread; the rest belongs to the engine's thread.
final class TaskCore: @unchecked Sendable {
  struct State: Sendable {
    var phase = URLSessionTask.State.suspended
    /// Suspensions that are not taken back; a new task has one.
    var suspensions = 1
    var isStarted = false
    var currentRequest: URLRequest?
    var response: URLResponse?
    var error: (any Error)?
    var received: Int64 = 0
    var expectedToReceive: Int64 = 0
    var sent: Int64 = 0
    var expectedToSend: Int64 = 0
    var delegate: (any URLSessionTaskDelegate)?
    /// The task while it runs, which lives as long.
    var task: URLSessionTask?
  }

  let identifier: Int
  let originalRequest: URLRequest
  let session: PinnedURLSession
  let progress = Progress(totalUnitCount: -1)
  private let delivery: any TaskDelivery
  private let state: Locked<State>
  private(set) weak var task: URLSessionTask?
  private let load = Locked(LoadState.missing(nil))

  /// A task of which nothing becomes has no load, and is forgotten.
  private enum LoadState: Sendable {
    case ended
    /// Not made yet, with what makes it.
    case missing((@Sendable (TaskCore) -> Load)?)
    case running(Load)
  }

  init(
    session: PinnedURLSession, request: URLRequest, delivery: any TaskDelivery, delegate: (any URLSessionTaskDelegate)?
  ) {
    self.session = session
    self.identifier = session.nextIdentifier()
    self.originalRequest = request
    self.delivery = delivery
    self.state = Locked(State(currentRequest: request, delegate: delegate))
  }

  /// Connects the core with its task and with what it will load.
  func attach(_ task: URLSessionTask, body: RequestBody?, asksForStream: Bool = false) {
    self.task = task
    load.withLock { load in
      load = .missing { core in
        Load(
          client: core.session.client, settings: core.session.settings, request: core.originalRequest, body: body,
          asksForStream: asksForStream, events: core)
      }
    }
    progress.cancellationHandler = { [weak self] in self?.cancel() }
  }

  var snapshot: State { state.withLock { $0 } }

  /// The delegate of the task, or else that of the session.
  var delegate: (any URLSessionTaskDelegate)? {
    get { snapshot.delegate ?? session.delegate as? any URLSessionTaskDelegate }
    set { state.withLock { $0.delegate = newValue } }
  }

  // MARK: for any thread

  func resume() {
    let isFirst = state.withLock { state -> Bool? in
      guard state.phase == .suspended || state.phase == .running else { return nil }
      state.suspensions = max(0, state.suspensions - 1)
      guard state.suspensions == 0, state.phase == .suspended else { return nil }
      state.phase = .running
      defer { state.isStarted = true }
      state.task = task
      return !state.isStarted
    }
    switch isFirst {
    case true:
      let load = makeLoad()
      if session.add(self) { load?.start() } else { load?.cancel() }
    case false: currentLoad?.setSuspended(false)
    case nil: break
    }
  }

  func suspend() {
    let suspends = state.withLock { state in
      guard state.phase == .suspended || state.phase == .running else { return false }
      state.suspensions += 1
      defer { state.phase = .suspended }
      return state.phase == .running
    }
    if suspends { currentLoad?.setSuspended(true) }
  }

  func cancel() {
    let cancels = state.withLock { state in
      guard state.phase == .suspended || state.phase == .running else { return false }
      state.phase = .canceling
      state.task = task
      return true
    }
    if cancels { makeLoad()?.cancel() }
  }

  func dealtWith(_ count: Int) { currentLoad?.dealtWith(count) }

  private var currentLoad: Load? {
    load.withLock { load in
      if case .running(let load) = load { load } else { nil }
    }
  }

  /// The load, which is made when the task starts or is cancelled; nil after its end.
  private func makeLoad() -> Load? {
    load.withLock { load in
      if case .missing(let make?) = load { load = .running(make(self)) }
      if case .running(let load) = load { return load }
      return nil
    }
  }

  /// Runs where the session's delegate is called, unless the task is gone.
  func onDelegateQueue(_ work: @escaping @Sendable (URLSession, URLSessionTask) -> Void) {
    let core = self
    session.delegateQueue.addOperation {
      guard let task = core.task ?? core.snapshot.task else { return }
      work(core.session, task)
    }
  }

  func changeState(_ change: (inout State) -> Void) {
    state.withLock { change(&$0) }
  }

  private func updateProgress() {
    let now = snapshot
    progress.completedUnitCount = now.sent + now.received
    // The server says what is to be received, which may be anything.
    let (total, isTooMuch) = now.expectedToSend.addingReportingOverflow(now.expectedToReceive)
    let isKnown = now.expectedToReceive > 0 && now.expectedToSend >= 0 && !isTooMuch
    progress.totalUnitCount = isKnown ? total : -1
  }
}

extension TaskCore: LoadEvents {
  func began(_ request: URLRequest) { changeState { $0.currentRequest = request } }

  func willRedirect(
    _ response: HTTPURLResponse, to request: URLRequest, decide: @escaping @Sendable (URLRequest?) -> Void
  ) {
    guard let delegate else { return decide(request) }
    onDelegateQueue { session, task in
      delegate.urlSession(
        session, task: task, willPerformHTTPRedirection: response, newRequest: request, completionHandler: decide)
    }
  }

  func received(
    _ challenge: URLAuthenticationChallenge,
    decide: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    guard let delegate else { return decide(.performDefaultHandling, nil) }
    onDelegateQueue { session, task in
      delegate.urlSession(session, task: task, didReceive: challenge, completionHandler: decide)
    }
  }

  func needsStream(decide: @escaping @Sendable (InputStream?) -> Void) {
    guard let delegate else { return decide(nil) }
    onDelegateQueue { session, task in
      delegate.urlSession(session, task: task, needNewBodyStream: decide)
    }
  }

  func received(
    _ response: HTTPURLResponse, decide: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) -> URLSession.ResponseDisposition? {
    changeState { state in
      state.response = response
      state.received = 0
      state.expectedToReceive = response.expectedContentLength
    }
    return delivery.received(response, by: self, decide: decide)
  }

  func received(_ data: Data) -> Bool {
    changeState { $0.received += Int64(data.count) }
    updateProgress()
    return delivery.received(data, by: self)
  }

  func sent(_ count: Int64, total: Int64, expected: Int64) {
    changeState { state in
      state.sent = total
      state.expectedToSend = expected
    }
    updateProgress()
    guard let delegate else { return }
    onDelegateQueue { session, task in
      delegate.urlSession(
        session, task: task, didSendBodyData: count, totalBytesSent: total, totalBytesExpectedToSend: expected)
    }
  }

  func ended(_ error: (any Error)?) {
    load.withLock { $0 = .ended }
    progress.totalUnitCount = max(1, progress.totalUnitCount)
    progress.completedUnitCount = progress.totalUnitCount
    changeState { $0.error = error }
    delivery.ended(error, by: self) { [self] in
      changeState { state in
        state.phase = .completed
        state.task = nil
      }
      session.remove(self)
    }
  }
}
