// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Steelpin
import SteelpinHTTP
import SteelpinTestSupport
import Testing

@Suite("lifetimes") struct LifetimeTests {
  /// A client that is used for requests which end in several ways, and then by nobody.
  private func use() async throws -> () -> PinnedClient? {
    let client = PinnedClient(
      hosts: SharedHostTable(HostTable()), evaluator: trustBackends()[0], options: Demands.options())
    let session = URLSession.pinned(by: client)
    for text in ["https://www.steelpin.test/", "ftp://www.steelpin.test/"] {
      let url = try #require(URL(string: text))
      _ = try await failure { try await session.data(from: url) }
      session.dataTask(with: url).cancel()
      // A task that is never started.
      _ = session.dataTask(with: url)
    }
    return { [weak client] in client }
  }

  @Test("a client goes with the last who uses it, its thread too") func client() async throws {
    let client = try await use()
    for _ in 0..<200 where client() != nil { try await Task.sleep(for: .milliseconds(20)) }
    #expect(client() == nil)
  }
}
