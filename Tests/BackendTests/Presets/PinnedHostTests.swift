// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinMatrix
import SteelpinTestSupport
import Testing

/// Systems that pin keys by host behind the platform's validation: OkHttp, TrustKit, Android, NSPinnedDomains. Not
/// asked here: OkHttp's pins of SHA-1, which are refused when they are read, and malformed ones, which are errors of
/// ``Pin`` and ``HostPattern``.
struct PinnedHostCertificates {
  let certificates: [String: Certificate]
  let root: AnchorSet

  static let shared = Result { try PinnedHostCertificates() }

  private init() throws {
    let lab = try PresetLab()
    let root = try lab.authority("Pinned Root")
    let ca = try lab.authority("Pinned CA", by: root)
    let names: [GeneralNameRecipe] = [
      "example.org", "*.example.org", "a.b.example.org", "c.b.example.org", "excluded.example.org", "www.other.test",
    ]
    let leaf = try lab.server("leaf", names, by: ca)
    let notCA = try lab.server("not-ca", ["example.org"], by: ca)
    let issued = [
      "root": root, "ca": ca, "leaf": leaf, "stray": try lab.server("stray", ["example.org"], by: nil),
      "stray-ca": try lab.authority("Stray CA"), "not-ca": notCA,
      "under-not-ca": try lab.server("under-not-ca", ["example.org"], by: notCA),
      "expired": try lab.server("expired", ["example.org"], by: ca) { $0.validity = .expired },
    ]
    self.certificates = try issued.mapValues { try $0.certificate }
    self.root = AnchorSet([try root.certificate])
  }

