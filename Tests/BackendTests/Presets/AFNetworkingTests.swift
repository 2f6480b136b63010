// SPDX-License-Identifier: Apache-2.0
import Foundation
import Steelpin
import SteelpinMatrix
import SteelpinTestSupport
import Testing

/// The certificates of AFNetworking's AFSecurityPolicyTests.m, made anew.
private struct AFNetworkingCertificates {
  let chains: [String: [Certificate]]
  let single: [String: Certificate]
  let system: AnchorSet

  static let shared = Result { try AFNetworkingCertificates() }

  private init() throws {
    let lab = try PresetLab()
    // httpbin.org is served with the cross-signed form of a root that the system has too.
    let class2 = try lab.authority("Class 2")
    let starfield = try lab.authority("Starfield G2", by: class2)
    let amazon = try lab.authority("Amazon Root CA 1", by: starfield)
    let amazonRoot = try lab.authority("Amazon Root CA 1")
    let serverCA = try lab.authority("Amazon Server CA 1B", by: amazon)
    let httpbin = try lab.server("httpbin", ["httpbin.org", "*.httpbin.org"], by: serverCA)

    // The original is expired and SHA-1 besides; this one is only another chain.
    let digicert = try lab.authority("DigiCert EV Root")
    let ca3 = try lab.authority("DigiCert CA-3", by: digicert)
    let appNet = try lab.server("app.net", ["*.app.net"], by: ca3)

    func selfSigned(_ label: String, _ name: String, _ names: [GeneralNameRecipe]) throws -> Certificate {
      try lab.server(label, names, by: nil) { recipe in
        recipe.subject = NameRecipe(.commonName(name))
        recipe.removeExtension(.basicConstraints)
        recipe.setExtension(.extendedKeyUsage([.serverAuth]), critical: true)
      }.certificate
    }
    let alternative = try selfSigned("ss-alt", "Alt Name", ["foobar.com"])
    let commonName = try selfSigned("ss-cn", "foobar.com", [])
    let none = try selfSigned("ss-none", "No Domains", [])

    let served = [try httpbin.certificate, try serverCA.certificate, try amazon.certificate, try starfield.certificate]
    self.chains = [
      "HB": served, "ADN": [try appNet.certificate, try ca3.certificate, try digicert.certificate],
      "SS-alt": [alternative], "SS-cn": [commonName], "SS-none": [none],
    ]
    self.single = [
      "HB leaf": served[0], "HB intermediate": served[1], "HB root": served[2], "HB cross root": served[3],
      "SS-alt": alternative, "SS-cn": commonName, "SS-none": none,
    ]
    self.system = AnchorSet([try class2.certificate, try amazonRoot.certificate, try digicert.certificate])
  }
}

