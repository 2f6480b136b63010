// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Steelpin
import SteelpinHTTP
import SteelpinTestSupport
import Synchronization
import Testing

@Suite("pinned session", ExternalTool.nginx.required) struct PinnedSessionTests {
  @Test("the right pin goes through", arguments: trustBackends())
  func rightPin(_ backend: any TrustBackend) async throws {
    let site = try await Site()
    let session = try Demands.session(by: backend)
    let (data, response) = try await session.data(from: try site.url("/path"))
    #expect(String(decoding: data, as: UTF8.self) == "hello /path")
    #expect((response as? HTTPURLResponse)?.statusCode == 200)
    #expect(site.requests.map(\.path) == ["/path"])
  }

  @Test("the wrong pin does not, and the failure is told once, before the caller has it", arguments: trustBackends())
  func wrongPin(_ backend: any TrustBackend) async throws {
    let site = try await Site()
    let table = try HostTable([Demands.host: .policy(Demands.pinned(to: "leaf/rsa-2048"))])
    let told = Mutex<[PinningFailure]>([])
    let session = Demands.session(table, by: backend) { options in
      options.onFailure = { failure in told.withLock { $0.append(failure) } }
    }
    let error = try await failure { try await session.data(from: try site.url()) }
    #expect(error.code == .serverCertificateUntrusted)
    #expect(error.pinningFailure?.verdict?.outcome == .pinMismatch)
    #expect(error.pinningFailure?.verdict?.backend == backend.name)
    #expect(told.withLock { $0 }.compactMap(\.verdict) == [error.pinningFailure?.verdict])
    #expect(site.requests.isEmpty)
  }
}
