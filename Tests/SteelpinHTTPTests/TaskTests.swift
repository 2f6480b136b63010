// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Steelpin
import SteelpinHTTP
import SteelpinTestSupport
import Synchronization
import Testing

/// Keeps what a session says, in order.
private final class Recorder: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate {
  struct Said: Sendable {
    var events: [String] = []
    var data = Data()
    var sent: Int64 = 0
    var error: (any Error)?
    var isInvalid = false
  }

  let said = Mutex(Said())
  private let ended = Mutex<CheckedContinuation<Void, Never>?>(nil)

  func waitsForEnd(_ start: () -> Void) async {
    await withCheckedContinuation { continuation in
      ended.withLock { $0 = continuation }
      start()
    }
  }

  private func end() { ended.withLock { $0.take() }?.resume() }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    said.withLock { $0.events.append("response") }
    completionHandler((response as? HTTPURLResponse)?.statusCode == 410 ? .cancel : .allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    said.withLock { said in
      if said.events.last != "data" { said.events.append("data") }
      said.data += data
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    said.withLock { $0.sent = totalBytesSent }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
  ) {
    completionHandler(InputStream(data: Data("streamed".utf8)))
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    said.withLock { said in
      said.events.append("end")
      said.error = error
    }
    end()
  }

  func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL) {
    let data = try? Data(contentsOf: location)
    said.withLock { said in
      said.events.append("file")
      said.data = data ?? Data()
    }
  }

  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
    said.withLock { $0.isInvalid = true }
    end()
  }
}

@Suite("tasks", ExternalTool.nginx.required) struct TaskTests {
  private static let body = Array(repeating: UInt8(ascii: "s"), count: 5_000_000)

  private func site() async throws -> Site {
    try await Site { request in
      switch request.path {
      case "/gone": .init(Array("unwanted".utf8), status: 410)
      case "/large": .init(Self.body)
      default: .init(request.body.isEmpty ? Array("hello".utf8) : request.body)
      }
    }
  }

  @Test("a data task tells its delegate") func dataDelegate() async throws {
    let site = try await site()
    let recorder = Recorder()
    let task = try Demands.session(delegate: recorder).dataTask(with: try site.url("/large"))
    #expect(task.state == .suspended)
    await recorder.waitsForEnd { task.resume() }
    let said = recorder.said.withLock { $0 }
    #expect(said.events == ["response", "data", "end"])
    #expect(said.data.count == Self.body.count)
    #expect(said.error == nil && task.error == nil)
    #expect(task.state == .completed && task.taskIdentifier == 1)
    #expect(task.countOfBytesReceived == Int64(Self.body.count))
    #expect((task.response as? HTTPURLResponse)?.statusCode == 200)
    #expect(task.progress.isFinished)
  }

  @Test("a response that is not wanted ends the task") func unwanted() async throws {
    let site = try await site()
    let recorder = Recorder()
    let task = try Demands.session(delegate: recorder).dataTask(with: try site.url("/gone"))
    await recorder.waitsForEnd { task.resume() }
    let said = recorder.said.withLock { $0 }
    #expect(said.events == ["response", "end"])
    #expect((said.error as? URLError)?.code == .cancelled)
  }

  @Test("upload tasks of data and of a stream that is asked for, with progress") func uploads() async throws {
    let site = try await site()
    let recorder = Recorder()
    let session = try Demands.session(delegate: recorder)
    var request = URLRequest(url: try site.url())
    request.httpMethod = "PUT"
    await recorder.waitsForEnd { session.uploadTask(with: request, from: Data("data".utf8)).resume() }
    #expect(recorder.said.withLock { $0 }.data == Data("data".utf8))
    #expect(recorder.said.withLock { $0 }.sent == 4)
    await recorder.waitsForEnd { session.uploadTask(withStreamedRequest: request).resume() }
    #expect(recorder.said.withLock { $0 }.data == Data("datastreamed".utf8))
  }

