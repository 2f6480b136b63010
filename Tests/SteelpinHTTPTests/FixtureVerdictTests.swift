// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Steelpin
import SteelpinHTTP
import SteelpinTestSupport
import Testing

@Suite("verdicts of sessions", ExternalTool.nginx.required) struct FixtureVerdictTests {
  /// Servers with such keys or signatures are refused by libssl, before it asks about the chain.
  private static let weak: Set<String> = ["rsa-1024", "sha-1"]

  private static var entries: [String] {
    let directory = TestCerts.directory.appendingPathComponent("leaf")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
    return names.sorted().filter {
      FileManager.default.fileExists(atPath: directory.appendingPathComponent($0 + "/chain.pem").path)
    }
  }

  @Test(
    "a session comes to the verdict of its evaluator, for every fixture",
    arguments: trustBackends().map { Named($0.name, $0) })
  func everyFixture(_ backend: Named<any TrustBackend>) async throws {
    #expect(Self.entries.count > 25)
    let policy = TrustPolicy(anchors: .only(try TestCerts.roots()), time: TestCerts.clock)
    let session = Demands.session(try HostTable([Demands.host: .policy(policy)]), by: backend.value)
    for entry in Self.entries {
      let chain = try TestCerts.chain("leaf/" + entry)
      let expected = try backend.value.evaluate(chain, host: HostName(Demands.host), policy: policy)
      let site = try await Site("leaf/" + entry, ["ssl_ciphers ALL:@SECLEVEL=0;"])
      do {
        _ = try await session.data(from: try site.url())
        #expect(expected.isTrusted, "\(entry)")
      } catch let error as URLError {
        if let verdict = error.pinningFailure?.verdict {
          #expect(verdict.agrees(with: expected), "\(entry): \(error)")
        } else {
          #expect(error.code == .secureConnectionFailed && Self.weak.contains(entry), "\(entry): \(error)")
        }
        #expect(site.requests.isEmpty)
      }
    }
  }
}
