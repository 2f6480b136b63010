// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinConfigurations
import SteelpinTestSupport
import Testing

/// Formats differ in which entries count for a host and in whether lists are alternatives. What is written demands the
/// same pins of every host, or a loss says where it does not.
struct DemandTests {
  struct Conversion: Sendable, CustomTestStringConvertible {
    let rule: String
    let text: String
    let from: String
    let to: String
    /// Whether it is said that something else is demanded.
    let isLoss: Bool
    var testDescription: String { "\(rule): \(from) to \(to)" }
  }

  static func okHttp(_ calls: (String, [String])...) -> String {
    "CertificatePinner.Builder()"
      + calls.map { ".add(\"\($0.0)\", \($0.1.map { "\"sha256/\($0)\"" }.joined(separator: ", ")))" }.joined()
      + ".build()"
  }

  static let host = "www.steelpin.test"
  private static let twice = okHttp((host, [Keys.leaf]), (host, [Keys.other]))
  private static let nested = okHttp(("**.steelpin.test", [Keys.leaf]), (host, [Keys.other]))
  private static let reaches = okHttp(("**.steelpin.test", [Keys.leaf]), ("*.steelpin.test", [Keys.other]))
  private static let both = AppleTests.pinned(AppleTests.entry(host, leaf: [Keys.leaf], ca: [Keys.other]))
  private static let either = OtherFormatTests.own(
    "{host: '\(host)', pins: [{pin: 'sha256/\(Keys.leaf)', on: 'leaf'}, {pin: 'sha256/\(Keys.root)', on: 'issuers'}]}")
  private static let specific = OtherFormatTests.own(
    """
    {host: '**.steelpin.test', pins: ['sha256/\(Keys.other)', 'sha256/\(Keys.rotated)']},
    {host: '\(host)', pins: ['sha256/\(Keys.leaf)', 'sha256/\(Keys.root)']}
    """, "unknownHosts: 'system',")

  static let conversions: [Conversion] = [
    // OkHttp unites all patterns that match.
    Conversion(rule: "one host added twice", text: twice, from: "okhttp", to: "steelpin", isLoss: false),
    Conversion(rule: "one host added twice", text: twice, from: "okhttp", to: "android", isLoss: false),
    Conversion(rule: "one host added twice", text: twice, from: "okhttp", to: "trustkit", isLoss: false),
    Conversion(rule: "a host below a wildcard", text: nested, from: "okhttp", to: "steelpin", isLoss: false),
    Conversion(rule: "a host below a wildcard", text: nested, from: "okhttp", to: "android", isLoss: false),
    Conversion(rule: "a host below a wildcard", text: nested, from: "okhttp", to: "okhttp", isLoss: false),
    Conversion(rule: "two wildcards", text: reaches, from: "okhttp", to: "steelpin", isLoss: false),
    // The longest match alone counts, and would not where all are united.
    Conversion(rule: "a host with its own pins", text: specific, from: "steelpin", to: "okhttp", isLoss: true),
    Conversion(rule: "a host with its own pins", text: specific, from: "steelpin", to: "android", isLoss: false),
    Conversion(rule: "a host with its own pins", text: specific, from: "steelpin", to: "trustkit", isLoss: false),
    // Apple wants a pin of each list.
    Conversion(rule: "leaf and issuer", text: both, from: "nspinned", to: "nspinned", isLoss: false),
    Conversion(rule: "leaf and issuer", text: both, from: "nspinned", to: "steelpin", isLoss: true),
    Conversion(rule: "leaf and issuer", text: both, from: "nspinned", to: "tlsa", isLoss: true),
    Conversion(rule: "leaf and issuer", text: both, from: "nspinned", to: "android", isLoss: true),
    Conversion(rule: "leaf or issuer", text: either, from: "steelpin", to: "nspinned", isLoss: true),
    Conversion(rule: "leaf or issuer", text: either, from: "steelpin", to: "tlsa", isLoss: false),
    Conversion(rule: "leaf or issuer", text: either, from: "steelpin", to: "steelpin", isLoss: false),
  ]

  @Test("a changed demand is a loss", arguments: conversions) func demand(_ row: Conversion) throws {
    let original = try configuration(row.text, as: row.from)
    #expect(original.obstacle == nil, "\(original.findings)")
    let format = try #require(PinConfigurationFormats.named(row.to))
    let result = try #require(PinConfigurationExport([original], to: format))
    #expect(result.losses.contains { $0.code == .hostDemand } == row.isLoss, "\(result.losses)")
  }

  @Test(
    "where no loss is named, every chain is judged as before",
    arguments: conversions.filter { !$0.isLoss && $0.to != "tlsa" })
  func verdict(_ row: Conversion) throws {
    let original = try configuration(row.text, as: row.from)
    let format = try #require(PinConfigurationFormats.named(row.to))
    let written = try configuration(try #require(PinConfigurationExport([original], to: format)).text, as: row.to)
    for host in [Self.host, "other.steelpin.test"] {
      for chain in ["p-256", "rotated"] {
        #expect(try outcome(written, host: host, chain: chain) == outcome(original, host: host, chain: chain))
      }
    }
  }

  @Test("files with different hosts are put together without a loss, each with its own anchors")
  func differentHosts() throws {
    let files = try [
      configuration(Self.okHttp((Self.host, [Keys.leaf])), as: "okhttp"),
      configuration(
        AndroidTests.file(
          AndroidTests.domain("a.test", pins: [Keys.other])
            + "<base-config><trust-anchors><certificates src=\"system\"/></trust-anchors></base-config>"),
        as: "android"),
    ]
    let format = try #require(PinConfigurationFormats.named("steelpin"))
    let result = try #require(PinConfigurationExport(files, to: format))
    #expect(result.losses.isEmpty, "\(result.losses)")
    let written = try configuration(result.text, as: "steelpin")
    #expect(written.obstacle == nil && written.anchors == nil)
    #expect(written.entries.map { $0.anchors?.map(\.kind) } == [nil, [.system]])
  }

  @Test("files that demand different pins of one host are not made one without a word")
  func severalFiles() throws {
    let files = try [
      configuration(Self.okHttp((Self.host, [Keys.leaf])), as: "okhttp"),
      configuration(Self.okHttp((Self.host, [Keys.other])), as: "okhttp"),
    ]
    let format = try #require(PinConfigurationFormats.named("steelpin"))
    let result = try #require(PinConfigurationExport(files, to: format))
    #expect(result.losses.map(\.code) == [.hostDemand, .hostDemand], "\(result.losses)")
    #expect(result.losses.first?.message.contains(Keys.other) == true)
    #expect(try configuration(result.text, as: "steelpin").obstacle == nil)
  }
}