  func pin(_ name: String) throws -> Pin { Pin(.publicKey, of: try #require(certificates[name])) }
  func pins(_ names: String...) throws -> PinSet { PinSet(try names.map(pin)) }

  /// The codes of the errors of a chain, of which a root is never sent.
  func errors(
    _ chain: [String] = ["leaf", "ca"], host: String = "example.org", by source: some PolicySource,
    at time: Timestamp = TestCerts.clock
  ) throws -> Set<String> {
    let chain = CertificateChain(try chain.map { try #require(certificates[$0]) })
    return try judge(chain, host: host, by: source, at: time, system: root).errorCodes
  }
}

@Suite("OkHttp: CertificatePinnerTest, CertificatePinnerChainValidationTest") struct OkHttpTests {
  private let fixture: PinnedHostCertificates

  init() throws { self.fixture = try PinnedHostCertificates.shared.get() }

  private func pinner(_ entries: (String, String)...) throws -> OkHttpPreset {
    OkHttpPreset(try entries.map { (try HostPattern(parsing: $0.0), try fixture.pin($0.1)) })
  }

  @Test("any certificate of the validated path meets a pin, the root that was not sent too")
  func anywhere() throws {
    for name in ["leaf", "ca", "root"] { #expect(try fixture.errors(by: pinner(("example.org", name))) == []) }
    #expect(try fixture.errors(by: pinner(("example.org", "stray"))) == ["pin-mismatch"])
  }

  @Test("a pinned certificate that is only sent is not enough", arguments: ["stray", "stray-ca"])
  func injected(_ name: String) throws {
    #expect(try fixture.errors(["leaf", "ca", name], by: pinner(("example.org", name))) == ["pin-mismatch"])
  }

  @Test("a pin does not make an authority of a leaf, nor trust of a self-signed certificate") func untrusted() throws {
    let chain = ["under-not-ca", "not-ca", "ca"]
    #expect(
      try fixture.errors(chain, by: pinner(("example.org", "not-ca")))
        == ["issuer-not-ca@1", "key-usage-forbids-signing@1"])
    #expect(try fixture.errors(["stray"], by: pinner(("example.org", "stray"))) == ["self-signed-not-trusted@0"])
    #expect(try fixture.errors(["expired", "ca"], by: pinner(("example.org", "expired"))) == ["expired@0"])
  }

  @Test(
    "patterns",
    arguments: [
      ("example.org", "example.org", true), ("example.org", "a.example.org", false),
      ("*.example.org", "a.example.org", true), ("*.example.org", "example.org", false),
      ("*.example.org", "a.b.example.org", false), ("**.example.org", "example.org", true),
      ("**.example.org", "a.example.org", true), ("**.example.org", "a.b.example.org", true),
      ("**.example.org", "www.other.test", false), ("EXAMPLE.org", "example.org", true),
    ])
  func patterns(_ pattern: String, _ host: String, _ isPinned: Bool) throws {
    let missed = try fixture.errors(host: host, by: pinner((pattern, "stray")))
    #expect(missed == (isPinned ? ["pin-mismatch"] : []))
  }

  @Test("the pins of all patterns of a host add up") func union() throws {
    #expect(
      try fixture.errors(host: "a.example.org", by: pinner(("*.example.org", "stray"), ("a.example.org", "leaf"))) == []
    )
    #expect(
      try fixture.errors(host: "a.example.org", by: pinner(("*.example.org", "leaf"), ("a.example.org", "stray"))) == []
    )
    #expect(try fixture.errors(by: pinner(("example.org", "stray"), ("example.org", "ca"))) == [])
  }
}

@Suite("TrustKit: TSKPinningValidatorTests, TSKPinConfigurationTests") struct TrustKitTests {
  private let fixture: PinnedHostCertificates

  init() throws { self.fixture = try PinnedHostCertificates.shared.get() }

  private func preset(_ domain: TrustKitPreset.Domain, others: [String: TrustKitPreset.Domain] = [:]) throws
    -> TrustKitPreset
  {
    var domains = [try HostName("example.org"): domain]
    for (name, other) in others { domains[try HostName(name)] = other }
    return TrustKitPreset(domains)
  }

  @Test("leaf, CA and root pins", arguments: ["leaf", "ca", "root"]) func pins(_ name: String) throws {
    let preset = try preset(.init(publicKeyHashes: fixture.pins(name, "stray")))
    #expect(try fixture.errors(by: preset) == [])
  }

  @Test("no matching pin blocks; without enforcement it is only reported") func enforcement() throws {
    var domain = TrustKitPreset.Domain(publicKeyHashes: try fixture.pins("stray", "stray-ca"))
    #expect(try fixture.errors(by: preset(domain)) == ["pin-mismatch"])
    domain.enforcePinning = false
    #expect(try fixture.errors(by: preset(domain)) == [])
  }

  @Test("a chain or host that is not trusted blocks, with or without enforcement", arguments: [true, false])
  func untrusted(_ enforces: Bool) throws {
    let domain = TrustKitPreset.Domain(
      publicKeyHashes: try fixture.pins("expired", "not-ca"), includeSubdomains: true, enforcePinning: enforces)
    #expect(try fixture.errors(["expired", "ca"], by: preset(domain)) == ["expired@0"])
    #expect(try fixture.errors(["not-ca", "ca"], host: "a.example.org", by: preset(domain)) == ["host-mismatch@0"])
  }

  @Test("an injected certificate with a pinned key is no match") func injected() throws {
    let preset = try preset(.init(publicKeyHashes: fixture.pins("stray", "stray-ca")))
    #expect(try fixture.errors(["leaf", "ca", "stray-ca"], by: preset) == ["pin-mismatch"])
  }

  @Test("an expired policy does not pin, from that moment on") func expiry() throws {
    let domain = TrustKitPreset.Domain(
      publicKeyHashes: try fixture.pins("stray", "stray-ca"), expirationDate: TestCerts.clock)
    #expect(try fixture.errors(by: preset(domain), at: TestCerts.clock.advanced(by: -1)) == ["pin-mismatch"])
    #expect(try fixture.errors(by: preset(domain)) == [])
  }

  @Test("subdomains, the longest domain, and excluded domains") func subdomains() throws {
    let missed = try fixture.pins("stray", "stray-ca")
    let met = try fixture.pins("leaf", "stray")
    let exact = try preset(.init(publicKeyHashes: missed))
    #expect(try fixture.errors(by: exact) == ["pin-mismatch"])
    #expect(try fixture.errors(host: "a.example.org", by: exact) == [])

    let nested = try preset(
      .init(publicKeyHashes: missed, includeSubdomains: true),
      others: [
        "b.example.org": .init(publicKeyHashes: met, includeSubdomains: true),
        "c.b.example.org": .init(publicKeyHashes: missed),
        "excluded.example.org": .init(publicKeyHashes: PinSet([]), excludeSubdomainFromParentPolicy: true),
      ])
    #expect(try fixture.errors(host: "www.example.org", by: nested) == ["pin-mismatch"])
    #expect(try fixture.errors(host: "a.b.example.org", by: nested) == [])
    #expect(try fixture.errors(host: "c.b.example.org", by: nested) == ["pin-mismatch"])
    #expect(try fixture.errors(host: "excluded.example.org", by: nested) == [])
    #expect(try fixture.errors(host: "www.other.test", by: nested) == [])
  }
}

@Suite("Android and NSPinnedDomains") struct PlatformPinTests {
  private let fixture: PinnedHostCertificates

  init() throws { self.fixture = try PinnedHostCertificates.shared.get() }

  private func domains(_ entries: (String, AndroidPreset.Configuration)...) throws -> AndroidPreset {
    AndroidPreset(domains: HostMap(try entries.map { (try HostPattern(parsing: $0.0), $0.1) }))
  }

  @Test("Android: longest match, empty pin sets, expiry") func android() throws {
    let missed = AndroidPreset.Configuration(pins: try fixture.pins("stray"))
    let preset = try domains(
      ("**.example.org", missed), ("**.b.example.org", .init(pins: try fixture.pins("root"))),
      ("excluded.example.org", .init()))
    #expect(try fixture.errors(by: preset) == ["pin-mismatch"])
    #expect(try fixture.errors(host: "a.b.example.org", by: preset) == [])
    #expect(try fixture.errors(host: "excluded.example.org", by: preset) == [])
    #expect(try fixture.errors(host: "www.other.test", by: preset) == [])

    var expired = missed
    expired.expiration = TestCerts.clock.advanced(by: -1)
    #expect(try fixture.errors(by: domains(("example.org", expired))) == [])
    expired.expiration = TestCerts.clock
    #expect(try fixture.errors(by: domains(("example.org", expired))) == ["pin-mismatch"])
  }

  @Test("Android: a source that overrides pins excuses paths that end at its anchors only") func overridePins() throws {
    let own = AnchorSet([try #require(fixture.certificates["ca"])])
    func preset(_ overrides: Bool) throws -> AndroidPreset {
      try domains(
        (
          "example.org",
          .init(
            sources: [.init(), .init(own, overridesPins: overrides)], pins: try fixture.pins("stray"))
        ))
    }
    #expect(try fixture.errors(by: preset(true)) == [])
    #expect(try fixture.errors(by: preset(false)) == ["pin-mismatch"])
    let other = try domains(
      (
        "example.org",
        .init(
          sources: [.init(), .init(AnchorSet([try #require(fixture.certificates["stray-ca"])]), overridesPins: true)],
          pins: try fixture.pins("stray"))
      ))
    #expect(try fixture.errors(by: other) == ["pin-mismatch"])
  }

  @Test("NSPinnedDomains: leaf pins at the leaf, CA pins above it, both if both are listed") func pinnedDomains() throws
  {
    for (leaf, ca, expected) in [
      (["leaf"], nil, []), (["ca"], nil, ["pin-mismatch"]), (nil, ["ca"], []), (nil, ["root"], []),
      (nil, ["leaf"], ["pin-mismatch"]), (["leaf"], ["ca"], []), (["leaf"], ["stray"], ["pin-mismatch"]),
      (["stray"], ["ca"], ["pin-mismatch"]), ([], nil, ["pin-set-empty"]), (["leaf"], [], ["pin-set-empty"]),
    ] as [([String]?, [String]?, Set<String>)] {
      let preset = PinnedDomainsPreset([
        try HostName("example.org"): .init(
          leafIdentities: try leaf.map { PinSet(try $0.map(fixture.pin)) },
          caIdentities: try ca.map { PinSet(try $0.map(fixture.pin)) })
      ])
      #expect(try fixture.errors(by: preset) == expected, "\(leaf as Any) \(ca as Any)")
    }
  }

  @Test("NSPinnedDomains: one label more, and pins of both domains add up") func subdomains() throws {
    let preset = PinnedDomainsPreset([
      try HostName("example.org"): .init(includesSubdomains: true, leafIdentities: try fixture.pins("stray")),
      try HostName("excluded.example.org"): .init(leafIdentities: try fixture.pins("leaf")),
    ])
    #expect(try fixture.errors(host: "www.example.org", by: preset) == ["pin-mismatch"])
    #expect(try fixture.errors(host: "a.b.example.org", by: preset) == [])
    #expect(try fixture.errors(host: "excluded.example.org", by: preset) == [])
  }
}
