// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Steelpin
import SteelpinHTTP
import SteelpinTestSupport
import Synchronization
import Testing

@Suite("requests", ExternalTool.nginx.required) struct RequestTests {
  private let large = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })

  private func echo() async throws -> Site {
    try await Site { request in .init(Array("\(request.method)\n".utf8) + request.body) }
  }

  @Test("methods", arguments: ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"])
  func methods(_ method: String) async throws {
    let site = try await echo()
    var request = URLRequest(url: try site.url())
    request.httpMethod = method
    let (data, _) = try await Demands.session().data(for: request)
    #expect(String(decoding: data, as: UTF8.self) == (method == "HEAD" ? "" : method + "\n"))
    #expect(site.requests.map(\.method) == [method])
  }

  @Test("bodies of data, file and stream") func bodies() async throws {
    let site = try await echo()
    let directory = try ScratchDirectory()
    let file = directory.url.appendingPathComponent(try directory.write(Array(large), as: "body"))
    let session = try Demands.session()
    var request = URLRequest(url: try site.url())
    request.httpMethod = "POST"
    let expected = Data("POST\n".utf8) + large
    #expect(try await session.upload(for: request, from: large).0 == expected)
    #expect(try await session.upload(for: request, fromFile: file).0 == expected)
    request.httpBody = large
    #expect(try await session.data(for: request).0 == expected)
    request.httpBody = nil
    request.httpBodyStream = InputStream(data: large)
    #expect(try await session.data(for: request).0 == expected)
    let missing = directory.url.appendingPathComponent("missing")
    #expect(throws: (any Error).self) { try Data(contentsOf: missing) }
    await #expect(throws: CocoaError.self) { try await session.upload(for: request, fromFile: missing) }
  }

  @Test("fields, and none that carries another") func fields() async throws {
    let site = try await echo()
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["X-Always": "yes", "X-Own": "no"]
    let session = try Demands.session(configuration: configuration)
    var request = URLRequest(url: try site.url())
    request.setValue("own", forHTTPHeaderField: "X-Own")
    request.setValue("", forHTTPHeaderField: "X-Empty")
    _ = try await session.data(for: request)
    let head = try #require(site.requests.first?.head)
    for line in ["X-Always: yes", "X-Own: own"] { #expect(head.lowercased().contains(line.lowercased())) }
    configuration.httpAdditionalHeaders = ["X-Always": "a\r\nX-Injected: b"]
    let other = try Demands.session(configuration: configuration)
    #expect(try await failure { try await other.data(for: request) }.code == .badURL)
    request.httpMethod = "GET / HTTP/1.1\r\nX-Injected: b"
    #expect(try await failure { try await session.data(for: request) }.code == .badURL)
    #expect(site.requests.count == 1)
  }

  @Test("compressed bodies come as they were, and the limit is that of what comes out") func compression() async throws
  {
    let text = String(repeating: "steel ", count: 100_000)
    let site = try await Site(
      "leaf/p-256", ["gzip on;", "gzip_types *;", "gzip_proxied any;", "gzip_min_length 1;"]
    ) { _ in .init(Array(text.utf8), headers: ["Content-Type: text/plain"]) }
    let (data, response) = try await Demands.session().data(from: try site.url())
    #expect(String(decoding: data, as: UTF8.self) == text)
    #expect((response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Content-Encoding") == "gzip")
    let strict = try Demands.session { $0.maximumBodySize = 599_999 }
    #expect(try await failure { try await strict.data(from: try site.url()) }.code == .dataLengthExceedsMaximum)
    let exact = try Demands.session { $0.maximumBodySize = 600_000 }
    #expect(try await exact.data(from: try site.url()).0.count == 600_000)
  }

  @Test("cookies are kept, sent back, and not taken for other domains") func cookies() async throws {
    let site = try await Site { _ in
      .init(
        [],
        headers: [
          "Set-Cookie: one=1; Path=/; Expires=Wed, 01 Jan 2098 00:00:00 GMT", "Set-Cookie: two=2; Secure",
          "Set-Cookie: evil=3; Domain=other.example", "Set-Cookie: broad=4; Domain=test",
        ])
    }
    let session = try Demands.session()
    _ = try await session.data(from: try site.url())
    _ = try await session.data(from: try site.url())
    let lines = try #require(site.requests.last?.head.components(separatedBy: "\r\n"))
    let cookie = try #require(lines.first { $0.lowercased().hasPrefix("cookie:") })
    #expect(cookie.contains("one=1") && cookie.contains("two=2"))
    #expect(!cookie.contains("evil") && !cookie.contains("broad"))
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpShouldSetCookies = false
    let other = try Demands.session(configuration: configuration)
    for _ in 0..<2 { _ = try await other.data(from: try site.url()) }
    #expect(site.requests.last?.head.lowercased().contains("cookie:") == false)
  }

  @Test("requests are adapted before they are sent") func adapted() async throws {
    let site = try await echo()
    let session = try Demands.session {
      $0.adapters = [SortedParameterSignature(secret: Array("pin&secret".utf8), signedFields: ["X-User"])]
    }
    var request = URLRequest(url: try site.url("/?b=2%20x&appkey=steel"))
    request.setValue("ann", forHTTPHeaderField: "X-User")
    _ = try await session.data(for: request)
    let signature = "B315C11E4B77CFB756850FEECAB813503AC8CCE0592756316D8D3968D3EAE2F3"
    #expect(site.requests.first?.head.lowercased().contains("x-signature: \(signature.lowercased())") == true)
  }

  @Test("the response bears its fields as HTTP/1.1 spells them") func responseFields() async throws {
    let site = try await Site { _ in .init([], status: 404, headers: ["ETag: \"x\"", "X-Two: a", "X-Two: b"]) }
    let response = try #require(try await Demands.session().data(from: try site.url()).1 as? HTTPURLResponse)
    #expect(response.statusCode == 404)
    #expect(response.value(forHTTPHeaderField: "etag") == "\"x\"")
    #expect(response.value(forHTTPHeaderField: "x-two") == "a, b")
    #expect(response.allHeaderFields["Content-Length"] as? String == "0")
  }
}
