// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import FoundationNetworking
internal import Steelpin

/// The octets of a body as they come. It is read once: of several iterators each gets some of them. When it is given up,
/// the request is cancelled.
public struct PinnedBytes: AsyncSequence, Sendable {
  /// An octet.
  public typealias Element = UInt8
  /// URLError.
  public typealias Failure = any Error

  private final class Lifetime: Sendable {
    let task: URLSessionTask

    init(_ task: URLSessionTask) { self.task = task }

    deinit { task.cancel() }
  }

  private let delivery: ByteDelivery
  private let lifetime: Lifetime

  init(_ delivery: ByteDelivery, _ task: URLSessionTask) {
    self.delivery = delivery
    self.lifetime = Lifetime(task)
  }

  /// Reads the octets.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let delivery: ByteDelivery
    private let lifetime: Lifetime
    private var chunk: [UInt8] = []
    private var index = 0

    fileprivate init(_ bytes: PinnedBytes) {
      delivery = bytes.delivery
      lifetime = bytes.lifetime
    }

    /// The next octet; nil at the end. Throws URLError if the request failed.
    public mutating func next() async throws -> UInt8? {
      if index == chunk.count {
        guard let next = try await nextChunk() else { return nil }
        chunk = Array(next)
        index = 0
      }
      defer { index += 1 }
      return chunk[index]
    }

    /// What has come since the last time, at least one octet; nil at the end.
    public mutating func nextChunk() async throws -> Data? {
      if index < chunk.count {
        defer { index = chunk.count }
        return Data(chunk[index...])
      }
      let task = lifetime.task
      return try await withTaskCancellationHandler {
        try await delivery.next()
      } onCancel: {
        task.cancel()
      }
    }
  }

  /// An iterator.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

/// Holds what came until it is read.
final class ByteDelivery: TaskDelivery, Sendable {
  fileprivate struct State {
    var response: URLResponse?
    var chunks: [Data] = []
    var end: Result<Void, any Error>?
    var responseWaiter: CheckedContinuation<URLResponse, any Error>?
    /// Those who wait for octets, in the order in which they came.
    var chunkWaiters: [CheckedContinuation<Data?, any Error>] = []
    /// To say that something was read.
    weak var core: TaskCore?
  }

  private let state = Locked(State())

  func received(
    _ response: HTTPURLResponse, by core: TaskCore, decide: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) -> URLSession.ResponseDisposition? {
    let waiter = state.withLock { state in
      state.response = response
      state.core = core
      defer { state.responseWaiter = nil }
      return state.responseWaiter
    }
    waiter?.resume(returning: response)
    return .allow
  }

  func received(_ data: Data, by core: TaskCore) -> Bool {
    let waiter = state.withLock { state -> CheckedContinuation<Data?, any Error>? in
      if state.chunkWaiters.isEmpty {
        state.chunks.append(data)
        return nil
      }
      return state.chunkWaiters.removeFirst()
    }
    waiter?.resume(returning: data)
    return waiter != nil
  }

  func ended(_ error: (any Error)?, by core: TaskCore, finish: @escaping @Sendable () -> Void) {
    finish()
    let end: Result<Void, any Error> = error.map { .failure($0) } ?? .success(())
    let (forResponse, forChunks) = state.withLock { state in
      state.end = end
      defer { (state.responseWaiter, state.chunkWaiters) = (nil, []) }
      return (state.responseWaiter, state.chunkWaiters)
    }
    forResponse?.resume(throwing: error ?? URLError(.badServerResponse))
    for waiter in forChunks { waiter.resume(with: end.map { nil }) }
  }

  func response() async throws -> URLResponse {
    try await withCheckedThrowingContinuation { continuation in
      let outcome = state.withLock { state -> Result<URLResponse, any Error>? in
        if let response = state.response { return .success(response) }
        if let end = state.end { return end.flatMap { .failure(URLError(.badServerResponse)) } }
        state.responseWaiter = continuation
        return nil
      }
      if let outcome { continuation.resume(with: outcome) }
    }
  }

  func next() async throws -> Data? {
    if let data = takeChunk() { return data }
    return try await withCheckedThrowingContinuation { continuation in
      let outcome = state.withLock { state -> Result<Data?, any Error>? in
        // It may have come meanwhile.
        if let data = state.takeChunk() { return .success(data) }
        if let end = state.end { return end.map { nil } }
        state.chunkWaiters.append(continuation)
        return nil
      }
      if case .success(let data?) = outcome { dealtWith(data) }
      if let outcome { continuation.resume(with: outcome) }
    }
  }

  private func takeChunk() -> Data? {
    let data = state.withLock { $0.takeChunk() }
    if let data { dealtWith(data) }
    return data
  }

  private func dealtWith(_ data: Data) { state.withLock { $0.core }?.dealtWith(data.count) }
}

extension ByteDelivery.State {
  /// All that is there, as one piece.
  fileprivate mutating func takeChunk() -> Data? {
    guard let first = chunks.first else { return nil }
    let data = chunks.count == 1 ? first : Data(chunks.joined())
    chunks = []
    return data
  }
}
