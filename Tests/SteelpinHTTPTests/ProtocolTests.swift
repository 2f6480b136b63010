// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Steelpin
import SteelpinHTTP
import SteelpinTestSupport
import Testing

@Suite("URLProtocol", ExternalTool.nginx.required) struct ProtocolTests {
  private func client(_ entry: String) throws -> PinnedClient {
    PinnedClient(
      hosts: SharedHostTable(try HostTable([Demands.host: .policy(Demands.pinned(to: entry))])),
      evaluator: trustBackends()[0], options: Demands.options())
  }

  @Test("sessions that others make are pinned by the class alone, each by its own") func foreign() async throws {
    let site = try await Site()
    let registrations = try [("leaf/p-256", true), ("leaf/rsa-2048", false), ("leaf/p-256", true)].map {
      (PinningRegistration(try client($0.0)), $0.1)
    }
    for (registration, isRight) in registrations {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.protocolClasses = [registration.protocolClass]
      let session = URLSession(configuration: configuration)
      do {
        let (data, _) = try await session.data(from: try site.url("/x"))
        #expect(isRight)
        #expect(String(decoding: data, as: UTF8.self) == "hello /x")
      } catch let error as URLError {
        #expect(!isRight)
        #expect(error.pinningFailure?.verdict?.outcome == .pinMismatch)
      }
    }
    #expect(site.requests.count == 2)
  }

  @Test("without its client a class lets nothing through") func orphan() async throws {
    let site = try await Site()
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [PinningRegistration(try client("leaf/p-256")).protocolClass]
    let session = URLSession(configuration: configuration)
    #expect(try await failure { try await session.data(from: try site.url()) }.code == .cannotConnectToHost)
    #expect(site.requests.isEmpty)
  }

  @Test("a pinned session is pinned also as what URLSession knows of it") func upcast() async throws {
    let site = try await Site { .init($0.body.isEmpty ? Array("ok".utf8) : $0.body) }
    let session: URLSession = try Demands.session()
    #expect(try await session.data(from: try site.url()).0 == Data("ok".utf8))
    var request = URLRequest(url: try site.url())
    request.httpMethod = "POST"
    request.httpBody = Data("body".utf8)
    #expect(try await session.data(for: request).0 == Data("body".utf8))
    #expect(try await failure { try await session.download(from: try site.url()) }.code == .unsupportedURL)
    let wrong: URLSession = Demands.session(
      try HostTable([Demands.host: .policy(Demands.pinned(to: "leaf/rsa-2048"))]), by: trustBackends()[0])
    #expect(try await failure { try await wrong.data(from: try site.url()) }.pinningFailure?.verdict != nil)
  }

  @Test(
    "a challenge does not make URLSession go on without pins, nor a broken one crash it",
    arguments: ["Basic realm=\"x\"", "Basic", "Digest nonce=1", "", "Negotiate"])
  func challenge(_ field: String) async throws {
    let site = try await Site { _ in .init([], status: 401, headers: ["WWW-Authenticate: \(field)"]) }
    for session in [try Demands.session() as URLSession, try Demands.session()] {
      let (_, response) = try await session.data(from: try site.url())
      #expect((response as? HTTPURLResponse)?.statusCode == 401)
    }
    #expect(site.requests.count == 2)
  }
}

@Suite("challenges", ExternalTool.nginx.required) struct ChallengeTests {
  private final class Answerer: NSObject, URLSessionTaskDelegate {
    let password: String?

    init(_ password: String?) { self.password = password }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      guard let password, challenge.previousFailureCount == 0 else {
        return completionHandler(password == nil ? .cancelAuthenticationChallenge : .performDefaultHandling, nil)
      }
      completionHandler(
        .useCredential, URLCredential(user: "ann", password: password, persistence: .none))
    }
  }

  private func site(_ offer: String, accepts: @escaping @Sendable (String) -> Bool) async throws -> Site {
    try await Site { request in
      let line =
        request.head.components(separatedBy: "\r\n").first { $0.lowercased().hasPrefix("authorization:") } ?? ""
      return accepts(line)
        ? .init(Array("welcome \(String(decoding: request.body, as: UTF8.self))".utf8))
        : .init(Array("who are you".utf8), status: 401, headers: ["WWW-Authenticate: \(offer)"])
    }
  }

  @Test("Basic, with the body sent again") func basic() async throws {
    let expected = Data("ann:steel".utf8).base64EncodedString()
    let site = try await site("Basic realm=\"the site\"") { $0.hasSuffix("Basic \(expected)") }
    var request = URLRequest(url: try site.url())
    request.httpMethod = "POST"
    request.httpBody = Data("body".utf8)
    let (data, _) = try await Demands.session(delegate: Answerer("steel")).data(for: request)
    #expect(String(decoding: data, as: UTF8.self) == "welcome body")
    let (refused, response) = try await Demands.session(delegate: Answerer("wrong")).data(for: request)
    #expect((response as? HTTPURLResponse)?.statusCode == 401)
    #expect(String(decoding: refused, as: UTF8.self) == "who are you")
    let cancelled = try Demands.session(delegate: Answerer(nil))
    #expect(try await failure { try await cancelled.data(for: request) }.code == .userCancelledAuthentication)
  }

  @Test("Digest goes before Basic, and the password is not shown") func digest() async throws {
    let offer = "Basic realm=\"b\", Digest realm=\"d\", nonce=\"abc\", qop=\"auth\", algorithm=MD5"
    let site = try await site(offer) { $0.contains("Digest username=\"ann\"") && $0.contains("nonce=\"abc\"") }
    let (data, _) = try await Demands.session(delegate: Answerer("steel")).data(from: try site.url())
    #expect(String(decoding: data, as: UTF8.self) == "welcome ")
    #expect(!site.requests.contains { $0.head.contains("steel\"") || $0.head.contains("Basic") })
  }
}
