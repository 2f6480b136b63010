// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinTestSupport
import Testing

/// Every leaf of testcerts under the standard profile, with both roots as the only anchors.
@Suite("testcerts, host www.steelpin.test, both roots anchored") struct FixtureTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let leaf: String
    var host = "www.steelpin.test"
    let errors: Set<String>
    var testDescription: String { "\(leaf) for \(host)" }

    init(_ leaf: String, _ host: String = "www.steelpin.test", _ errors: Set<String> = []) {
      self.leaf = leaf
      self.host = host
      self.errors = errors
    }
  }

  static let rows: [Row] = [
    Row("rsa-2048"), Row("rsa-3072"), Row("rsa-pss"), Row("rsa-pss-key"), Row("p-256"), Row("p-384"), Row("p-521"),
    Row("ed25519"), Row("renewed"), Row("rotated"), Row("modern"), Row("root-signed"), Row("too-long"), Row("no-eku"),
    Row("any-eku"), Row("constrained-within"),
    Row("p-256", "localhost"), Row("p-256", "WWW.STEELPIN.TEST."),
    Row("p-256", "steelpin.example", ["host-mismatch@0"]),
    Row("wildcard", "any.steelpin.test"), Row("wildcard", "steelpin.test"),
    Row("wildcard", "two.labels.steelpin.test", ["host-mismatch@0"]),
    Row("idn", "bücher.steelpin.test"), Row("idn", "xn--bcher-kva.steelpin.test"),
    Row("ip", "127.0.0.1"), Row("ip", "::1"), Row("ip", "[::1]"), Row("ip", "192.0.2.1"),
    Row("ip", "192.0.2.2", ["host-mismatch@0"]), Row("ip", "www.steelpin.test", ["host-mismatch@0"]),
    Row("ip-as-dns", "127.0.0.1", ["host-mismatch@0"]),
    Row("cn-only", "www.steelpin.test", ["host-mismatch@0"]),
    Row("wildcard-suffix", "steelpin.co.uk", ["host-mismatch@0"]),
    Row("wrong-host", "www.steelpin.test", ["host-mismatch@0"]), Row("wrong-host", "other.steelpin.test"),
    Row("expired", "www.steelpin.test", ["expired@0"]),
    Row("not-yet-valid", "www.steelpin.test", ["not-yet-valid@0"]),
    Row("under-expired", "www.steelpin.test", ["expired@1"]),
    Row("constrained", "www.steelpin.test", ["name-not-permitted@0"]),
    Row("wrong-eku", "www.steelpin.test", ["purpose-mismatch@0"]),
    Row("sha-1", "www.steelpin.test", ["signature-algorithm-weak@0"]),
    Row("rsa-1024", "www.steelpin.test", ["key-weak@0"]),
    Row(
      "issued-by-leaf", "www.steelpin.test",
      ["issuer-not-ca@1", "key-usage-forbids-signing@1", "path-length-exceeded@2"]),
    Row("self-signed", "www.steelpin.test", ["self-signed-not-trusted@0"]),
    Row("unrelated", "www.steelpin.test", ["issuer-not-found@0"]),
    Row("missing-intermediate", "www.steelpin.test", ["issuer-not-found@0"]),
  ]

  @Test("verdict", arguments: rows) func verdict(_ row: Row) throws {
    let policy = TrustPolicy(anchors: .only(try TestCerts.roots()))
    let verdict = try judge(TestCerts.chain("leaf/" + row.leaf), host: row.host, policy)
    #expect(verdict.errorCodes == row.errors, "\(verdict.findings)")
    #expect(verdict.isTrusted == row.errors.isEmpty)
  }
}
