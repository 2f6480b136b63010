// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Steelpin
import SteelpinHTTP
import SteelpinTestSupport
import Synchronization
import Testing

@Suite("pinned session", ExternalTool.nginx.required) struct PinnedSessionTests {
  @Test("the right pin goes through", arguments: trustBackends().map { Named($0.name, $0) })
  func rightPin(_ backend: Named<any TrustBackend>) async throws {
    let site = try await Site()
    let session = try Demands.session(by: backend.value)
    let (data, response) = try await session.data(from: try site.url("/path"))
    #expect(String(decoding: data, as: UTF8.self) == "hello /path")
    #expect((response as? HTTPURLResponse)?.statusCode == 200)
    #expect(site.requests.map(\.path) == ["/path"])
  }

  @Test(
    "the wrong pin does not, and the failure is told once, before the caller has it",
    arguments: trustBackends().map { Named($0.name, $0) })
  func wrongPin(_ backend: Named<any TrustBackend>) async throws {
    let site = try await Site()
    let table = try HostTable([Demands.host: .policy(Demands.pinned(to: "leaf/rsa-2048"))])
    let told = Mutex<[PinningFailure]>([])
    let session = Demands.session(table, by: backend.value) { options in
      options.onFailure = { failure in told.withLock { $0.append(failure) } }
    }
    let error = try await failure { try await session.data(from: try site.url()) }
    #expect(error.code == .serverCertificateUntrusted)
    #expect(error.pinningFailure?.verdict?.outcome == .pinMismatch)
    #expect(error.pinningFailure?.verdict?.backend == backend.name)
    #expect(told.withLock { $0 }.compactMap(\.verdict) == [error.pinningFailure?.verdict])
    #expect(site.requests.isEmpty)
  }

  @Test(
    "what is wrong with a chain has its code",
    arguments: [
      ("leaf/expired", URLError.Code.serverCertificateHasBadDate),
      ("leaf/not-yet-valid", .serverCertificateNotYetValid), ("leaf/self-signed", .serverCertificateHasUnknownRoot),
      ("leaf/missing-intermediate", .serverCertificateHasUnknownRoot), ("leaf/wrong-host", .serverCertificateUntrusted),
      ("leaf/wrong-eku", .serverCertificateUntrusted),
    ])
  func codes(_ entry: String, _ code: URLError.Code) async throws {
    let site = try await Site(entry)
    let policy = TrustPolicy(anchors: .only(try TestCerts.roots()), time: TestCerts.clock)
    let session = Demands.session(try HostTable([Demands.host: .policy(policy)]), by: trustBackends()[0])
    let error = try await failure { try await session.data(from: try site.url()) }
    #expect(error.code == code)
    #expect(error.pinningFailure?.verdict?.errors.isEmpty == false)
    #expect(error.pinningFailure?.code == error.code)
    #expect(site.requests.isEmpty)
  }

  @Test("no octet of the request reaches a server with the wrong pin", arguments: ["-tls1_2", "-tls1_3"])
  func noOctet(_ version: String) async throws {
    let heard = try await TLSListener(version)
    let url = try #require(URL(string: "https://\(Demands.host):\(heard.port)/secret-path"))
    let wrong = Demands.session(
      try HostTable([Demands.host: .policy(Demands.pinned(to: "leaf/rsa-2048"))]), by: trustBackends()[0])
    let error = try await failure { try await wrong.data(from: url) }
    #expect(error.pinningFailure?.verdict?.outcome == .pinMismatch)
    // The same server does hear a request that is allowed, so it would have heard the other.
    let right = try Demands.session()
    let task = right.dataTask(with: url)
    task.resume()
    try await heard.waits(for: "GET /secret-path")
    task.cancel()
    #expect(heard.text.components(separatedBy: "secret-path").count == 2)
  }

  @Test("policies that look at the staple are judged when it is there", arguments: ["TLSv1.2", "TLSv1.3"])
  func staple(_ version: String) async throws {
    let site = try await Site("leaf/p-256", ["ssl_protocols \(version);"])
    var policy = try Demands.pinned(to: "leaf/p-256")
    policy.revocation = RevocationPolicy(.staple, failure: .hard)
    let strict = Demands.session(try HostTable([Demands.host: .policy(policy)]), by: trustBackends()[0])
    let error = try await failure { try await strict.data(from: try site.url()) }
    #expect(error.pinningFailure?.verdict?.errors.map(\.code) == [.revocationUnknown])
    #expect(site.requests.isEmpty)
    policy.revocation.failure = .soft
    let soft = Demands.session(try HostTable([Demands.host: .policy(policy)]), by: trustBackends()[0])
    _ = try await soft.data(from: try site.url())
    #expect(site.requests.count == 1)
  }
}
