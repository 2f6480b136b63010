// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Steelpin
import SteelpinHTTP
import SteelpinTestSupport
import Synchronization
import Testing

/// What happens to a request between the moment it is made and the moment it goes out: the table changes, a connection
/// that was used before is lost, a body has to be sent once more.
@Suite("requests that wait, and requests that are repeated") struct RepetitionTests {
  /// A server of plain HTTP that keeps its connections: it answers with what a function of the request's number says, and
  /// closes without an answer where that is nil.
  private struct KeepingServer: Sendable {
    private final class Log: Sendable {
      struct State {
        var heads: [String] = []
        var isReleased = false
      }

      let state = Mutex(State())
    }

    private let log = Log()
    private let server: ScriptedServer

    init(_ answer: @escaping @Sendable (Int) -> String?) throws {
      let log = log
      server = try ScriptedServer { connection in
        while true {
          let bytes = connection.receive()
          guard !bytes.isEmpty else { return }
          // The parts of a body that come by themselves are not heads.
          let text = String(decoding: bytes, as: UTF8.self)
          guard text.contains(" HTTP/1.1\r\n") else { continue }
          let number = log.state.withLock { state in
            state.heads.append(text)
            return state.heads.count
          }
          if text.hasPrefix("GET /held") {
            while !log.state.withLock({ $0.isReleased }) { usleep(10_000) }
          }
          guard let line = answer(number) else { return }
          connection.send(Array("HTTP/1.1 \(line)\r\nContent-Length: 2\r\n\r\nok".utf8))
        }
      }
    }

    var heads: [String] { log.state.withLock { $0.heads } }
    func release() { log.state.withLock { $0.isReleased = true } }

    /// Waits until so many requests have come.
    func hears(_ count: Int) async throws {
      for _ in 0..<500 where heads.count < count { try await Task.sleep(for: .milliseconds(10)) }
    }

    func url(_ path: String = "/") throws -> URL { try #require(URL(string: "http://127.0.0.1:\(server.port)\(path)")) }
  }

  private static func table() throws -> HostTable {
    var table = HostTable(unknownHost: .deny)
    let local = try HostPattern(parsing: "127.0.0.1")
    table.rules[local] = .policy(TrustPolicy(anchors: .only(try TestCerts.roots())))
    table.plainHTTPHosts = [local]
    return table
  }

  private static func client() throws -> PinnedClient {
    var options = Demands.options { $0.maximumConnectionsPerHost = 1 }
    options.connectTo = []
    return PinnedClient(hosts: SharedHostTable(try table()), evaluator: trustBackends()[0], options: options)
  }

  @Test("a request that waited for a connection goes out under the table of that moment only")
  func waiting() async throws {
    let server = try KeepingServer { _ in "200 OK" }
    let client = try Self.client()
    let session = URLSession.pinned(by: client)
    async let held = session.data(from: try server.url("/held"))
    try await server.hears(1)
    async let queued = failure { try await session.data(from: try server.url("/queued")) }
    try await Task.sleep(for: .milliseconds(200))
    client.hosts.update { $0 = HostTable(unknownHost: .deny) }
    server.release()
    _ = try await held
    let error = try await queued
    guard case .denied = error.pinningFailure?.reason else { throw Unexpected(what: "\(error)") }
    #expect(server.heads.count == 1)
  }

  @Test("a chain that was judged during a handshake is judged again if the table changed meanwhile")
  func handshake() async throws {
    let listener = try await TLSListener()
    let client = PinnedClient(
      hosts: SharedHostTable(try HostTable([Demands.host: .policy(Demands.pinned(to: "leaf/p-256"))])),
      evaluator: ChangingEvaluator(base: trustBackends()[0]), options: Demands.options())
    let changing = try #require(client.evaluator as? ChangingEvaluator)
    changing.onFirst.withLock { $0 = { client.hosts.update { $0 = HostTable(unknownHost: .deny) } } }
    let url = try #require(URL(string: "https://\(Demands.host):\(listener.port)/secret"))
    let error = try await failure { try await URLSession.pinned(by: client).data(from: url) }
    guard case .denied = error.pinningFailure?.reason else { throw Unexpected(what: "\(error)") }
    #expect(!listener.text.contains("secret"))
  }

  @Test("a stream that waited is asked for again when a redirect wants it again")
  func stream() async throws {
    let server = try KeepingServer { number in number == 2 ? "307 Moved\r\nLocation: /again" : "200 OK" }
    let client = try Self.client()
    let giver = StreamGiver()
    let session = URLSession.pinned(by: client, delegate: giver)
    async let held = session.data(from: try server.url("/held"))
    try await server.hears(1)
    var request = URLRequest(url: try server.url("/stream"))
    request.httpMethod = "POST"
    let task = session.uploadTask(withStreamedRequest: request)
    task.resume()
    try await Task.sleep(for: .milliseconds(200))
    let other = try HostPattern(parsing: "other.test")
    client.hosts.update { $0.rules[other] = .deny }
    server.release()
    _ = try await held
    await giver.waitsForEnd()
    #expect(task.error == nil)
    #expect(giver.given.withLock { $0 } == 2)
    #expect(
      server.heads.map { $0.components(separatedBy: "\r\n")[0] } == [
        "GET /held HTTP/1.1", "POST /stream HTTP/1.1", "POST /again HTTP/1.1",
      ])
  }

