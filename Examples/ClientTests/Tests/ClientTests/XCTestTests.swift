// SPDX-License-Identifier: Apache-2.0
import SteelpinTesting
import XCTest

/// The same functions in XCTest: an error that a test throws fails it.
final class XCTestTests: XCTestCase {
  func testTrust() throws {
    let lab = try makeLab()
    let chain = lab.chain(try lab.leaf(names: ["api.example.test"]))
    let policy = TrustPolicy(anchors: .only(lab.anchors))
    try expectTrusted(chain, host: "api.example.test", by: policy)
    try expectRejected(chain, host: "example.org", by: policy, code: .hostMismatch)
  }

  func testNobodyCame() async throws {
    let server = try TestServer(.right)
    do {
      try await server.expectBehaved()
      XCTFail("nobody came")
    } catch {
      XCTAssertTrue(error.description.contains("no client came"))
    }
  }
}
