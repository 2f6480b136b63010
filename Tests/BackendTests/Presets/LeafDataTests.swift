// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinTestSupport
import Testing

/// Pitaya's AddSSLPinning.swift and curl's options, which both look at the leaf only.
@Suite("Pitaya and curl") struct LeafDataTests {
  private let certificates: AlamofireCertificates
  private let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0x00, 0x10]
  private let text = Array("not a certificate".utf8)

  init() throws { self.certificates = try AlamofireCertificates.shared.get() }

  private func errors(
    _ chain: [String], host: String = "test.alamofire.org", by source: some PolicySource, trusted: Bool = true
  ) throws -> Set<String> {
    let chain = CertificateChain(try certificates.all(chain))
    return try judge(
      chain, host: host, by: source, system: trusted ? certificates.root : certificates.otherRoot
    ).errorCodes
  }

  @Test("Pitaya: the five rows") func pitaya() throws {
    let chain = ["validDNS", "CA2", "Root"]
    let right = try certificates("validDNS").der
    #expect(try errors(chain, by: PitayaPreset([right])) == [])
    #expect(try errors(chain, by: PitayaPreset([jpeg, text, right])) == [])
    #expect(try errors(chain, by: PitayaPreset([jpeg, text])) == ["pin-set-empty"])
    #expect(try errors(["wildcard", "CA1", "Root"], by: PitayaPreset([right])) == ["pin-mismatch"])
    #expect(try errors(chain, by: PitayaPreset([])) == [])
  }

  @Test("Pitaya: a pinned leaf is accepted expired, for a wrong host, and from nobody; other pins never count")
  func pitayaChecksNothingElse() throws {
    let expired = PitayaPreset(leaf: try certificates("expired"))
    #expect(try errors(["expired"], host: "wrong.example", by: expired, trusted: false) == [])
    for other in ["CA2", "Root"] {
      let preset = PitayaPreset(leaf: try certificates(other))
      #expect(try errors(["validDNS", "CA2", "Root"], by: preset) == ["pin-mismatch"], "\(other)")
    }
    #expect(try errors(["expired", "CA2"], by: PitayaPreset([])) == ["expired@0"])
  }

  private func key(_ name: String) throws -> Pin { Pin(.publicKey, of: try certificates(name)) }

  @Test("curl: the pin is one of the leaf's key") func curlPins() throws {
    let chain = ["validDNS", "CA2", "Root"]
    for (pins, expected) in [
      (["validDNS"], []), (["CA1", "validDNS"], []), (["CA2"], ["pin-mismatch"]), (["Root"], ["pin-mismatch"]),
      ([], ["pin-set-empty"]),
    ] as [([String], Set<String>)] {
      let set = PinSet(try pins.map(key))
      #expect(try errors(chain, by: CurlPreset(pinnedPublicKeys: set)) == expected, "\(pins)")
      #expect(try errors(chain, by: CurlPreset(isInsecure: true, pinnedPublicKeys: set)) == expected, "\(pins)")
    }
    #expect(try errors(chain, by: CurlPreset()) == [])
  }

  @Test("curl: --insecure checks nothing but the pin") func curlInsecure() throws {
    let chain = ["expired", "CA2"]
    #expect(try errors(chain, host: "wrong.example", by: CurlPreset(isInsecure: true), trusted: false) == [])
    #expect(try errors(chain, by: CurlPreset()) == ["expired@0"])
    let own = CurlPreset(anchors: .only(AnchorSet([try certificates("CA2")])))
    #expect(try errors(["validDNS"], by: own, trusted: false) == [])
    #expect(try errors(["validDNS"], host: "www.alamofire.org", by: own) == ["host-mismatch@0"])
  }
}
