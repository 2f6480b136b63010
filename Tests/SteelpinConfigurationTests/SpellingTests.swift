// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinConfigurations
import SteelpinTestSupport
import Testing

/// What a platform reads otherwise than it is written, passes over, or never compares with anything: none of it may be
/// taken for a pin that is met.
struct SpellingTests {
  /// Platforms compare names letter by letter.
  static let spellings: [(format: String, text: String)] =
    ["www.steelpin.test.", "bücher.test"].flatMap { host in
      [
        ("android", LintTests.android([Keys.leaf], host: host)),
        ("nspinned", AppleTests.pinned(AppleTests.entry(host, leaf: [Keys.leaf]))),
        ("react-native", "initializeSslPinning({'\(host)': {publicKeyHashes: ['\(Keys.leaf)', '\(Keys.other)']}})"),
      ]
    } + [
      ("okhttp", DemandTests.okHttp(("www.steelpin.test.", [Keys.leaf]))),
      ("okhttp", DemandTests.okHttp(("**.steelpin.test.", [Keys.leaf]))),
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
    let configuration = try configuration(DemandTests.okHttp(("bücher.test", [Keys.leaf])), as: "okhttp")
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
    #expect((configuration.unread != nil) == row.isIncomplete)
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
      try outcome(configuration, host: DemandTests.host) == (row.isExpired ? .acceptedUnpinned : .pinMismatch))
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
        DemandTests.host, pins: [Keys.leaf],
        more: "<trust-anchors><certificates src=\"system\" overridePins=\"true\"/></trust-anchors>"))
    let configuration = try configuration(text, as: "android")
    #expect(configuration.findings.map(\.code) == [.pinsOverridden])
    #expect(try outcome(configuration, host: DemandTests.host) == .acceptedUnpinned)
  }

  private static func curl(_ line: String) -> String {
    "curl " + line.replacing("GOOD", with: "sha256//\(Keys.leaf)").replacing("BAD", with: "sha256//\(Keys.other)")
  }

  private static func zone(_ records: String...) -> String { records.joined(separator: "\n") + "\n" }

  private static let record = "_443._tcp.\(DemandTests.host). IN TLSA 3 1 1 \(OtherFormatTests.hex(Keys.leaf))"
  private static let wrong = "_443._udp.\(DemandTests.host). IN TLSA 3 1 1 \(OtherFormatTests.hex(Keys.other))"

  static let rows: [(format: String, row: Row)] = [
    (
      "curl",
      Row(
        "the last --pinnedpubkey counts", curl("--pinnedpubkey GOOD --pinnedpubkey BAD https://\(DemandTests.host)/"),
        .pinMismatch)
    ),
    (
      "curl",
      Row(
        "the last --pinnedpubkey counts, met",
        curl("--pinnedpubkey BAD --pinnedpubkey=GOOD https://\(DemandTests.host)/"), .accepted)
    ),
    (
      "curl",
      Row("every URL is pinned", curl("--pinnedpubkey BAD https://a.test/ https://\(DemandTests.host)/"), .pinMismatch)
    ),
    (
      "curl",
      Row(
        "--next begins anew", curl("--pinnedpubkey BAD https://a.test/ --next https://\(DemandTests.host)/"),
        .acceptedUnpinned)
    ),
    (
      "curl",
      Row(
        "--next with a pin of its own",
        curl("--pinnedpubkey BAD https://a.test/ --next --pinnedpubkey GOOD https://\(DemandTests.host)/"), .accepted)
    ),
    (
      "curl",
      Row(
        "--insecure leaves the pin", curl("-sk --pinnedpubkey GOOD https://a.test/"), host: "a.test",
        .accepted)
    ),
    (
      "curl",
      Row("--insecure, pin missed", curl("--insecure --pinnedpubkey BAD https://\(DemandTests.host)/"), .pinMismatch)
    ),
    (
      "curl",
      Row(
        "a file named k is no -k", curl("-o k --pinnedpubkey GOOD https://a.test/"), host: "a.test",
        .untrusted)
    ),
    (
      "okhttp",
      Row(
        "of two pinners in one file both must accept",
        DemandTests.okHttp((DemandTests.host, [Keys.leaf])) + "\n"
          + DemandTests.okHttp((DemandTests.host, [Keys.other])), .pinMismatch)
    ),
    (
      "okhttp",
      Row(
        "two pinners, both met",
        DemandTests.okHttp((DemandTests.host, [Keys.leaf])) + "\n"
          + DemandTests.okHttp((DemandTests.host, [Keys.root])), .accepted)
    ),
    (
      "okhttp",
      Row(
        "a pinner of other hosts has no say",
        DemandTests.okHttp((DemandTests.host, [Keys.leaf])) + "\n" + DemandTests.okHttp(("a.test", [Keys.other])),
        .accepted)
    ),
    (
      "react-native",
      Row(
        "a comment is no call",
        "// initializeSslPinning({'\(DemandTests.host)': {publicKeyHashes: ['\(Keys.leaf)', '\(Keys.root)']}})\n/* initializeSslPinning({}) */ const s = 'initializeSslPinning({})'\ninitializeSslPinning({'\(DemandTests.host)': {publicKeyHashes: ['\(Keys.other)', '\(Keys.rotated)']}})",
        .pinMismatch)
    ),
    ("tlsa", Row("a record for UDP is not for TCP", zone(record, wrong), .accepted)),
    ("tlsa", Row("letter case of the type", record.lowercased(), .accepted)),
  ]

  @Test(arguments: rows.indices) func rule(_ index: Int) throws {
    let (format, row) = Self.rows[index]
    let configuration = try configuration(row.text, as: format)
    #expect(configuration.obstacle == nil, "\(configuration.findings)")
    let source = try ConfigurationSource(path: "x", bytes: Array(row.text.utf8), files: MemoryFiles())
    #expect(try PinConfigurationFormats.read(source).map(\.format) == [format])
    #expect(
      try outcome(configuration, host: row.host, chain: row.chain) == row.expected, "\(row.rule)")
  }

  /// Nothing is said of a server by a file that the platform refuses, or of which a part was not read.
  static let obstacles: [(format: String, text: String, code: LintCode)] = [
    ("react-native", "initializeSslPinning({'a.test': {}})\ninitializeSslPinning({})", .pinListEmpty),
    (
      "react-native",
      "initializeSslPinning({'a.test': {publicKeyHashes: ['\(Keys.leaf)', '\(Keys.root)']}})\ninitializeSslPinning({})",
      .structureInvalid
    ),
    ("tlsa", zone(record, "$INCLUDE more.db"), .structureInvalid),
    ("tlsa", zone(record, "$generate 1-9 $ A 192.0.2.$"), .structureInvalid),
    ("tlsa", zone(wrong), .structureInvalid),
    (
      "trustkit", AppleTests.trustKit(AppleTests.domain("com", [Keys.leaf, Keys.root], AppleTests.below)),
      .hostPublicSuffix
    ),
    ("trustkit", AppleTests.trustKit("<key>a.example.com</key>\(AppleTests.excluded)"), .exclusionWithoutParent),
    ("trustkit", AppleTests.trustKit(AppleTests.domain("WWW.example.com", [Keys.leaf, Keys.root])), .hostMalformed),
    (
      "steelpin",
      OtherFormatTests.own(
        "{host: 'a.test', pins: ['sha256/\(Keys.leaf)']}, {host: 'a.test', pins: ['sha256/\(Keys.root)']}"),
      .hostDuplicate
    ),
  ]

  @Test(arguments: obstacles.indices) func obstacle(_ index: Int) throws {
    let row = Self.obstacles[index]
    #expect(try configuration(row.text, as: row.format).obstacle?.code == row.code)
  }

  @Test("TrustKit does not need to be told whether it swizzles") func swizzling() throws {
    let text = AppleTests.trustKit(AppleTests.domain("www.example.com", [Keys.leaf, Keys.root]))
      .replacing("<key>TSKSwizzleNetworkDelegates</key><false/>", with: "")
    #expect(try configuration(text, as: "trustkit").findings.isEmpty)
  }

  @Test("what a record has whole is written whole, and a SHA-512 stays one")
  func records() throws {
    let root = try TestCerts.certificate("ca/root-p256")
    let data = [
      "2 0 0 \(Hex.encode(root.der))", "3 1 1 \(OtherFormatTests.hex(Keys.leaf))",
      "1 1 2 \(String(repeating: "a7", count: 64))",
    ]
    let text = data.map { "_443._tcp.\(DemandTests.host). IN TLSA \($0)\n" }.joined()
    let original = try configuration(text, as: "tlsa")
    let format = try #require(PinConfigurationFormats.named("tlsa"))
    let result = try #require(PinConfigurationExport([original], to: format))
    #expect(result.text == text)
    #expect(result.losses.isEmpty, "\(result.losses)")
  }

  @Test("an address cannot leave its quotation marks in a header field")
  func quotation() throws {
    let text = OtherFormatTests.own(
      #"{host: 'a.test', pins: ['sha256/\#(Keys.leaf)', 'sha256/\#(Keys.root)'], reportURIs: ['https://r.test/\u0022\u000aX: \\']}"#
    )
    let format = try #require(PinConfigurationFormats.named("hpkp"))
    let written = try #require(PinConfigurationExport([configuration(text, as: "steelpin")], to: format)).text
    #expect(written.hasSuffix("report-uri=\"https://r.test/%22%0AX:%20%5C\"\n"), "\(written)")
  }

  @Test(
    "with the next certificate, pins on issuers are held against its issuers",
    arguments: [
      ("leaf/rotated", RotationRehearsal.Outcome.holdsIfSameIssuer), ("leaf/unrelated", .breaks),
    ])
  func rehearsal(_ next: String, _ expected: RotationRehearsal.Outcome) throws {
    let roots = try TestCerts.roots()
    let context = PlatformContext(
      anchors: .only(roots), anchorCertificates: roots.certificates, time: TestCerts.clock)
    let certificate = try TestCerts.certificate(next)
    for pin in [Keys.intermediate, Keys.root] {
      let configuration = try configuration(LintTests.android([pin, Keys.other]), as: "android")
      let rehearsal = RotationRehearsal.rehearse(
        configuration, host: try HostName(DemandTests.host), nextKey: certificate.publicKey, nextChain: [certificate],
        chain: try TestCerts.chain("leaf/p-256").certificates, in: context)
      #expect(rehearsal?.outcome == expected)
    }
  }
}
