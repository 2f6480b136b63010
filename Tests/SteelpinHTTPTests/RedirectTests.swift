// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Steelpin
import SteelpinHTTP
import SteelpinTestSupport
import Testing

@Suite("redirects", ExternalTool.nginx.required) struct RedirectTests {
  /// A site whose every path but `/end` leads elsewhere.
  private func site(_ status: Int = 302, to location: String) async throws -> Site {
    try await Site { request in
      request.path == "/end"
        ? .init(Array("\(request.method) \(String(decoding: request.body, as: UTF8.self))".utf8))
        : .init([], status: status, headers: ["Location: \(location)"])
    }
  }

  private func table(_ rules: [(String, HostTable.Rule)]) throws -> HostTable {
    HostTable(
      HostMap(
        try (rules + [(Demands.host, .policy(Demands.pinned(to: "leaf/p-256")))]).map {
          (try HostPattern(parsing: $0.0), $0.1)
        }))
  }

  @Test("every hop is judged under its own host's rule")
  func otherHosts() async throws {
    let other = try await Site("leaf/wildcard")
    let target = try other.url("/other", host: "a.steelpin.test")
    let site = try await site(to: target.absoluteString)
    let wildcard = try Demands.pinned(to: "leaf/wildcard")
    let wrong = try Demands.pinned(to: "leaf/p-256")
    for (rule, isReached) in [
      (HostTable.Rule.policy(wildcard), true), (.policy(wrong), false), (.deny, false), (.bypass, false),
    ] {
      let session = Demands.session(try table([("a.steelpin.test", rule)]), by: trustBackends()[0])
      let before = other.requests.count
      do {
        let (data, response) = try await session.data(from: try site.url())
        #expect(isReached)
        #expect(String(decoding: data, as: UTF8.self) == "hello /other")
        #expect(response.url == target)
      } catch let error as URLError {
        #expect(!isReached, "\(error)")
        #expect(error.pinningFailure.map { $0.url == target } ?? (rule == .bypass))
      }
      #expect(other.requests.count == before + (isReached ? 1 : 0))
    }
    // A host that the table does not know is denied.
    let session = Demands.session(try table([]), by: trustBackends()[0])
    #expect(try await failure { try await session.data(from: try site.url()) }.code == .cannotConnectToHost)
  }

  @Test("a redirect to plain http is denied") func downgrade() async throws {
    let plain = try LoopbackHTTPServer { _ in .init([]) }
    let site = try await site(to: plain.url)
    let session = Demands.session(try table([("127.0.0.1", .system)]), by: trustBackends()[0])
    let error = try await failure { try await session.data(from: try site.url()) }
    #expect(error.code == .appTransportSecurityRequiresSecureConnection)
  }

  @Test(
    "methods and bodies by status",
    arguments: [
      (301, "POST", "GET "), (302, "POST", "GET "), (303, "POST", "GET "), (303, "PUT", "GET "),
      (307, "POST", "POST body"), (308, "PUT", "PUT body"), (302, "PUT", "PUT body"), (302, "GET", "GET "),
    ])
  func methods(_ status: Int, _ method: String, _ expected: String) async throws {
    let site = try await site(status, to: "/end")
    var request = URLRequest(url: try site.url("/start"))
    request.httpMethod = method
    if method != "GET" { request.httpBody = Data("body".utf8) }
    let (data, _) = try await Demands.session().data(for: request)
    #expect(String(decoding: data, as: UTF8.self) == expected)
  }

  @Test("what is meant for one host is not shown to another") func authorization() async throws {
    let other = try await Site("leaf/wildcard")
    let site = try await site(to: try other.url("/other", host: "a.steelpin.test").absoluteString)
    let session = Demands.session(
      try table([("a.steelpin.test", .policy(Demands.pinned(to: "leaf/wildcard")))]), by: trustBackends()[0])
    var request = URLRequest(url: try site.url())
    request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
    request.setValue("kept", forHTTPHeaderField: "X-Other")
    _ = try await session.data(for: request)
    #expect(site.requests.first?.head.contains("Bearer secret") == true)
    #expect(other.requests.first?.head.contains("Bearer") == false)
    #expect(other.requests.first?.head.contains("kept") == true)
  }

  @Test("a circle ends") func circle() async throws {
    let site = try await site(to: "/again")
    let session = try Demands.session { $0.maximumRedirects = 5 }
    #expect(try await failure { try await session.data(from: try site.url()) }.code == .httpTooManyRedirects)
    #expect(site.requests.count == 6)
  }

  private final class Refuser: NSObject, URLSessionTaskDelegate {
    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      completionHandler(nil)
    }
  }

  @Test("a delegate may take the response as it is") func refused() async throws {
    let site = try await site(to: "/end")
    let session = try Demands.session(delegate: Refuser())
    let (_, response) = try await session.data(from: try site.url())
    #expect((response as? HTTPURLResponse)?.statusCode == 302)
    #expect(
      try await failure { try await session.data(from: try site.url("/x", host: "b.steelpin.test")) }.code
        == .cannotConnectToHost)
    let asked = try await Demands.session().data(for: URLRequest(url: try site.url()), delegate: Refuser())
    #expect((asked.1 as? HTTPURLResponse)?.statusCode == 302)
  }
}