/// The 46 rows of AFSecurityPolicyTests.m, with its line numbers. Those of a verdict are in the table; the others follow.
@Suite("AFSecurityPolicyTests") struct AFNetworkingTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let number: Int
    let mode: AFNetworkingPreset.PinningMode
    let allowInvalid: Bool
    let validatesDomain: Bool
    let pins: [String]
    let server: String
    let host: String?
    let errors: Set<String>
    var testDescription: String { "\(number)" }

    init(
      _ number: Int, _ mode: AFNetworkingPreset.PinningMode, _ flags: String, pins: [String] = [], _ server: String,
      _ host: String?, _ errors: Set<String> = []
    ) {
      self.number = number
      self.mode = mode
      self.allowInvalid = flags.contains("invalid")
      self.validatesDomain = flags.contains("domain")
      self.pins = pins
      self.server = server
      self.host = host
      self.errors = errors
    }
  }

  private static let all = ["HB leaf", "HB intermediate", "HB root", "HB cross root"]

  static let withoutPins: [Row] = [
    Row(5, .none, "domain", "HB", nil), Row(6, .none, "domain", "HB", "httpbin.org"),
    Row(7, .none, "domain", "SS-none", nil, ["self-signed-not-trusted@0"]),
    Row(8, .none, "domain", "HB", "apple.com", ["host-mismatch@0"]), Row(33, .none, "", "HB", "invalid.org"),
    Row(36, .none, "domain", "HB", "invalid.org", ["host-mismatch@0"]), Row(38, .none, "invalid domain", "SS-alt", nil),
    Row(40, .none, "invalid", "SS-alt", "foobar.com"),
    Row(41, .none, "domain", "SS-alt", nil, ["self-signed-not-trusted@0"]),
    Row(43, .none, "invalid domain", pins: ["SS-alt"], "SS-alt", "foobar.com", ["policy-contradiction"]),
    Row(44, .none, "invalid domain", "SS-alt", "foobar.com", ["policy-contradiction"]),
  ]

  static let publicKey: [Row] = [
    Row(11, .publicKey, "domain", pins: ["HB leaf"], "HB", nil),
    Row(12, .publicKey, "domain", pins: ["HB intermediate"], "HB", nil),
    Row(13, .publicKey, "domain", pins: ["HB root"], "HB", nil),
    Row(14, .publicKey, "domain", pins: all, "HB", nil),
    Row(15, .publicKey, "domain", pins: ["HB leaf", "SS-cn"], "HB", nil),
    Row(16, .publicKey, "domain", pins: ["HB leaf"], "HB", "httpbin.org"),
    Row(17, .publicKey, "domain", "HB", nil, ["pin-set-empty"]),
    Row(18, .publicKey, "domain", pins: ["HB leaf"], "ADN", nil, ["pin-mismatch"]),
    Row(19, .publicKey, "domain", pins: ["HB leaf"], "HB", "invaliddomainname.com", ["host-mismatch@0"]),
    Row(20, .publicKey, "domain", pins: ["HB leaf", "SS-cn"], "ADN", nil, ["pin-mismatch"]),
    Row(34, .publicKey, "invalid domain", pins: ["SS-cn"], "SS-cn", "foobar.com"),
    Row(35, .publicKey, "invalid domain", pins: ["SS-alt"], "SS-alt", "foobar.com"),
    Row(39, .publicKey, "invalid domain", pins: ["SS-alt"], "SS-alt", "foobar.com"),
    Row(42, .publicKey, "invalid domain", "SS-alt", "foobar.com", ["policy-contradiction"]),
    // Not in the original: what allowing invalid certificates means for a wrong host, a wrong key, and no host.
    Row(101, .publicKey, "invalid domain", pins: ["SS-alt"], "SS-alt", "wrong.example"),
    Row(102, .publicKey, "invalid domain", pins: ["SS-cn"], "SS-alt", "foobar.com", ["pin-mismatch"]),
    Row(103, .publicKey, "invalid domain", "SS-alt", nil, ["pin-set-empty"]),
    // The root that the system has was not sent, but it is on the evaluated chain.
    Row(104, .publicKey, "invalid", pins: ["HB root"], "HB", "wrong.example"),
  ]

  static let certificate: [Row] = [
    Row(23, .certificate, "domain", pins: ["HB leaf"], "HB", nil),
    Row(24, .certificate, "domain", pins: ["HB intermediate"], "HB", nil),
    Row(25, .certificate, "domain", pins: ["HB root"], "HB", nil),
    Row(26, .certificate, "domain", pins: all, "HB", nil),
    Row(27, .certificate, "domain", pins: ["HB leaf", "SS-cn"], "HB", nil),
    Row(28, .certificate, "domain", pins: ["HB leaf"], "HB", "httpbin.org"),
    Row(29, .certificate, "domain", "HB", nil, ["anchors-empty", "pin-set-empty", "issuer-not-found@3"]),
    Row(30, .certificate, "domain", pins: ["HB leaf"], "ADN", nil, ["root-not-trusted@2", "pin-mismatch"]),
    Row(31, .certificate, "domain", pins: ["HB leaf"], "HB", "invaliddomainname.com", ["host-mismatch@0"]),
    Row(32, .certificate, "domain", pins: ["HB leaf", "SS-cn"], "ADN", nil, ["root-not-trusted@2", "pin-mismatch"]),
    Row(37, .certificate, "invalid domain", pins: ["SS-none"], "SS-none", "foobar.com", ["host-mismatch@0"]),
    // Not in the original: row 34 in certificate mode does evaluate, and a common name does not count.
    Row(105, .certificate, "invalid domain", pins: ["SS-cn"], "SS-cn", "foobar.com", ["host-mismatch@0"]),
    Row(106, .certificate, "invalid domain", pins: ["SS-alt"], "SS-alt", "foobar.com"),
    // The complaint of AFNetworking#2117: a private authority's pin cannot pass unless invalid chains are allowed.
    Row(107, .certificate, "domain", pins: ["SS-alt"], "SS-alt", "foobar.com", ["self-signed-not-trusted@0"]),
  ]

  @Test("rows", arguments: withoutPins + publicKey + certificate) func row(_ row: Row) throws {
    let certificates = try AFNetworkingCertificates.shared.get()
    let preset = AFNetworkingPreset(
      mode: row.mode, allowInvalidCertificates: row.allowInvalid, validatesDomainName: row.validatesDomain,
      pinnedCertificates: try row.pins.map { try #require(certificates.single[$0]) })
    let chain = CertificateChain(try #require(certificates.chains[row.server]))
    let verdict = try judge(chain, host: row.host, by: preset, system: certificates.system)
    expect(verdict, errors: row.errors, "\(verdict.findings)")
  }

  @Test("rows 1 to 4: the default policy") func defaults() {
    let preset = AFNetworkingPreset()
    #expect(preset.mode == .none)
    #expect(!preset.allowInvalidCertificates)
    #expect(preset.validatesDomainName)
    #expect(preset.pinnedCertificates.isEmpty)
  }

  @Test("rows 9, 10, 21, 22: the certificates of a bundle are the pins, each once")
  func bundle() throws {
    let single = try AFNetworkingCertificates.shared.get().single
    let httpbin = try #require(single["HB leaf"])
    let other = try #require(single["SS-alt"])
    let files = [
      BundleFile("httpbin.cer", httpbin.der), BundleFile("copy.cer", httpbin.der), BundleFile("foobar.cer", other.der),
      BundleFile("ignored.der", try #require(single["SS-cn"]).der), BundleFile("text.cer", Array("text".utf8)),
      BundleFile("cer", try #require(single["SS-none"]).der),
    ]
    #expect(AFNetworkingPreset.certificates(inBundle: files) == [httpbin, other])
  }

  @Test("rows 45, 46: mode, flags and pins survive a copy and coding") func coding() throws {
    let single = try AFNetworkingCertificates.shared.get().single
    let preset = AFNetworkingPreset(
      mode: .certificate, allowInvalidCertificates: true, validatesDomainName: false,
      pinnedCertificates: try [#require(single["HB leaf"]), #require(single["SS-cn"])])
    let decoded = try JSONDecoder().decode(AFNetworkingPreset.self, from: JSONEncoder().encode(preset))
    #expect(decoded == preset)
  }
}