  /// Makes a request and then another as soon as the first has its answer, whoever else waits for a thread: libcurl gives
  /// up connections that were idle for long.
  private func second(_ request: URLRequest, after first: URL) async throws -> Data {
    let session = URLSession.pinned(by: try Self.client())
    return try await withCheckedThrowingContinuation { continuation in
      session.dataTask(with: first) { _, _, _ in
        session.dataTask(with: request) { data, _, error in
          continuation.resume(with: error.map { .failure($0) } ?? .success(data ?? Data()))
        }.resume()
      }.resume()
    }
  }

  /// RFC 9110 section 9.2.2.
  @Test(
    "on a connection that is lost before an answer, only what may be repeated is",
    arguments: ["GET", "PUT", "DELETE", "POST", "PATCH"])
  func lost(_ method: String) async throws {
    let server = try KeepingServer { number in number == 2 ? nil : "200 OK" }
    var request = URLRequest(url: try server.url("/second"))
    request.httpMethod = method
    if method != "GET" { request.httpBody = Data("body".utf8) }
    if ["POST", "PATCH"].contains(method) {
      let error = try await failure { try await second(request, after: try server.url("/first")) }
      #expect(error.code == .networkConnectionLost, "\(error)")
      #expect(server.heads.count == 2)
    } else {
      let data = try await second(request, after: try server.url("/first"))
      #expect(String(decoding: data, as: UTF8.self) == "ok")
      #expect(server.heads.count == 3)
    }
  }

  @Test("a stream whose connection is lost cannot be sent again, which is no fault of the stream")
  func lostStream() async throws {
    let server = try KeepingServer { number in number == 2 ? nil : "200 OK" }
    var request = URLRequest(url: try server.url("/second"))
    request.httpMethod = "PUT"
    request.httpBodyStream = InputStream(data: Data("body".utf8))
    let error = try await failure { try await second(request, after: try server.url("/first")) }
    #expect(error.code == .networkConnectionLost, "\(error)")
  }

  @Test("of several readers of one body each octet goes to one, and all are answered")
  func readers() async throws {
    let server = try ScriptedServer { connection in
      connection.receive()
      connection.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n".utf8))
      for _ in 0..<5 {
        usleep(50_000)
        connection.send([0x2E])
      }
    }
    let session = URLSession.pinned(by: try Self.client())
    let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
    let (bytes, _) = try await session.bytes(for: URLRequest(url: url))
    let count = try await withThrowingTaskGroup { group in
      for _ in 0..<4 {
        group.addTask {
          var count = 0
          for try await _ in bytes { count += 1 }
          return count
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(count == 5)
  }

  @Test("how a body is framed is not for a field to say")
  func framing() async throws {
    let server = try KeepingServer { _ in "200 OK" }
    let session = URLSession.pinned(by: try Self.client())
    for method in ["GET", "POST"] {
      var request = URLRequest(url: try server.url())
      request.httpMethod = method
      request.setValue("chunked", forHTTPHeaderField: "transfer-encoding")
      request.setValue("77", forHTTPHeaderField: "Content-Length")
      if method == "POST" { request.httpBody = Data("body".utf8) }
      _ = try await session.data(for: request)
    }
    #expect(server.heads.allSatisfy { !$0.lowercased().contains("chunked") && !$0.contains("77") }, "\(server.heads)")
    #expect(server.heads.last?.contains("Content-Length: 4\r\n") == true)
  }
}

/// Does something while the first chain is judged.
private final class ChangingEvaluator: TrustEvaluator {
  let base: any TrustEvaluator
  let onFirst = Mutex<(@Sendable () -> Void)?>(nil)

  init(base: any TrustEvaluator) { self.base = base }

  var name: String { base.name }

  func evaluate(_ chain: CertificateChain, host: HostName?, policy: TrustPolicy) throws(BackendError) -> Verdict {
    let change = onFirst.withLock { change in
      defer { change = nil }
      return change
    }
    change?()
    return try base.evaluate(chain, host: host, policy: policy)
  }
}

/// Gives a new stream whenever it is asked for one.
private final class StreamGiver: NSObject, URLSessionTaskDelegate, Sendable {
  let given = Mutex(0)
  private let ends = AsyncStream<Void>.makeStream()

  func waitsForEnd() async { for await _ in ends.stream { return } }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
  ) {
    given.withLock { $0 += 1 }
    completionHandler(InputStream(data: Data("body".utf8)))
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    ends.continuation.yield()
  }
}
