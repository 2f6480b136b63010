// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinFetch
import SteelpinTestSupport
import Synchronization
import Testing

/// Fetching over HTTP, from servers on loopback.
@Suite("fetching over HTTP") struct HTTPRevocationFetcherTests {
  private func server() throws -> LoopbackHTTPServer {
    try LoopbackHTTPServer { request in
      switch request.path {
      case "/list": .init([1, 2, 3])
      case "/echo": .init(Array(request.method.utf8) + request.body)
      case "/type": .init(Array(request.head.lowercased().utf8))
      case "/moved": .init([], status: 301, headers: ["Location: /list"])
      case "/loop": .init([], status: 302, headers: ["Location: /loop"])
      case "/file": .init([], status: 302, headers: ["Location: file:///etc/hostname"])
      case "/slow": .init([1], delay: .seconds(3))
      case "/long": .init([UInt8](repeating: 0, count: 4097))
      default: .init([], status: 404)
      }
    }
  }

  private func fetch(_ path: String, of server: LoopbackHTTPServer) -> Result<[UInt8], RevocationFetchError> {
    let fetcher = HTTPRevocationFetcher(timeout: .seconds(1), maximumOctets: 4096)
    return Result { () throws(RevocationFetchError) in try fetcher.fetch(.list(url: server.url + path)) }
  }

  @Test("what is there is fetched, redirects followed", arguments: ["/list", "/moved"])
  func fetched(_ path: String) throws {
    #expect(try fetch(path, of: server()) == .success([1, 2, 3]))
  }

  @Test(
    "what is refused, and why",
    arguments: [
      ("/missing", "status 404"), ("/loop", "redirect"), ("/file", "rotocol"), ("/slow", "timed out"),
      ("/long", "longer than 4096"),
    ])
  func refused(_ path: String, _ reason: String) throws {
    guard case .failure(let error) = try fetch(path, of: server()) else {
      Issue.record("\(path) was fetched")
      return
    }
    #expect(error.description.contains(reason), "\(error)")
  }

  @Test("only HTTP is spoken", arguments: ["file:///etc/hostname", "ftp://127.0.0.1/x", "ldap://127.0.0.1/x", "x", ""])
  func schemes(_ url: String) {
    #expect(throws: RevocationFetchError.self) { try HTTPRevocationFetcher().fetch(.list(url: url)) }
  }

  @Test("a request is posted with its media type") func post() throws {
    let (server, fetcher) = (try server(), HTTPRevocationFetcher())
    let answer = try fetcher.fetch(.ocsp(url: server.url + "/echo", request: [0, 1, 2]))
    #expect(answer == Array("POST".utf8) + [0, 1, 2])
    let head = try fetcher.fetch(.ocsp(url: server.url + "/type", request: [0, 1, 2]))
    #expect(String(decoding: head, as: UTF8.self).contains("content-type: application/ocsp-request"))
  }

  @Test("answers are kept, failures too, for a while")
  func kept() throws {
    final class Counter: Sendable { let count = Mutex(0) }
    let counter = Counter()
    let server = try LoopbackHTTPServer { request in
      .init(
        [
          UInt8(
            counter.count.withLock {
              $0 += 1; return $0
            })
        ], status: request.path == "/bad" ? 500 : 200)
    }
    let fetcher = HTTPRevocationFetcher(keeping: .seconds(60))
    let request = RevocationRequest.list(url: server.url + "/list")
    #expect(try fetcher.fetch(request) == [1])
    #expect(try fetcher.fetch(request) == [1])
    for _ in 0..<2 {
      #expect(throws: RevocationFetchError.self) { try fetcher.fetch(.list(url: server.url + "/bad")) }
    }
    #expect(counter.count.withLock { $0 } == 2)
    let forgetful = HTTPRevocationFetcher(keeping: .zero)
    #expect(try forgetful.fetch(request) == [3])
    #expect(try forgetful.fetch(request) == [4])
  }
}
