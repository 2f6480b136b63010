// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import FoundationNetworking
internal import Steelpin

extension PinnedURLSession {
  /// Loads a request. Throws URLError; what is demanded of the host is in its `pinningFailure`.
  public func data(for request: URLRequest) async throws -> (Data, URLResponse) {
    try await run { self.makeDataTask(request, DataDelivery(isInline: true, $0)) }
  }

  /// Loads a request with a delegate of its own.
  public func data(
    for request: URLRequest, delegate: any URLSessionTaskDelegate
  ) async throws -> (Data, URLResponse) {
    try await run { self.makeDataTask(request, DataDelivery(isInline: true, $0), delegate: delegate) }
  }

  /// Loads a URL.
  public func data(from url: URL) async throws -> (Data, URLResponse) { try await data(for: URLRequest(url: url)) }

  /// Loads a URL with a delegate of its own.
  public func data(from url: URL, delegate: any URLSessionTaskDelegate) async throws -> (Data, URLResponse) {
    try await data(for: URLRequest(url: url), delegate: delegate)
  }

  /// Sends data.
  public func upload(for request: URLRequest, from bodyData: Data) async throws -> (Data, URLResponse) {
    try await run { self.makeUploadTask(request, .data(bodyData), DataDelivery(isInline: true, $0)) }
  }

  /// Sends data with a delegate of its own.
  public func upload(
    for request: URLRequest, from bodyData: Data, delegate: any URLSessionTaskDelegate
  ) async throws -> (Data, URLResponse) {
    try await run {
      self.makeUploadTask(request, .data(bodyData), DataDelivery(isInline: true, $0), delegate: delegate)
    }
  }

  /// Sends a file.
  public func upload(for request: URLRequest, fromFile fileURL: URL) async throws -> (Data, URLResponse) {
    try await run { self.makeUploadTask(request, .file(fileURL), DataDelivery(isInline: true, $0)) }
  }

  /// Sends a file with a delegate of its own.
  public func upload(
    for request: URLRequest, fromFile fileURL: URL, delegate: any URLSessionTaskDelegate
  ) async throws -> (Data, URLResponse) {
    try await run {
      self.makeUploadTask(request, .file(fileURL), DataDelivery(isInline: true, $0), delegate: delegate)
    }
  }

  /// Loads a request into a temporary file, which is the caller's to remove.
  public func download(for request: URLRequest) async throws -> (URL, URLResponse) {
    try await run { self.makeDownloadTask(request, FileDelivery(isInline: true, $0)) }
  }

  /// Loads a request into a temporary file, with a delegate of its own.
  public func download(
    for request: URLRequest, delegate: any URLSessionTaskDelegate
  ) async throws -> (URL, URLResponse) {
    try await run { self.makeDownloadTask(request, FileDelivery(isInline: true, $0), delegate: delegate) }
  }

  /// Loads a URL into a temporary file, which is the caller's to remove.
  public func download(from url: URL) async throws -> (URL, URLResponse) {
    try await download(for: URLRequest(url: url))
  }

  /// Loads a request and hands out the body as it comes. A reader that is slow holds the server up.
  public func bytes(for request: URLRequest) async throws -> (PinnedBytes, URLResponse) {
    let delivery = ByteDelivery()
    let task = makeDataTask(request, delivery)
    return try await withTaskCancellationHandler {
      task.resume()
      let response = try await delivery.response()
      return (PinnedBytes(delivery, task), response)
    } onCancel: {
      task.cancel()
    }
  }

  /// Loads a URL and hands out the body as it comes.
  public func bytes(from url: URL) async throws -> (PinnedBytes, URLResponse) {
    try await bytes(for: URLRequest(url: url))
  }

  private func run<Value: Sendable>(
    _ make: (@escaping @Sendable (Value?, URLResponse?, (any Error)?) -> Void) -> URLSessionTask
  ) async throws -> (Value, URLResponse) {
    let answer = Answer<Value>()
    let task = make { value, response, error in answer.set(value, response, error) }
    return try await withTaskCancellationHandler {
      task.resume()
      return try await answer.get()
    } onCancel: {
      task.cancel()
    }
  }
}

/// What a completion handler gets, for one who waits.
private final class Answer<Value: Sendable>: Sendable {
  private typealias Outcome = Result<(Value, URLResponse), any Error>

  private struct State {
    var outcome: Outcome?
    var waiting: CheckedContinuation<(Value, URLResponse), any Error>?
  }

  private let state = Locked(State())

  func set(_ value: Value?, _ response: URLResponse?, _ error: (any Error)?) {
    let outcome: Outcome =
      if let value, let response { .success((value, response)) } else { .failure(error ?? URLError(.unknown)) }
    let waiting = state.withLock { state in
      state.outcome = outcome
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume(with: outcome)
  }

  func get() async throws -> (Value, URLResponse) {
    try await withCheckedThrowingContinuation { continuation in
      let outcome = state.withLock { state in
        if state.outcome == nil { state.waiting = continuation }
        return state.outcome
      }
      if let outcome { continuation.resume(with: outcome) }
    }
  }
}
