// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Steelpin
import SteelpinHTTP
import SteelpinTestSupport
import Testing

@Suite("host tables of sessions", ExternalTool.nginx.required) struct HostTableSessionTests {
  @Test("a host without an entry is denied, and one that is denied, before anything is sent")
  func denied() async throws {
    let site = try await Site()
    for table in [HostTable(), try HostTable([Demands.host: .deny], unknownHost: .system)] {
      let error = try await failure {
        try await Demands.session(table, by: trustBackends()[0]).data(from: try site.url())
      }
      #expect(error.code == .cannotConnectToHost)
      guard case .denied = error.pinningFailure?.reason else {
        Issue.record("not denied: \(error)")
        continue
      }
    }
    #expect(site.requests.isEmpty)
  }

  @Test("`.system` trusts the evaluator's system anchors, and nothing without them") func system() async throws {
    let site = try await Site()
    for (anchors, code) in [(try TestCerts.roots(), nil), (nil, URLError.Code.serverCertificateHasUnknownRoot)] {
      let table = try HostTable([Demands.host: .system])
      let session = Demands.session(table, by: trustBackends(systemAnchors: anchors)[0])
      do {
        _ = try await session.data(from: try site.url())
        #expect(code == nil)
      } catch let error as URLError {
        #expect(error.code == code, "\(error)")
      }
    }
  }

  @Test("`.bypass` leaves the host to libcurl, which does not know these roots") func bypass() async throws {
    let site = try await Site()
    let session = Demands.session(try HostTable([Demands.host: .bypass]), by: trustBackends()[0])
    let error = try await failure { try await session.data(from: try site.url()) }
    #expect(error.code == .serverCertificateUntrusted)
    #expect(error.pinningFailure == nil)
    #expect(site.requests.isEmpty)
  }

  @Test("plain http goes only where the table allows it") func plainHTTP() async throws {
    let server = try LoopbackHTTPServer { _ in .init(Array("plain".utf8)) }
    let url = try #require(URL(string: server.url))
    var table = try HostTable(["127.0.0.1": .policy(Demands.pinned(to: "leaf/p-256"))])
    let error = try await failure { try await Demands.session(table, by: trustBackends()[0]).data(from: url) }
    #expect(error.code == .appTransportSecurityRequiresSecureConnection)
    guard case .plainHTTP = error.pinningFailure?.reason else { throw Unexpected(what: "\(error)") }
    table.plainHTTPHosts = [try HostPattern(parsing: "127.0.0.1")]
    let (data, _) = try await Demands.session(table, by: trustBackends()[0]).data(from: url)
    #expect(String(decoding: data, as: UTF8.self) == "plain")
  }

  @Test(
    "names are normal before they are looked up",
    arguments: ["WWW.Steelpin.TEST", "www.steelpin.test.", "user:secret@www.steelpin.test"])
  func names(_ host: String) async throws {
    let site = try await Site()
    _ = try await Demands.session().data(from: try site.url("/", host: host))
    #expect(site.requests.count == 1)
    #expect(site.requests.first?.head.contains("secret") == false)
  }

  @Test(
    "URLs that are none, or not of the web",
    arguments: ["ftp://www.steelpin.test/", "https:///path", "file:///etc/passwd"])
  func otherURLs(_ text: String) async throws {
    let url = try #require(URL(string: text))
    let error = try await failure { try await Demands.session().data(from: url) }
    #expect([.badURL, .unsupportedURL].contains(error.code))
  }
}

@Suite("connections", ExternalTool.nginx.required) struct ConnectionTests {
  private let versions = ["TLSv1.2", "TLSv1.3"]

  private func echo(_ name: String) -> @Sendable (Site.Request) -> Site.Response {
    { request in
      let line = request.head.components(separatedBy: "\r\n").first { $0.hasPrefix(name + ":") } ?? ""
      return .init(Array(line.dropFirst(name.count + 2).utf8))
    }
  }

  @Test("a connection is used again, with HTTP/2 and HTTP/1.1 alike") func keptAlive() async throws {
    for (field, directives) in [("X-Protocol", []), ("X-Protocol", ["http2_max_concurrent_streams 8;"])] {
      let site = try await Site("leaf/p-256", directives, answer: echo(field))
      let (data, _) = try await Demands.session().data(from: try site.url())
      #expect(String(decoding: data, as: UTF8.self) == "HTTP/2.0")
    }
    let site = try await Site(answer: echo("X-Connection"))
    let session = try Demands.session()
    let first = try await session.data(from: try site.url()).0
    #expect(try await session.data(from: try site.url()).0 == first)
  }

