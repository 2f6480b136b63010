// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import FoundationNetworking
public import Steelpin

extension URLSession {
  /// A session whose https requests go through only if the server's chain satisfies what a table demands of the host.
  ///
  /// The connections are the session's own. Throws nothing and connects to nothing.
  public static func pinned(
    by hosts: HostTable, evaluator: any TrustEvaluator, options: PinningOptions? = nil,
    configuration: URLSessionConfiguration = .ephemeral, delegate: (any URLSessionDelegate)? = nil,
    delegateQueue: OperationQueue? = nil
  ) -> PinnedURLSession {
    var own = options ?? PinningOptions()
    if options == nil { own.maximumConnectionsPerHost = configuration.httpMaximumConnectionsPerHost }
    return pinned(
      by: PinnedClient(hosts: SharedHostTable(hosts), evaluator: evaluator, options: own), configuration: configuration,
      delegate: delegate, delegateQueue: delegateQueue)
  }

  /// A session whose requests a client carries, who may carry those of other sessions, too.
  public static func pinned(
    by client: PinnedClient, configuration: URLSessionConfiguration = .ephemeral,
    delegate: (any URLSessionDelegate)? = nil, delegateQueue: OperationQueue? = nil
  ) -> PinnedURLSession {
    PinnedURLSession(client, configuration: configuration, delegate: delegate, delegateQueue: delegateQueue)
  }
}

/// A session whose requests are pinned, whichever way they are made. Nothing is carried by the system's own loading:
/// schemes other than https and http fail, and so do web sockets.
///
/// There is no cache, and no resuming of downloads. The asynchronous forms of URLSession itself know nothing of this
/// class: used through a variable of type URLSession, `data` and `upload` are pinned as well but report neither
/// redirects nor progress, and `download` fails.
public final class PinnedURLSession: URLSession, @unchecked Sendable {
  /// What carries the requests.
  public let client: PinnedClient
  let settings: LoadSettings
  private let slot: ProtocolSlot
  private let tasks = Locked(Tasks())

  private struct Tasks: Sendable {
    var lastIdentifier = 0
    var running: [Int: TaskCore] = [:]
    var isInvalid = false
    var onIdle: (@Sendable () -> Void)?
  }

  init(
    _ client: PinnedClient, configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?,
    delegateQueue: OperationQueue?
  ) {
    self.client = client
    settings = LoadSettings(configuration)
    slot = ProtocolSlot(client: client, settings: settings)
    let own = configuration.copy() as? URLSessionConfiguration ?? configuration
    // What URLSession makes by itself is loaded by this class, and by no other.
    own.protocolClasses = [slot.protocolClass]
    own.urlCache = nil
    super.init(configuration: own, delegate: delegate, delegateQueue: delegateQueue)
  }

  func nextIdentifier() -> Int {
    tasks.withLock { tasks in
      tasks.lastIdentifier += 1
      return tasks.lastIdentifier
    }
  }

  /// Takes a task that starts; false if the session is invalid.
  func add(_ core: TaskCore) -> Bool {
    tasks.withLock { tasks in
      guard !tasks.isInvalid else { return false }
      tasks.running[core.identifier] = core
      return true
    }
  }

  func remove(_ core: TaskCore) {
    let onIdle = tasks.withLock { tasks -> (@Sendable () -> Void)? in
      tasks.running[core.identifier] = nil
      guard tasks.running.isEmpty else { return nil }
      defer { tasks.onIdle = nil }
      return tasks.onIdle
    }
    onIdle?()
  }

  private var running: [URLSessionTask] {
    tasks.withLock { Array($0.running.values) }.sorted { $0.identifier < $1.identifier }.compactMap(\.task)
  }

  /// Takes no more tasks, and ends when those that run have ended.
  public override func finishTasksAndInvalidate() {
    let isIdle = tasks.withLock { tasks in
      tasks.isInvalid = true
      if !tasks.running.isEmpty { tasks.onIdle = { self.finishInvalidation() } }
      return tasks.running.isEmpty
    }
    if isIdle { finishInvalidation() }
  }

  private func finishInvalidation() { super.finishTasksAndInvalidate() }

  /// Takes no more tasks, and cancels those that run.
  public override func invalidateAndCancel() {
    finishTasksAndInvalidate()
    for task in running { task.cancel() }
  }

