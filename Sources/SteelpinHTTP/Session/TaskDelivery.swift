// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import FoundationNetworking
private import Glibc

/// Where the response of a task goes. All is called on the engine's thread.
protocol TaskDelivery: AnyObject, Sendable {
  /// Whether the body is wanted; nil is said later, by the closure.
  func received(
    _ response: HTTPURLResponse, by core: TaskCore, decide: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) -> URLSession.ResponseDisposition?
  /// Whether the part is dealt with.
  func received(_ data: Data, by core: TaskCore) -> Bool
  /// Ends the task by calling `finish` before the caller is told.
  func ended(_ error: (any Error)?, by core: TaskCore, finish: @escaping @Sendable () -> Void)
}

extension TaskDelivery {
  func received(
    _ response: HTTPURLResponse, by core: TaskCore, decide: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) -> URLSession.ResponseDisposition? {
    .allow
  }
}

/// To the delegate, part by part.
final class DelegateDelivery: TaskDelivery {
  func received(
    _ response: HTTPURLResponse, by core: TaskCore, decide: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) -> URLSession.ResponseDisposition? {
    guard let delegate = core.delegate as? any URLSessionDataDelegate else { return .allow }
    core.onDelegateQueue { session, task in
      guard let task = task as? URLSessionDataTask else { return decide(.allow) }
      delegate.urlSession(session, dataTask: task, didReceive: response, completionHandler: decide)
    }
    return nil
  }

  func received(_ data: Data, by core: TaskCore) -> Bool {
    guard let delegate = core.delegate as? any URLSessionDataDelegate else { return true }
    core.onDelegateQueue { session, task in
      if let task = task as? URLSessionDataTask { delegate.urlSession(session, dataTask: task, didReceive: data) }
      core.dealtWith(data.count)
    }
    return false
  }

  func ended(_ error: (any Error)?, by core: TaskCore, finish: @escaping @Sendable () -> Void) {
    guard let delegate = core.delegate else { return finish() }
    core.onDelegateQueue { session, task in
      finish()
      delegate.urlSession(session, task: task, didCompleteWithError: error)
    }
  }
}

/// To a completion handler, as one piece.
final class DataDelivery: TaskDelivery, @unchecked Sendable {
  typealias Handler = @Sendable (Data?, URLResponse?, (any Error)?) -> Void

  private let handler: Handler
  private let isInline: Bool
  private var data = Data()

  /// `isInline` calls the handler on the engine's thread instead of the delegate queue.
  init(isInline: Bool = false, _ handler: @escaping Handler) {
    self.handler = handler
    self.isInline = isInline
  }

  func received(_ data: Data, by core: TaskCore) -> Bool {
    self.data.append(data)
    return true
  }

  func ended(_ error: (any Error)?, by core: TaskCore, finish: @escaping @Sendable () -> Void) {
    let data = error == nil ? self.data : nil
    self.data = Data()
    let response = core.snapshot.response
    guard !isInline else {
      finish()
      return handler(data, error == nil ? response : nil, error)
    }
    core.onDelegateQueue { [handler] _, task in
      finish()
      handler(data, error == nil ? task.response : nil, error)
    }
  }
}

/// To a temporary file, and then to a completion handler or the delegate.
final class FileDelivery: TaskDelivery, @unchecked Sendable {
  typealias Handler = @Sendable (URL?, URLResponse?, (any Error)?) -> Void

  private let handler: Handler?
  private let isInline: Bool
  private let url = FileManager.default.temporaryDirectory.appendingPathComponent("steelpin-\(UUID().uuidString).tmp")
  private var file: FileHandle?
  private var failure: (any Error)?

  /// `isInline` calls the handler on the engine's thread, and leaves the file to the caller.
  init(isInline: Bool = false, _ handler: Handler?) {
    self.handler = handler
    self.isInline = isInline
  }

  func received(
    _ response: HTTPURLResponse, by core: TaskCore, decide: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) -> URLSession.ResponseDisposition? {
    // Nobody else may read what is downloaded, nor have put something in its place.
    let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      failure = URLError(.cannotCreateFile, "the file for the download cannot be made", url: nil)
      return .cancel
    }
    file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    return .allow
  }

  func received(_ data: Data, by core: TaskCore) -> Bool {
    do {
      try file?.write(contentsOf: data)
    } catch {
      failure = URLError(.cannotWriteToFile, "the download cannot be written", url: nil, underlying: error)
      core.cancel()
      return true
    }
    guard handler == nil, let delegate = core.delegate as? any URLSessionDownloadDelegate else { return true }
    let now = core.snapshot
    core.onDelegateQueue { session, task in
      if let task = task as? URLSessionDownloadTask {
        delegate.urlSession(
          session, downloadTask: task, didWriteData: Int64(data.count), totalBytesWritten: now.received,
          totalBytesExpectedToWrite: now.expectedToReceive)
      }
      core.dealtWith(data.count)
    }
    return false
  }

  func ended(_ error: (any Error)?, by core: TaskCore, finish: @escaping @Sendable () -> Void) {
    try? file?.close()
    file = nil
    let error = failure ?? error
    let url = self.url
    if error != nil { try? FileManager.default.removeItem(at: url) }
    if let handler, isInline {
      finish()
      return handler(error == nil ? url : nil, error == nil ? core.snapshot.response : nil, error)
    }
    core.onDelegateQueue { [handler] session, task in
      if let handler {
        finish()
        handler(error == nil ? url : nil, error == nil ? task.response : nil, error)
      } else {
        if error == nil, let task = task as? URLSessionDownloadTask {
          (core.delegate as? any URLSessionDownloadDelegate)?
            .urlSession(session, downloadTask: task, didFinishDownloadingTo: url)
        }
        finish()
        core.delegate?.urlSession(session, task: task, didCompleteWithError: error)
      }
      // It is gone if it was moved, which it should be to be kept.
      try? FileManager.default.removeItem(at: url)
    }
  }
}
