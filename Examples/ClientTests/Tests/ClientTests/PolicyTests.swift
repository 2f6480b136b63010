// SPDX-License-Identifier: Apache-2.0
import SteelpinTesting
import Testing

/// A team's trust rules, kept true: recipes make the certificates, and both libraries judge them.
@Suite struct PolicyTests {
  private let lab: Lab
  private let policy: TrustPolicy
  private let leaf: IssuedCertificate

  init() throws {
    lab = try makeLab()
    leaf = try lab.leaf(names: ["api.example.test"])
    policy = TrustPolicy(
      anchors: .only(lab.anchors),
      pinning: .pins(PinSet([Pin(.publicKey, of: try leaf.certificate)]), scope: .leaf))
  }

  @Test func theServerOfToday() throws {
    try expectTrusted(lab.chain(leaf), host: "api.example.test", by: policy)
  }

  @Test func aRenewedCertificateWithTheSameKey() throws {
    let renewed = try lab.leaf(names: ["api.example.test", "www.example.test"])
    try expectTrusted(lab.chain(renewed), host: "www.example.test", by: policy)
  }

  @Test func anotherKey() throws {
    let other = try lab.leaf(names: ["api.example.test"]) { $0.key.label = "other" }
    try expectRejected(lab.chain(other), host: "api.example.test", by: policy, code: .pinMismatch)
  }

  @Test func anotherHost() throws {
    try expectRejected(lab.chain(leaf), host: "example.org", by: policy, code: .hostMismatch)
  }

  @Test func anExpiredCertificate() throws {
    let expired = try lab.leaf(names: ["api.example.test"]) { $0.validity = .expired }
    try expectRejected(lab.chain(expired), host: "api.example.test", by: policy, code: .expired)
  }

  @Test func aFailureSaysWhatWasFound() throws {
    let failure = #expect(throws: TestFailure.self) {
      try expectTrusted(lab.chain(leaf), host: "example.org", by: policy)
    }
    #expect(failure?.description.contains("host-mismatch") == true)
  }
}