  /// Hands out the tasks that run.
  public override func getAllTasks(completionHandler: @escaping @Sendable ([URLSessionTask]) -> Void) {
    delegateQueue.addOperation { completionHandler(self.running) }
  }

  /// Hands out the tasks that run, by their kind.
  public override func getTasksWithCompletionHandler(
    _ completionHandler:
      @escaping @Sendable ([URLSessionDataTask], [URLSessionUploadTask], [URLSessionDownloadTask]) ->
      Void
  ) {
    delegateQueue.addOperation {
      let running = self.running
      let uploads = running.compactMap { $0 as? URLSessionUploadTask }
      completionHandler(
        running.filter { !($0 is URLSessionUploadTask) }.compactMap { $0 as? URLSessionDataTask }, uploads,
        running.compactMap { $0 as? URLSessionDownloadTask })
    }
  }

  // MARK: tasks

  /// A task that loads a request and tells the delegate.
  public override func dataTask(with request: URLRequest) -> URLSessionDataTask {
    makeDataTask(request, DelegateDelivery())
  }

  /// A task that loads a URL and tells the delegate.
  public override func dataTask(with url: URL) -> URLSessionDataTask { dataTask(with: URLRequest(url: url)) }

  /// A task that loads a request and calls a handler on the delegate queue.
  public override func dataTask(
    with request: URLRequest, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDataTask { makeDataTask(request, DataDelivery(completionHandler)) }

  /// A task that loads a URL and calls a handler on the delegate queue.
  public override func dataTask(
    with url: URL, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDataTask { dataTask(with: URLRequest(url: url), completionHandler: completionHandler) }

  /// A task that sends a file and tells the delegate.
  public override func uploadTask(with request: URLRequest, fromFile fileURL: URL) -> URLSessionUploadTask {
    makeUploadTask(request, .file(fileURL), DelegateDelivery())
  }

  /// A task that sends data and tells the delegate.
  public override func uploadTask(with request: URLRequest, from bodyData: Data) -> URLSessionUploadTask {
    makeUploadTask(request, .data(bodyData), DelegateDelivery())
  }

  /// A task that asks the delegate for a stream to send.
  public override func uploadTask(withStreamedRequest request: URLRequest) -> URLSessionUploadTask {
    makeUploadTask(request, nil, DelegateDelivery(), asksForStream: true)
  }

  /// A task that sends a file and calls a handler on the delegate queue.
  public override func uploadTask(
    with request: URLRequest, fromFile fileURL: URL,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionUploadTask { makeUploadTask(request, .file(fileURL), DataDelivery(completionHandler)) }

  /// A task that sends data and calls a handler on the delegate queue.
  public override func uploadTask(
    with request: URLRequest, from bodyData: Data?,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionUploadTask { makeUploadTask(request, .data(bodyData ?? Data()), DataDelivery(completionHandler)) }

  /// A task that loads a request into a file and tells the delegate.
  public override func downloadTask(with request: URLRequest) -> URLSessionDownloadTask {
    makeDownloadTask(request, FileDelivery(nil))
  }

  /// A task that loads a URL into a file and tells the delegate.
  public override func downloadTask(with url: URL) -> URLSessionDownloadTask {
    downloadTask(with: URLRequest(url: url))
  }

  /// A task that loads a request into a file and calls a handler on the delegate queue; the file is removed afterwards.
  public override func downloadTask(
    with request: URLRequest, completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDownloadTask { makeDownloadTask(request, FileDelivery(completionHandler)) }

  /// A task that loads a URL into a file and calls a handler on the delegate queue; the file is removed afterwards.
  public override func downloadTask(
    with url: URL, completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDownloadTask { downloadTask(with: URLRequest(url: url), completionHandler: completionHandler) }

  /// A task that was cancelled: web sockets cannot be pinned here.
  public override func webSocketTask(with url: URL) -> URLSessionWebSocketTask {
    let task = super.webSocketTask(with: url)
    task.cancel()
    return task
  }

  /// A task that was cancelled: web sockets cannot be pinned here.
  public override func webSocketTask(with url: URL, protocols: [String]) -> URLSessionWebSocketTask {
    webSocketTask(with: url)
  }

  /// A task that was cancelled: web sockets cannot be pinned here.
  public override func webSocketTask(with request: URLRequest) -> URLSessionWebSocketTask {
    let task = super.webSocketTask(with: request)
    task.cancel()
    return task
  }
}
