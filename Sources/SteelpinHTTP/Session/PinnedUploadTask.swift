// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import FoundationNetworking

/// An upload task whose load is pinned. All of it is that of its core.
final class PinnedUploadTask: URLSessionUploadTask, @unchecked Sendable {
  private let core: TaskCore

  init(_ core: TaskCore, body: RequestBody?, asksForStream: Bool = false) {
    self.core = core
    super.init()
    core.attach(self, body: body, asksForStream: asksForStream)
  }

  override var taskIdentifier: Int { core.identifier }
  override var originalRequest: URLRequest? { core.originalRequest }
  override var currentRequest: URLRequest? { core.snapshot.currentRequest }
  override var response: URLResponse? { core.snapshot.response }
  override var error: (any Error)? { core.snapshot.error }
  override var state: URLSessionTask.State { core.snapshot.phase }
  override var progress: Progress { core.progress }
  override var countOfBytesReceived: Int64 { core.snapshot.received }
  override var countOfBytesSent: Int64 { core.snapshot.sent }
  override var countOfBytesExpectedToSend: Int64 { core.snapshot.expectedToSend }
  override var countOfBytesExpectedToReceive: Int64 { core.snapshot.expectedToReceive }

  override var delegate: (any URLSessionTaskDelegate)? {
    get { core.snapshot.delegate }
    set { core.delegate = newValue }
  }

  override func resume() { core.resume() }
  override func suspend() { core.suspend() }
  override func cancel() { core.cancel() }
}