  @Test("downloads: delegate, handler and asynchronous") func downloads() async throws {
    let site = try await site()
    let recorder = Recorder()
    let session = try Demands.session(delegate: recorder)
    let url = try site.url("/large")
    await recorder.waitsForEnd { session.downloadTask(with: url).resume() }
    #expect(recorder.said.withLock { $0 }.events == ["file", "end"])
    #expect(recorder.said.withLock { $0 }.data.count == Self.body.count)
    let (count, place): (Int?, URL?) = await withCheckedContinuation { continuation in
      session.downloadTask(with: url) { url, _, _ in
        continuation.resume(returning: (url.flatMap { try? Data(contentsOf: $0).count }, url))
      }.resume()
    }
    #expect(count == Self.body.count)
    // The file goes with the end of the handler.
    for _ in 0..<200 where FileManager.default.fileExists(atPath: place?.path ?? "") {
      try await Task.sleep(for: .milliseconds(20))
    }
    #expect(!FileManager.default.fileExists(atPath: place?.path ?? ""))
    let (file, _) = try await session.download(from: url)
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(try Data(contentsOf: file).count == Self.body.count)
    #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o600)
  }

  @Test("bytes as they come, all of them or only the first") func bytes() async throws {
    let site = try await site()
    let session = try Demands.session()
    let (bytes, response) = try await session.bytes(from: try site.url("/large"))
    #expect((response as? HTTPURLResponse)?.statusCode == 200)
    var count = 0
    var iterator = bytes.makeAsyncIterator()
    while let chunk = try await iterator.nextChunk() { count += chunk.count }
    #expect(count == Self.body.count)
    let (some, _) = try await session.bytes(from: try site.url("/large"))
    for try await byte in some {
      #expect(byte == UInt8(ascii: "s"))
      break
    }
    #expect(try await session.data(from: try site.url()).0 == Data("hello".utf8))
  }

  @Test("cancelled tasks end as such, whenever") func cancelled() async throws {
    let silent = try ScriptedServer { $0.receiveAll() }
    let url = try #require(URL(string: "https://www.steelpin.test:\(silent.port)/"))
    let session = try Demands.session()
    let task = Task { try await session.data(from: url) }
    task.cancel()
    #expect(try await failure { try await task.value }.code == .cancelled)
    let recorder = Recorder()
    let other = try Demands.session(delegate: recorder)
    let never = other.dataTask(with: url)
    await recorder.waitsForEnd { never.cancel() }
    #expect((recorder.said.withLock { $0 }.error as? URLError)?.code == .cancelled)
    await recorder.waitsForEnd {
      other.dataTask(with: url).resume()
      other.invalidateAndCancel()
    }
    #expect((recorder.said.withLock { $0 }.error as? URLError)?.code == .cancelled)
  }

  @Test("a suspended task waits, and goes on") func suspended() async throws {
    let site = try await site()
    let recorder = Recorder()
    let task = try Demands.session(delegate: recorder).dataTask(with: try site.url("/large"))
    await recorder.waitsForEnd {
      task.resume()
      task.suspend()
      #expect(task.state == .suspended)
      task.resume()
    }
    #expect(recorder.said.withLock { $0 }.data.count == Self.body.count)
  }

  @Test("an invalid session takes no tasks, and says when it ends") func invalid() async throws {
    let site = try await site()
    let recorder = Recorder()
    let session = try Demands.session(delegate: recorder)
    await recorder.waitsForEnd { session.finishTasksAndInvalidate() }
    #expect(recorder.said.withLock { $0 }.isInvalid)
    #expect(try await failure { try await session.data(from: try site.url()) }.code == .cancelled)
    #expect(site.requests.isEmpty)
  }

  @Test("a web socket is no way around the pins") func webSocket() async throws {
    let site = try await site()
    let url = try #require(URL(string: "wss://www.steelpin.test:\(site.port)/"))
    let task = try Demands.session().webSocketTask(with: url)
    task.resume()
    await #expect(throws: (any Error).self) { try await task.receive() }
    #expect(site.requests.isEmpty)
  }
}