  @Test("an open connection is judged again when the table changes", arguments: ["TLSv1.2", "TLSv1.3"])
  func changedTable(_ version: String) async throws {
    let site = try await Site("leaf/p-256", ["ssl_protocols \(version);"], answer: echo("X-Connection"))
    let hosts = SharedHostTable(try HostTable([Demands.host: .policy(Demands.pinned(to: "leaf/p-256"))]))
    let client = PinnedClient(hosts: hosts, evaluator: trustBackends()[0], options: Demands.options())
    let session = URLSession.pinned(by: client)
    let first = try await session.data(from: try site.url()).0
    hosts.table = try HostTable([Demands.host: .policy(Demands.pinned(to: "leaf/rsa-2048"))])
    let error = try await failure { try await session.data(from: try site.url()) }
    #expect(error.pinningFailure?.verdict?.outcome == .pinMismatch)
    hosts.update { $0.rules = HostMap() }
    #expect(try await failure { try await session.data(from: try site.url()) }.code == .cannotConnectToHost)
    #expect(site.requests.count == 1)
    // What was judged is not what libcurl verifies: the open connection is not used for a host that is bypassed.
    hosts.table = try HostTable([Demands.host: .bypass])
    #expect(try await failure { try await session.data(from: try site.url()) }.code == .serverCertificateUntrusted)
    // The chain of the open connection is good again under the roots.
    hosts.table = try HostTable([
      Demands.host: .policy(TrustPolicy(anchors: .only(try TestCerts.roots()), time: TestCerts.clock))
    ])
    let last = try await session.data(from: try site.url()).0
    #expect(!first.isEmpty && !last.isEmpty)
    #expect(site.requests.count == 2)
  }

  @Test("sessions of one client with other demands do not share what was judged") func otherClient() async throws {
    let site = try await Site()
    _ = try await Demands.session().data(from: try site.url())
    let wrong = Demands.session(
      try HostTable([Demands.host: .policy(Demands.pinned(to: "leaf/rsa-2048"))]), by: trustBackends()[0])
    #expect(try await failure { try await wrong.data(from: try site.url()) }.pinningFailure?.verdict != nil)
    #expect(site.requests.count == 1)
  }

  @Test("no TLS session is resumed, though the server offers it", arguments: ["TLSv1.2", "TLSv1.3"])
  func noResumption(_ version: String) async throws {
    let site = try await Site(
      "leaf/p-256",
      ["ssl_protocols \(version);", "ssl_session_cache builtin;", "ssl_session_tickets on;", "keepalive_timeout 0;"],
      answer: echo("X-Session-Reused"))
    let hosts = SharedHostTable(try HostTable([Demands.host: .policy(Demands.pinned(to: "leaf/p-256"))]))
    let client = PinnedClient(hosts: hosts, evaluator: trustBackends()[0], options: Demands.options())
    let session = URLSession.pinned(by: client)
    for _ in 0..<3 {
      let (data, _) = try await session.data(from: try site.url())
      #expect(String(decoding: data, as: UTF8.self) == ".", "nginx says r if the session was resumed")
    }
    hosts.table = try HostTable([Demands.host: .policy(Demands.pinned(to: "leaf/rsa-2048"))])
    #expect(try await failure { try await session.data(from: try site.url()) }.pinningFailure?.verdict != nil)
    #expect(site.requests.count == 3)
  }

  @Test("many requests at a time, none lost", arguments: trustBackends().map { Named($0.name, $0) })
  func many(_ backend: Named<any TrustBackend>) async throws {
    let site = try await Site()
    let session = try Demands.session(by: backend.value)
    let answers = try await withThrowingTaskGroup(of: String.self) { group in
      for number in 0..<200 {
        if number >= 64 { _ = try await group.next() }
        group.addTask {
          String(decoding: try await session.data(from: try site.url("/\(number)")).0, as: UTF8.self)
        }
      }
      return try await group.reduce(into: 0) { count, text in count += text.hasPrefix("hello /") ? 1 : 0 }
    }
    #expect(answers == 64)
    #expect(Set(site.requests.map(\.path)).count == 200)
  }
}
