// SPDX-License-Identifier: Apache-2.0
import Foundation
import Steelpin
import SteelpinConfigurations
import SteelpinTestSupport
import Testing

/// Property lists: NSPinnedDomains (SecPolicy.c) and TrustKit (parse_configuration.m, TSKPinConfigurationTests).
struct AppleTests {
  static func plist(_ inside: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0"><dict>\(inside)</dict></plist>
    """
  }

  static func pinned(_ domains: String) -> String {
    plist("<key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict>\(domains)</dict></dict>")
  }

  static func entry(_ host: String, subdomains: Bool = false, leaf: [String]? = nil, ca: [String]? = nil) -> String {
    func list(_ name: String, _ pins: [String]?) -> String {
      guard let pins else { return "" }
      let items = pins.map { "<dict><key>SPKI-SHA256-BASE64</key><string>\($0)</string></dict>" }
      return "<key>\(name)</key><array>\(items.joined())</array>"
    }
    return "<key>\(host)</key><dict><key>NSIncludesSubdomains</key><\(subdomains)/>"
      + list("NSPinnedLeafIdentities", leaf) + list("NSPinnedCAIdentities", ca) + "</dict>"
  }

  static let nsPinned: [Row] = [
    Row("a leaf pin", pinned(entry("www.steelpin.test", leaf: [Keys.leaf])), .accepted),
    Row(
      "a leaf list is for the leaf only", pinned(entry("www.steelpin.test", leaf: [Keys.intermediate])), .pinMismatch),
    Row("a CA pin", pinned(entry("www.steelpin.test", ca: [Keys.intermediate])), .accepted),
    Row("a CA list is not for the leaf", pinned(entry("www.steelpin.test", ca: [Keys.leaf])), .pinMismatch),
    Row("both lists: AND, met", pinned(entry("www.steelpin.test", leaf: [Keys.leaf], ca: [Keys.root])), .accepted),
    Row(
      "both lists: AND, leaf missed", pinned(entry("www.steelpin.test", leaf: [Keys.rotated], ca: [Keys.root])),
      .pinMismatch),
    Row(
      "both lists: AND, CA missed", pinned(entry("www.steelpin.test", leaf: [Keys.leaf], ca: [Keys.other])),
      .pinMismatch),
    Row("an empty list blocks", pinned(entry("www.steelpin.test", leaf: [])), .blocked),
    Row("one label below", pinned(entry("steelpin.test", subdomains: true, ca: [Keys.other])), .pinMismatch),
    Row("two labels below are not meant", pinned(entry("test", subdomains: true, ca: [Keys.other])), .acceptedUnpinned),
    Row("no subdomains unless asked", pinned(entry("steelpin.test", ca: [Keys.other])), .acceptedUnpinned),
    Row(
      "entries for one host are merged",
      pinned(
        entry("steelpin.test", subdomains: true, ca: [Keys.root]) + entry("www.steelpin.test", ca: [Keys.other])),
      .accepted),
    Row(
      "pins never make trust", pinned(entry("www.steelpin.test", leaf: [Keys.leaf])), chain: "self-signed", .untrusted),
  ]

  @Test(arguments: nsPinned) func nsPinnedDomains(_ row: Row) throws {
    #expect(try outcome(configuration(row.text, as: "nspinned"), host: row.host, chain: row.chain) == row.expected)
  }

  static func trustKit(_ domains: String) -> String {
    plist(
      "<key>TSKConfiguration</key><dict><key>TSKSwizzleNetworkDelegates</key><false/>"
        + "<key>TSKPinnedDomains</key><dict>\(domains)</dict></dict>")
  }

  static func domain(_ host: String, _ pins: [String], _ more: String = "") -> String {
    "<key>\(host)</key><dict><key>TSKPublicKeyHashes</key><array>"
      + pins.map { "<string>\($0)</string>" }.joined() + "</array>\(more)</dict>"
  }

  static let below = "<key>TSKIncludeSubdomains</key><true/>"
  static let excluded = "<dict><key>TSKExcludeSubdomainFromParentPolicy</key><true/></dict>"

  static let trustKitRows: [Row] = [
    Row("leaf pin and backup", trustKit(domain("www.steelpin.test", [Keys.leaf, Keys.rotated])), .accepted),
    Row("CA pin and backup", trustKit(domain("www.steelpin.test", [Keys.root, Keys.rotated])), .accepted),
    Row("no pin met", trustKit(domain("www.steelpin.test", [Keys.other, Keys.rotated])), .pinMismatch),
    Row("subdomains at any depth", trustKit(domain("test", [Keys.other, Keys.rotated], below)), .pinMismatch),
    Row(
      "no subdomains unless asked", trustKit(domain("steelpin.test", [Keys.other, Keys.rotated])), .acceptedUnpinned),
    Row(
      "an excluded subdomain",
      trustKit(domain("steelpin.test", [Keys.other, Keys.rotated], below) + "<key>www.steelpin.test</key>\(excluded)"),
      .acceptedUnpinned),
    Row(
      "an expired policy does not pin",
      trustKit(
        domain(
          "www.steelpin.test", [Keys.other, Keys.rotated], "<key>TSKExpirationDate</key><string>2025-12-31</string>")),
      .acceptedUnpinned),
    Row(
      "not enforced: allow and report",
      trustKit(domain("www.steelpin.test", [Keys.other, Keys.rotated], "<key>TSKEnforcePinning</key><false/>")),
      .acceptedUnpinned),
    Row(
      "not enforced: a bad chain blocks all the same",
      trustKit(domain("www.steelpin.test", [Keys.other, Keys.rotated], "<key>TSKEnforcePinning</key><false/>")),
      chain: "expired", .untrusted),
    Row(
      "a wrong host blocks", trustKit(domain("www.steelpin.test", [Keys.leaf, Keys.rotated])), chain: "wrong-host",
      .untrusted),
    Row(
      "the longest parent wins",
      trustKit(
        domain("test", [Keys.other, Keys.rotated], below) + domain("steelpin.test", [Keys.leaf, Keys.rotated], below)),
      .accepted),
  ]

  @Test(arguments: trustKitRows) func trustKitRule(_ row: Row) throws {
    #expect(try outcome(configuration(row.text, as: "trustkit"), host: row.host, chain: row.chain) == row.expected)
  }

  @Test("a binary property list reads as its XML does", .enabled(if: ExternalTool("python3").isInstalled))
  func binary() throws {
    let directory = try ScratchDirectory()
    let text = Self.pinned(Self.entry("www.steelpin.test", leaf: [Keys.leaf], ca: [Keys.root]))
    _ = try directory.write(Array(text.utf8), as: "Info.plist")
    let script = """
      import plistlib
      value = plistlib.load(open('Info.plist', 'rb'))
      plistlib.dump(value, open('Binary.plist', 'wb'), fmt=plistlib.FMT_BINARY)
      """
    let run = try ExternalTool("python3").run(["-c", script], in: directory)
    #expect(run.succeeded, "\(run.text)")
    let source = try ConfigurationSource(
      path: "Binary.plist", bytes: directory.read("Binary.plist"), files: MemoryFiles())
    let read = try #require(try PinConfigurationFormats.read(source).first)
    #expect(read.entries.flatMap(\.pins).compactMap(\.pin?.digest.base64).sorted() == [Keys.leaf, Keys.root].sorted())
    #expect(try outcome(read, host: "www.steelpin.test") == .accepted)
    #expect(read.entries.first?.position?.column ?? 0 > 1)
  }
}
