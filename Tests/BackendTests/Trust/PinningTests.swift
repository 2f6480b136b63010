// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinTestSupport
import Testing

/// Pins are met on the validated path, never on the list that the server sent (CVE-2016-2402).
@Suite("pins") struct PinningTests {
  private func policy(_ pinning: TrustPolicy.Pinning) throws -> TrustPolicy {
    TrustPolicy(anchors: .only(try TestCerts.roots()), pinning: pinning)
  }

  private func pin(_ entry: String, _ subject: Pin.Subject = .publicKey) throws -> Pin {
    Pin(subject, of: try TestCerts.certificate(entry))
  }

  struct Row: Sendable {
    let pinned: String
    let scope: TrustPolicy.PinScope
    let depth: Int?
  }

  @Test(
    "scope",
    arguments: [
      Row(pinned: "leaf/p-256", scope: .any, depth: 0), Row(pinned: "leaf/p-256", scope: .leaf, depth: 0),
      Row(pinned: "leaf/p-256", scope: .issuers, depth: nil),
      Row(pinned: "ca/intermediate-p256", scope: .any, depth: 1),
      Row(pinned: "ca/intermediate-p256", scope: .issuers, depth: 1),
      Row(pinned: "ca/intermediate-p256", scope: .leaf, depth: nil),
      Row(pinned: "ca/root-p256", scope: .any, depth: 2), Row(pinned: "ca/root-p256", scope: .issuers, depth: 2),
      Row(pinned: "ca/root-p256", scope: .leaf, depth: nil), Row(pinned: "ca/root-rsa", scope: .any, depth: nil),
    ], Pin.Subject.allCases)
  func scope(_ row: Row, _ subject: Pin.Subject) throws {
    let pins = PinSet([try pin(row.pinned, subject)])
    let verdict = try judge(TestCerts.chain("leaf/p-256"), policy(.pins(pins, scope: row.scope)))
    #expect(verdict.outcome == (row.depth == nil ? .pinMismatch : .trusted))
    #expect(verdict.pins?.match?.depth == row.depth)
  }

  @Test("a pinned certificate that was only sent, and is on no path, is not enough") func injected() throws {
    let stray = try TestCerts.certificate("leaf/unrelated")
    let chain = CertificateChain(try TestCerts.certificates("leaf/p-256/chain.pem") + [stray])
    let verdict = try judge(chain, policy(.pins(PinSet([Pin(.publicKey, of: stray)]), scope: .any)))
    #expect(verdict.outcome == .pinMismatch)
    #expect(verdict.pins?.nearMisses.map(\.kind) == [.notOnPath])
  }

  @Test("a pinned certificate with the name of the issuer, only sent, is not enough") func injectedNamesake() throws {
    let namesake = try TestCerts.certificate("ca/impostor-root")
    let chain = CertificateChain(try TestCerts.certificates("leaf/p-256/chain.pem") + [namesake])
    for pinning in [
      TrustPolicy.Pinning.pins(PinSet([Pin(.publicKey, of: namesake)]), scope: .any),
      .certificates([namesake], scope: .any),
    ] {
      #expect(try judge(chain, policy(pinning)).outcome == .pinMismatch)
    }
  }

  @Test("a pinned root that was not sent counts when it is the anchor") func rootNotSent() throws {
    let root = try TestCerts.certificate("ca/root-p256")
    #expect(try judge(TestCerts.chain("leaf/p-256"), policy(.certificates([root], scope: .any))).isTrusted)
  }

  @Test("a pin on one of several acceptable paths is met") func otherPath() throws {
    let chain = CertificateChain(try TestCerts.certificates("bundle/cross-signed.pem"))
    let pins = PinSet([try pin("ca/root-rsa")])
    let verdict = try judge(chain, policy(.pins(pins, scope: .any)))
    #expect(verdict.isTrusted, "\(verdict.findings)")
    #expect(verdict.pins?.match?.depth == 3)
  }

  @Test("when all paths are listed, a pin on some of them only is a warning", arguments: trustBackends().map(\.name))
  func somePaths(_ name: String) throws {
    let backend = try #require(trustBackends().first { $0.name == name })
    let chain = CertificateChain(try TestCerts.certificates("bundle/cross-signed.pem"))
    for (entry, warns) in [("ca/root-rsa", true), ("ca/root-p256", false), ("leaf/p-256", false)] {
      var policy = try policy(.pins(PinSet([pin(entry)]), scope: .any))
      policy.time = TestCerts.clock
      let verdict = try backend.evaluateAllPaths(chain, host: try HostName("www.steelpin.test"), policy: policy)
      #expect(verdict.isTrusted)
      #expect(verdict.attempts.count == 2)
      #expect(verdict.warningCodes.contains("pin-on-some-paths") == warns, "\(entry)")
    }
  }

  @Test("leaf data is byte equality of index 0") func leafData() throws {
    let chain = try TestCerts.chain("leaf/p-256")
    #expect(try judge(chain, policy(.leafData([TestCerts.certificate("leaf/p-256")]))).isTrusted)
    for other in ["leaf/renewed", "ca/intermediate-p256", "ca/root-p256"] {
      let verdict = try judge(chain, policy(.leafData([TestCerts.certificate(other)])))
      #expect(verdict.outcome == .pinMismatch, "\(other)")
    }
  }

  @Test("no pin is a mistake, not a wish for no pinning") func emptySet() throws {
    for pinning in [TrustPolicy.Pinning.pins(PinSet([]), scope: .any), .leafData([]), .certificates([], scope: .any)] {
      #expect(try judge(TestCerts.chain("leaf/p-256"), policy(pinning)).errorCodes == ["pin-set-empty"])
    }
  }

  @Test("a pin is no excuse for a chain that is not trusted") func untrusted() throws {
    let pins = PinSet([try pin("leaf/expired")])
    let verdict = try judge(TestCerts.chain("leaf/expired"), policy(.pins(pins, scope: .any)))
    #expect(verdict.outcome == .untrusted)
    #expect(verdict.errorCodes == ["expired@0"])
    #expect(verdict.pins?.match == nil)
  }

  @Test("report only: a mismatch is reported and does not count") func reportOnly() throws {
    var policy = try policy(.pins(PinSet([pin("ca/root-rsa")]), scope: .any))
    policy.enforcement = .reportOnly
    let verdict = try judge(TestCerts.chain("leaf/p-256"), policy)
    #expect(verdict.isTrusted)
    #expect(verdict.warningCodes == ["pin-mismatch"])
  }

  @Test("without a proof only pins count, and the verdict says so") func unvalidated() throws {
    let leaf = try TestCerts.certificate("leaf/expired")
    var policy = TrustPolicy(anchors: .only(AnchorSet([])), pinning: .leafData([leaf]), chain: .unvalidated)
    let chain = try TestCerts.chain("leaf/expired")
    let verdict = try judge(chain, host: "other.example", policy)
    #expect(verdict.isTrusted)
    #expect(verdict.warningCodes.contains("chain-unvalidated"))
    policy.pinning = .leafData([try TestCerts.certificate("leaf/p-256")])
    #expect(try judge(chain, policy).outcome == .pinMismatch)
  }

  @Test("without a proof a pinned certificate beside a leaf that it did not sign is not enough") func forged() throws {
    let pinned = try TestCerts.certificate("ca/impostor-root")
    let chain = CertificateChain(try TestCerts.certificates("leaf/p-256/chain.pem") + [pinned])
    let policy = TrustPolicy(pinning: .certificates([pinned], scope: .any), chain: .unvalidated)
    #expect(try judge(chain, policy).outcome == .pinMismatch)
  }
}
