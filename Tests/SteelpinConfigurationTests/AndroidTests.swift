// SPDX-License-Identifier: Apache-2.0
import Foundation
import Steelpin
import SteelpinConfigurations
import SteelpinTestSupport
import Testing

/// Android's rules: XmlConfigSource.java, NetworkSecurityTrustManager.java and the kinds of AOSP's XmlConfigTests.
struct AndroidTests {
  static func file(_ inside: String) -> String {
    "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<network-security-config>\n\(inside)\n</network-security-config>\n"
  }

  static func domain(
    _ name: String, subdomains: Bool = false, pins: [String], expiration: String? = nil, more: String = ""
  ) -> String {
    let pinElements = pins.map { "<pin digest=\"SHA-256\">\($0)</pin>" }.joined(separator: "\n")
    return """
      <domain-config>
        <domain includeSubdomains="\(subdomains)">\(name)</domain>
        <pin-set\(expiration.map { " expiration=\"\($0)\"" } ?? "")>\(pinElements)</pin-set>
        \(more)
      </domain-config>
      """
  }

  static let nested = file(
    domain(
      "steelpin.test", subdomains: true, pins: [Keys.other],
      more: "<domain-config><domain>www.steelpin.test</domain><pin-set/></domain-config>"))

  static let rows: [Row] = [
    Row("a pin of the leaf", file(domain("www.steelpin.test", pins: [Keys.leaf])), .accepted),
    Row("a pin of the root, which was not sent", file(domain("www.steelpin.test", pins: [Keys.root])), .accepted),
    Row("no pin met", file(domain("www.steelpin.test", pins: [Keys.other])), .pinMismatch),
    Row("one of two is enough", file(domain("www.steelpin.test", pins: [Keys.other, Keys.leaf])), .accepted),
    Row(
      "an expired set fails open", file(domain("www.steelpin.test", pins: [Keys.other], expiration: "2025-12-31")),
      .acceptedUnpinned),
    Row(
      "a set that lasts counts", file(domain("www.steelpin.test", pins: [Keys.other], expiration: "2026-01-02")),
      .pinMismatch),
    Row("subdomains at any depth", file(domain("test", subdomains: true, pins: [Keys.other])), .pinMismatch),
    Row("no subdomains unless asked", file(domain("steelpin.test", pins: [Keys.other])), .acceptedUnpinned),
    Row(
      "the longest match wins",
      file(
        domain("steelpin.test", subdomains: true, pins: [Keys.other]) + domain("www.steelpin.test", pins: [Keys.leaf])),
      .accepted),
    Row("an empty nested pin set excepts", nested, .acceptedUnpinned),
    Row("the parent's pins elsewhere", nested, host: "localhost", .acceptedUnpinned),
    Row(
      "a nested domain inherits",
      file(
        domain(
          "example.test", pins: [Keys.other], more: "<domain-config><domain>www.steelpin.test</domain></domain-config>")
      ),
      .pinMismatch),
    Row("host without entry", file(""), .acceptedUnpinned),
    Row("trust comes first", file(domain("www.steelpin.test", pins: [Keys.leaf])), chain: "expired", .untrusted),
    Row(
      "user certificates only: nothing is an anchor",
      file("<base-config><trust-anchors><certificates src=\"user\"/></trust-anchors></base-config>"), .untrusted),
    Row("space around a domain", file(domain("\n  www.steelpin.test  \n", pins: [Keys.other])), .pinMismatch),
    Row("letter case of a domain", file(domain("WWW.Steelpin.Test", pins: [Keys.other])), .pinMismatch),
  ]

  @Test(arguments: rows) func rule(_ row: Row) throws {
    let configuration = try configuration(row.text, as: "android")
    #expect(try outcome(configuration, host: row.host, chain: row.chain, at: row.at) == row.expected)
  }

  @Test("pins do not count where the path ends at an anchor with overridePins", arguments: [true, false])
  func overridePins(_ overrides: Bool) throws {
    let text = Self.file(
      Self.domain(
        "www.steelpin.test", pins: [Keys.other],
        more: "<trust-anchors><certificates src=\"@raw/my_ca\" overridePins=\"\(overrides)\"/></trust-anchors>"))
    let der = try TestCerts.certificate("ca/root-p256").der
    let configuration = try configuration(
      text, as: "android", path: "res/xml/nsc.xml", files: ["res/xml/../raw/my_ca.der": der])
    #expect(configuration.findings.isEmpty)
    #expect(try outcome(configuration, host: "www.steelpin.test") == (overrides ? .acceptedUnpinned : .pinMismatch))
  }

  /// What AOSP's parser throws for.
  static let refused: [(kind: String, text: String, code: LintCode, line: Int)] = [
    (
      "a domain twice", file("<domain-config><domain>a.test</domain>\n<domain>A.test</domain></domain-config>"),
      .hostDuplicate, 4
    ),
    ("no domain", file("<domain-config></domain-config>"), .structureInvalid, 3),
    (
      "two pin sets", file("<domain-config><domain>a.test</domain><pin-set/>\n<pin-set/></domain-config>"),
      .structureInvalid, 4
    ),
    ("pin set in base-config", file("<base-config>\n<pin-set/></base-config>"), .structureInvalid, 4),
    ("domain in base-config", file("<base-config>\n<domain>a.test</domain></base-config>"), .structureInvalid, 4),
    ("two base-configs", file("<base-config/>\n<base-config/>"), .structureInvalid, 4),
    (
      "an unknown source",
      file("<base-config><trust-anchors>\n<certificates src=\"sys\"/></trust-anchors></base-config>"),
      .structureInvalid, 4
    ),
    (
      "no source", file("<base-config><trust-anchors>\n<certificates/></trust-anchors></base-config>"),
      .structureInvalid, 4
    ),
    (
      "SHA-1",
      file(
        "<domain-config><domain>a.test</domain><pin-set>\n<pin digest=\"SHA-1\">CCdXUeyAbKAlsptNDDLX42IwUrY=</pin></pin-set></domain-config>"
      ), .pinWrongAlgorithm, 4
    ),
    ("a short pin", file(domain("a.test", pins: ["CCdXUeyAbKAlsptNDDLX42IwUrY="])), .pinWrongLength, 5),
    (
      "a date of another form", file(domain("a.test", pins: [Keys.leaf], expiration: "01/03/2027")), .expiryMalformed, 5
    ),
  ]

  @Test(arguments: refused.indices) func refusal(_ index: Int) throws {
    let row = Self.refused[index]
    let findings = try configuration(row.text, as: "android").findings
    #expect(
      findings.contains { $0.code == row.code && $0.severity == .error && $0.position.line == row.line }, "\(row.kind)")
  }
}
