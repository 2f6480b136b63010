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

  private static func okHttp(_ calls: (String, [String])...) -> String {
    "CertificatePinner.Builder()"
      + calls.map { ".add(\"\($0.0)\", \($0.1.map { "\"sha256/\($0)\"" }.joined(separator: ", ")))" }.joined()
      + ".build()"
  }

  private static let host = "www.steelpin.test"
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

  /// Platforms compare names letter by letter.
  static let spellings: [(format: String, text: String)] =
    ["www.steelpin.test.", "bücher.test"].flatMap { host in
      [
        ("android", LintTests.android([Keys.leaf], host: host)),
        ("nspinned", AppleTests.pinned(AppleTests.entry(host, leaf: [Keys.leaf]))),
        ("react-native", "initializeSslPinning({'\(host)': {publicKeyHashes: ['\(Keys.leaf)', '\(Keys.other)']}})"),
      ]
    } + [
      ("okhttp", okHttp(("www.steelpin.test.", [Keys.leaf]))), ("okhttp", okHttp(("**.steelpin.test.", [Keys.leaf]))),
      ("okhttp", "www.steelpin.test. sha256/\(Keys.leaf)"),
    ]

  @Test("a name that no connection has is an error, and no host is said to be pinned", arguments: spellings.indices)
  func spelling(_ index: Int) throws {
    let row = Self.spellings[index]
    let findings = try configuration(row.text, as: row.format).findings
    #expect(findings.contains { $0.code == .hostMalformed && $0.severity == .error }, "\(findings)")
  }

  @Test("OkHttp makes A-labels of patterns itself")
  func labels() throws {
    let configuration = try configuration(Self.okHttp(("bücher.test", [Keys.leaf])), as: "okhttp")
    #expect(configuration.findings.isEmpty, "\(configuration.findings)")
    #expect(configuration.entries.map(\.pattern.name) == ["xn--bcher-kva.test"])
  }

  static let calls: [(text: String, pins: Int, isIncomplete: Bool)] = [
    (".add(\"a.test\", \"sha256/\(Keys.leaf)\").add(\"a.test\", \"sha256/\(Keys.other)\")", 2, false),
    (".add(pattern = \"a.test\", \"sha256/\(Keys.leaf)\")", 1, false),
    (".add(\"a.test\", *arrayOf(\"sha256/\(Keys.leaf)\", \"sha256/\(Keys.other)\"))", 2, false),
    (".add(pattern = \"a.test\", pins = arrayOf(\"sha256/\(Keys.leaf)\"))", 1, false),
    (".add(\"a.test\", *pins)", 0, true),
    (".add(\"a.test\", \"sha256/\(Keys.leaf)\", *more())", 1, true),
    (".add(host(), \"sha256/\(Keys.leaf)\")", 0, true),
  ]

  @Test("what of a call cannot be read is known to be missing", arguments: calls.indices)
  func call(_ index: Int) throws {
    let row = Self.calls[index]
    let configuration = try configuration("CertificatePinner.Builder()\(row.text).build()", as: "okhttp")
    #expect(configuration.entries.flatMap(\.pins).count == row.pins)
    #expect(configuration.isIncomplete == row.isIncomplete)
    #expect((configuration.obstacle != nil) == row.isIncomplete, "\(configuration.findings)")
  }

  static let expirations: [(text: String, severity: LintFinding.Severity?, isExpired: Bool)] = [
    ("2030-01-01", nil, false), ("2030-1-1", .warning, false), ("2020-01-01T00:00:00Z", .warning, true),
    ("2020-1-1", .warning, true), ("2030-13-01", .error, false), ("2030-01", .error, false), ("soon", .error, false),
  ]

  @Test("Android reads dates as SimpleDateFormat does", arguments: expirations.indices)
  func expiration(_ index: Int) throws {
    let row = Self.expirations[index]
    let text = LintTests.android([Keys.other, Keys.rotated], expiration: row.text)
    let configuration = try configuration(text, as: "android")
    #expect(configuration.findings.map(\.severity) == (row.severity.map { [$0] } ?? []), "\(configuration.findings)")
    guard row.severity != .error else { return }
    #expect(
      try outcome(configuration, host: Self.host) == (row.isExpired ? .acceptedUnpinned : .pinMismatch))
  }

  @Test("an attribute that Android passes over is named")
  func attribute() throws {
    let text = LintTests.android([Keys.leaf, Keys.rotated]).replacing(
      "<domain ", with: "<domain includesubdomains=\"1\" "
    )
    .replacing("<domain>", with: "<domain includesubdomains=\"1\">")
    let findings = try configuration(text, as: "android").findings
    #expect(findings.map(\.code) == [.keyUnknown], "\(findings)")
  }

  @Test("pins that count for no chain of the system are no proof of a pin")
  func overridden() throws {
    let text = AndroidTests.file(
      AndroidTests.domain(
        Self.host, pins: [Keys.leaf],
        more: "<trust-anchors><certificates src=\"system\" overridePins=\"true\"/></trust-anchors>"))
    let configuration = try configuration(text, as: "android")
    #expect(configuration.findings.map(\.code) == [.pinsOverridden])
    #expect(try outcome(configuration, host: Self.host) == .acceptedUnpinned)
  }
}
