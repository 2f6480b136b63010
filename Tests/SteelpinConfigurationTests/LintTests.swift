// SPDX-License-Identifier: Apache-2.0
import Foundation
import Steelpin
import SteelpinConfigurations
import SteelpinTestSupport
import Testing

struct LintTests {
  static func lint(_ text: String, as format: String, chain: [Certificate]? = nil, held: Set<Pin>? = nil) throws
    -> [LintFinding]
  {
    Linter(time: TestCerts.clock, chain: chain, heldKeys: held).findings(in: try configuration(text, as: format))
  }

  static func android(_ pins: [String], host: String = "www.steelpin.test", expiration: String? = nil) -> String {
    AndroidTests.file(AndroidTests.domain(host, pins: pins, expiration: expiration))
  }

  static let nothing = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
  static let zero = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

  /// Mistakes that are seen without a chain, each with the code and the line of its finding.
  static let mistakes: [(text: String, format: String, code: LintCode, line: Int)] = [
    (android([nothing, Keys.leaf]), "android", .pinHashOfNothing, 5),
    (android([Keys.leaf, zero]), "android", .pinAllZero, 6),
    (android([OtherFormatTests.hex(Keys.leaf), Keys.root]), "android", .pinHex, 5),
    (
      android([Keys.leaf.replacing("+", with: "-").replacing("/", with: "_"), Keys.rotated]), "android", .pinDuplicate,
      0
    ),
    (android([Keys.root.replacing("+", with: "-"), Keys.rotated]), "android", .pinBase64URL, 5),
    (android([String(Keys.root.dropLast()), Keys.rotated]), "android", .pinMissingPadding, 5),
    (android(["not base64!", Keys.rotated]), "android", .pinMalformed, 5),
    (android(["sha256/" + Keys.root, Keys.rotated]), "android", .pinMalformed, 5),
    (android([Keys.leaf, Keys.leaf]), "android", .pinDuplicate, 6),
    (android([Keys.leaf]), "android", .pinSingle, 5),
    (android([Keys.leaf, Keys.rotated], expiration: "2025-12-31"), "android", .pinSetExpired, 5),
    (android([Keys.leaf, Keys.rotated], expiration: "2026-01-20"), "android", .pinSetExpiresSoon, 5),
    (android([Keys.leaf, Keys.rotated], host: "https://www.steelpin.test/"), "android", .hostIsURL, 4),
    (android([Keys.leaf, Keys.rotated], host: "www.steelpin.test:443"), "android", .hostHasPort, 4),
    (android([Keys.leaf, Keys.rotated], host: "*.steelpin.test"), "android", .hostWildcard, 4),
    (android([Keys.leaf, Keys.rotated], host: "co.uk"), "android", .hostPublicSuffix, 4),
    (android([], host: "www.steelpin.test"), "android", .exclusionWithoutParent, 4),
    ("www.steelpin.test sha1/CCdXUeyAbKAlsptNDDLX42IwUrY=", "okhttp", .pinSHA1, 1),
    ("www.*.test sha256/\(Keys.leaf)", "okhttp", .hostWildcard, 1),
    (AppleTests.pinned(AppleTests.entry("www.steelpin.test", leaf: [])), "nspinned", .pinListEmpty, 3),
    (AppleTests.trustKit(AppleTests.domain("www.steelpin.test", [Keys.leaf])), "trustkit", .pinSingle, 3),
    (OtherFormatTests.own("{host: 'a.test', pin: []}"), "steelpin", .keyUnknown, 2),
  ]

  @Test(arguments: mistakes.indices) func mistake(_ index: Int) throws {
    let row = Self.mistakes[index]
    let findings = try Self.lint(row.text, as: row.format)
    // Line 0 stands for a code that must not be found.
    let found = findings.contains { $0.code == row.code && $0.position.line == row.line && !$0.hint.isEmpty }
    #expect(found == (row.line > 0), "\(row.code) \(findings.map { "\($0.code) \($0.position)" })")
  }

  static let suffixes: [(host: String, subdomains: Bool, isFound: Bool)] = [
    ("localhost", true, false), ("localhost", false, false), ("intranet", true, false), ("com", true, true),
    ("co.uk", true, true), ("co.uk", false, true), ("example.com", true, false),
  ]

  @Test("registries' domains are public suffixes, names of a network of one's own are not", arguments: suffixes.indices)
  func suffix(_ index: Int) throws {
    let row = Self.suffixes[index]
    let text = OtherFormatTests.own(
      "{host: '\(row.subdomains ? "**." : "")\(row.host)', pins: ['sha256/\(Keys.leaf)', 'sha256/\(Keys.other)']}")
    let findings = try Self.lint(text, as: "steelpin").filter { $0.code == .hostPublicSuffix }
    #expect(!findings.isEmpty == row.isFound, "\(findings)")
  }

  @Test("a right configuration has no finding") func clean() throws {
    #expect(try Self.lint(Self.android([Keys.leaf, Keys.rotated]), as: "android").isEmpty)
    let plist = AppleTests.trustKit(AppleTests.domain("www.steelpin.test", [Keys.leaf, Keys.rotated]))
    #expect(try Self.lint(plist, as: "trustkit").isEmpty)
  }

  @Test("what the chain shows") func chain() throws {
    let chain = try TestCerts.chain("leaf/p-256").certificates
    func codes(_ pins: [String]) throws -> [LintCode] {
      try Self.lint(Self.android(pins), as: "android", chain: chain).map(\.code)
    }
    #expect(try codes([Keys.leaf, Keys.rotated]).isEmpty)
    #expect(try codes([Keys.leaf, Keys.intermediate]) == [.pinNoBackup])
    #expect(try codes([Keys.other, Keys.rotated]) == [.pinNotInChain])
    let fingerprint = chain[0].sha256.base64
    #expect(try codes([fingerprint, Keys.leaf, Keys.rotated]) == [.pinIsCertificateHash])
    let both = try TestCerts.chain("leaf/p-256").certificates + [TestCerts.certificate("ca/root-p256")]
    let findings = try Self.lint(Self.android([Keys.intermediate, Keys.root]), as: "android", chain: both)
    #expect(Set(findings.map(\.code)) == [.pinNoBackup, .pinsOnOneCA])
  }

  @Test("a backup is proved by a key that is held") func held() throws {
    let chain = try TestCerts.chain("leaf/p-256").certificates
    let pin = try Pin(parsing: "sha256/\(Keys.rotated)")
    let text = Self.android([Keys.leaf, Keys.rotated])
    #expect(try Self.lint(text, as: "android", chain: chain, held: [pin]).isEmpty)
    #expect(try Self.lint(text, as: "android", chain: chain, held: []).map(\.code) == [.pinNoBackup])
    let own = OtherFormatTests.own(
      "{host: 'www.steelpin.test', pins: [{pin: 'sha256/\(Keys.leaf)', backup: true}, 'sha256/\(Keys.rotated)']}")
    #expect(try Self.lint(own, as: "steelpin", chain: chain).map(\.code).contains(.backupInChain))
  }

  @Test("a leaf that lives 90 days and is pinned alone") func shortLived() throws {
    let leaf = try TestCerts.certificate("leaf/modern")
    let days =
      try #require(leaf.validity.notAfter).secondsSince1970 - #require(leaf.validity.notBefore).secondsSince1970
    let text = Self.android([leaf.publicKeySHA256.base64, Keys.rotated])
    let codes = try Self.lint(text, as: "android", chain: [leaf]).map(\.code)
    #expect(codes.contains(.leafPinShortLived) == (days / 86400 <= 200))
  }
}
