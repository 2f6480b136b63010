// SPDX-License-Identifier: Apache-2.0
import Foundation
import Steelpin
import SteelpinConfigurations
import SteelpinTestSupport
import Testing

/// Every format through the one model: what is written reads back as the same, or a loss says what is not.
struct ConversionTests {
  static let model = OtherFormatTests.own(
    """
    {host: '**.steelpin.test', pins: [{pin: 'sha256/\(Keys.leaf)', name: 'now'}, {pin: 'sha256/\(Keys.rotated)', backup: true}], expires: '2027-03-01'},
    {host: 'open.steelpin.test', excluded: true},
    {host: 'www.example.com', pins: ['sha256/\(Keys.root)', 'sha256/\(Keys.other)']},
    """, "unknownHosts: 'system',")

  static let writable = PinConfigurationFormats.all.filter {
    !["alamofire", "afnetworking", "wultra"].contains($0.name)
  }

  @Test("written, read and written again is the same, byte for byte", arguments: writable.map(\.name))
  func roundTrip(_ name: String) throws {
    let format = try #require(PinConfigurationFormats.named(name))
    let original = try configuration(Self.model, as: "steelpin")
    let text = try #require(format.write(original))
    let again = try configuration(text, as: name)
    #expect(again.obstacle == nil, "\(again.findings)")
    #expect(format.write(again) == text)
    if format.capabilities.hosts { #expect(again.entries.contains { $0.pattern.matches("www.example.com") }) }
    let source = try ConfigurationSource(path: "x", bytes: Array(text.utf8), files: MemoryFiles())
    #expect(try PinConfigurationFormats.read(source).map(\.format).contains(name))
  }

  @Test(
    "a pin that begins with a slash is read in every format, and the file taken for no other's",
    arguments: writable.map(\.name))
  func slash(_ name: String) throws {
    let first = "/" + Keys.leaf.dropFirst()
    let format = try #require(PinConfigurationFormats.named(name))
    let original = try configuration(
      OtherFormatTests.own("{host: 'www.example.com', pins: ['sha256/\(first)', 'sha256/\(Keys.other)']}"),
      as: "steelpin")
    #expect(original.findings.isEmpty, "\(original.findings)")
    let text = try #require(format.write(original))
    let again = try configuration(text, as: name)
    #expect(again.entries.flatMap(\.pins).contains { $0.pin?.digest.base64 == first }, "\(again.findings)")
    let source = try ConfigurationSource(path: "x", bytes: Array(text.utf8), files: MemoryFiles())
    #expect(try PinConfigurationFormats.read(source).map(\.format) == [name])
  }

  static let losses: [(format: String, codes: Set<ConversionLoss.Code>)] = [
    ("steelpin", []), ("trustkit", [.expiry, .name]), ("android", [.expiry, .name]),
    ("okhttp", [.exclusion, .expiry, .name]),
    ("nspinned", [.exclusion, .expiry, .name, .scope, .subdomains]),
    ("curl", [.exclusion, .expiry, .name, .scope, .subdomains]),
    ("tlsa", [.exclusion, .expiry, .name, .scope, .subdomains]), ("react-native", [.exclusion, .expiry, .name]),
  ]

  @Test(arguments: losses.indices) func loss(_ index: Int) throws {
    let row = Self.losses[index]
    let format = try #require(PinConfigurationFormats.named(row.format))
    let losses = try #require(PinConfigurationExport([configuration(Self.model, as: "steelpin")], to: format)).losses
    #expect(Set(losses.map(\.code)) == row.codes, "\(losses)")
  }

  static let records: [(scope: String, usages: [String])] = [
    ("leaf", ["3 1 1"]), ("issuers", ["2 1 1"]), ("any", ["3 1 1", "2 1 1"]),
  ]

  @Test("a TLSA record has the usage under which the pin can match", arguments: records.indices)
  func usage(_ index: Int) throws {
    let row = Self.records[index]
    let key = row.scope == "issuers" ? Keys.intermediate : Keys.leaf
    let original = try configuration(
      OtherFormatTests.own(
        "{host: 'www.steelpin.test', pins: [{pin: 'sha256/\(key)', on: '\(row.scope)'}]}"), as: "steelpin")
    #expect(original.findings.allSatisfy { $0.severity != .error }, "\(original.findings)")
    let format = try #require(PinConfigurationFormats.named("tlsa"))
    let text = try #require(format.write(original))
    let lines = row.usages.map { "_443._tcp.www.steelpin.test. IN TLSA \($0) \(OtherFormatTests.hex(key))\n" }
    #expect(text == lines.joined())
    #expect(try outcome(configuration(text, as: "tlsa"), host: "www.steelpin.test") == .accepted)
    let losses = try #require(PinConfigurationExport([original], to: format)).losses.filter { $0.code == .scope }
    #expect(losses.isEmpty == (row.scope != "any"), "\(losses)")
  }

  @Test("Java reads the Android file, and python the property lists", .enabled(if: ExternalTool("python3").isInstalled))
  func consumers() throws {
    let directory = try ScratchDirectory()
    let original = try configuration(Self.model, as: "steelpin")
    for name in ["android", "nspinned", "trustkit"] {
      let text = try #require(PinConfigurationFormats.named(name)?.write(original))
      _ = try directory.write(Array(text.utf8), as: "\(name).xml")
    }
    let script = """
      import plistlib, xml.dom.minidom
      xml.dom.minidom.parse('android.xml')
      assert 'www.example.com' in plistlib.load(open('nspinned.xml','rb'))['NSAppTransportSecurity']['NSPinnedDomains']
      assert 'www.example.com' in plistlib.load(open('trustkit.xml','rb'))['TSKConfiguration']['TSKPinnedDomains']
      """
    let run = try ExternalTool("python3").run(["-c", script], in: directory)
    #expect(run.succeeded, "\(run.text)")
    let plutil = ExternalTool("plutil")
    guard plutil.isInstalled else { return }
    #expect(try plutil.run(["-lint", "nspinned.xml", "trustkit.xml"], in: directory).succeeded)
  }

  @Test("a rotation is rehearsed before a CA has signed") func rehearsal() throws {
    let roots = try TestCerts.roots()
    let context = PlatformContext(anchors: .only(roots), anchorCertificates: [], time: TestCerts.clock)
    let chain = try TestCerts.chain("leaf/p-256").certificates
    let next = try TestCerts.certificate("leaf/rotated").publicKey
    func rehearse(_ pins: [String]) throws -> RotationRehearsal.Outcome? {
      let configuration = try configuration(LintTests.android(pins), as: "android")
      return RotationRehearsal.rehearse(
        configuration, host: try HostName("www.steelpin.test"), nextKey: next, chain: chain, in: context)?.outcome
    }
    #expect(try rehearse([Keys.leaf, Keys.rotated]) == .holds)
    #expect(try rehearse([Keys.leaf, Keys.intermediate]) == .holdsIfSameIssuer)
    #expect(try rehearse([Keys.leaf, Keys.other]) == .breaks)
    #expect(try rehearse([]) == .unpinned)
  }

  @Test("configurations that do not agree are drift") func drift() throws {
    let checks = try [
      check(configuration(LintTests.android([Keys.leaf]), as: "android"), host: "www.steelpin.test", chain: "rotated"),
      check(
        configuration("www.steelpin.test sha256/\(Keys.rotated)", as: "okhttp"), host: "www.steelpin.test",
        chain: "rotated"),
      check(
        configuration("www.steelpin.test sha256/\(Keys.rotated)", as: "okhttp"), host: "localhost", chain: "rotated"),
    ]
    let drift = ConfigurationDrift.find(in: checks)
    #expect(drift.map(\.host.description) == ["www.steelpin.test"])
    #expect(drift.first?.checks.map(\.connects) == [false, true])
  }
}
