// SPDX-License-Identifier: Apache-2.0
import Foundation
import Steelpin
import SteelpinConfigurations
import SteelpinTestSupport
import Testing

/// The rules of the formats that are lines, source or JSON.
struct OtherFormatTests {
  static let sha1OfRoot = "sha1"

  /// CertificatePinnerTest of OkHttp.
  static let okHttp: [Row] = [
    Row("an exact pattern", "www.steelpin.test sha256/\(Keys.leaf)", .accepted),
    Row("any certificate of the cleaned chain, the root too", "www.steelpin.test sha256/\(Keys.root)", .accepted),
    Row("no pin met", "www.steelpin.test sha256/\(Keys.other)", .pinMismatch),
    Row("* is one label", "*.steelpin.test sha256/\(Keys.other)", .pinMismatch),
    Row("* is not two labels", "*.test sha256/\(Keys.other)", .acceptedUnpinned),
    Row("* is not no label", "*.www.steelpin.test sha256/\(Keys.other)", .acceptedUnpinned),
    Row("** is any depth", "**.test sha256/\(Keys.other)", .pinMismatch),
    Row("** is also the name itself", "**.www.steelpin.test sha256/\(Keys.other)", .pinMismatch),
    Row(
      "patterns are alternatives", "*.steelpin.test sha256/\(Keys.other)\nwww.steelpin.test sha256/\(Keys.leaf)",
      .accepted),
    Row("no pattern matches", "a.test sha256/\(Keys.other)", .acceptedUnpinned),
    Row("system trust comes first", "www.steelpin.test sha256/\(Keys.leaf)", chain: "self-signed", .untrusted),
    Row(
      "a lone self-signed certificate is not trusted",
      "www.steelpin.test sha256/aJXLxNqJMVJp82lD2+B5BIfletUHOKmDSQY7E9Pv1/U=", chain: "self-signed", .untrusted),
  ]

  @Test(arguments: okHttp) func okHttpRule(_ row: Row) throws {
    #expect(try outcome(configuration(row.text, as: "okhttp"), host: row.host, chain: row.chain) == row.expected)
  }

  @Test("a SHA-1 pin names the key that has it") func sha1() throws {
    let openssl = ExternalTool.openssl
    guard openssl.isInstalled else { return }
    let directory = try ScratchDirectory()
    let key = try TestCerts.certificate("ca/root-p256").publicKey.encoded
    let digest = try openssl.run(["dgst", "-sha1", "-binary"], input: Array(key), in: directory).output
    let text = "www.steelpin.test sha1/\(Data(digest).base64EncodedString())"
    let configuration = try configuration(text, as: "okhttp")
    #expect(configuration.findings.map(\.code) == [.pinSHA1])
    #expect(try outcome(configuration, host: "www.steelpin.test") == .accepted)
  }

  @Test("a pin whose first character is a slash is no curl pin") func leadingSlash() throws {
    let pin = "/0sIYadTCPwNEy+QTvC27kRVRDt5SojZr/62ZOWRDs0="
    let configuration = try configuration("www.steelpin.test sha256/\(pin)", as: "okhttp")
    #expect(configuration.findings.isEmpty, "\(configuration.findings)")
    #expect(configuration.entries[0].pins.compactMap(\.pin?.digest.base64) == [pin])
    let doubled = try SteelpinConfigurationTests.configuration("www.steelpin.test sha256//\(Keys.leaf)", as: "okhttp")
    #expect(doubled.findings.map(\.code) == [.pinMalformed])
  }

  @Test("Kotlin and Java: literals, constants, comments, positions") func source() throws {
    let text = """
      private const val BACKUP = "sha256/\(Keys.rotated)"
      /* .add("comment.test", "sha256/AAAA") */
      val pinner = CertificatePinner.Builder()
        // .add("line.test", "sha256/AAAA")
        .add("*.steelpin.test", "sha256/\(Keys.leaf)", BACKUP)
        .add("other.test", "sha256/" + "\(Keys.other)")
        .add("dynamic.test", pins[0])
        .build()
      list.add("no.test", "text")
      """
    let configuration = try configuration(text, as: "okhttp", path: "Pins.kt")
    #expect(configuration.entries.map(\.text) == ["*.steelpin.test", "other.test", "dynamic.test"])
    #expect(configuration.entries[0].pins.compactMap(\.pin?.digest.base64) == [Keys.leaf, Keys.rotated])
    #expect(configuration.entries[0].pins[0].position == SourcePosition(file: "Pins.kt", line: 5, column: 28))
    #expect(configuration.findings.map(\.code) == [.pinNotLiteral])
  }

  static let curl: [Row] = [
    Row("the leaf's key", "curl --pinnedpubkey 'sha256//\(Keys.leaf)' https://www.steelpin.test/", .accepted),
    Row(
      "second in the list",
      "curl --pinnedpubkey 'sha256//\(Keys.other);sha256//\(Keys.leaf)' https://www.steelpin.test/", .accepted),
    Row(
      "an issuer's key is never met", "curl --pinnedpubkey 'sha256//\(Keys.intermediate)' https://www.steelpin.test/",
      .pinMismatch),
    Row("a value alone is for any host", "sha256//\(Keys.leaf)", .accepted),
    Row(
      "a blank behind ';' breaks the second pin",
      "curl --pinnedpubkey 'sha256//\(Keys.other); sha256//\(Keys.leaf)' https://www.steelpin.test/", .pinMismatch),
    Row("missing padding", "sha256//\(Keys.leaf.dropLast())", .pinMismatch),
    Row("one slash is the name of a file", "sha256/\(Keys.leaf)", .pinMismatch),
    Row("another host is not pinned", "curl --pinnedpubkey 'sha256//\(Keys.other)' https://a.test/", .acceptedUnpinned),
  ]

  @Test(arguments: curl) func curlRule(_ row: Row) throws {
    let expected: HostCheck.Outcome = row.expected
    let result = try check(configuration(row.text, as: "curl"), host: row.host, chain: row.chain)
    // A configuration of which no pin can be read is a set that nothing meets, which is an error of the policy.
    #expect(result.outcome == expected || expected == .pinMismatch && !result.connects)
  }

  static let hpkp: [Row] = [
    Row(
      "pin and backup", "Public-Key-Pins: pin-sha256=\"\(Keys.leaf)\"; pin-sha256=\"\(Keys.rotated)\"; max-age=100",
      .accepted),
    Row(
      "no pin met", "Public-Key-Pins: pin-sha256=\"\(Keys.other)\"; pin-sha256=\"\(Keys.rotated)\"; max-age=100",
      .pinMismatch),
    Row(
      "without a backup the field is ignored",
      "Public-Key-Pins: pin-sha256=\"\(Keys.leaf)\"; pin-sha256=\"\(Keys.root)\"; max-age=100", .acceptedUnpinned),
    Row(
      "max-age=0 forgets", "Public-Key-Pins: pin-sha256=\"\(Keys.other)\"; pin-sha256=\"\(Keys.rotated)\"; max-age=0",
      .acceptedUnpinned),
    Row(
      "report only", "Public-Key-Pins-Report-Only: pin-sha256=\"\(Keys.other)\"; pin-sha256=\"\(Keys.rotated)\"",
      .acceptedUnpinned),
  ]

  @Test(arguments: hpkp) func hpkpRule(_ row: Row) throws {
    #expect(try outcome(configuration(row.text, as: "hpkp"), host: row.host, chain: row.chain) == row.expected)
  }

  static func hex(_ base64: String) -> String {
    (Data(base64Encoded: base64) ?? Data()).map { String(format: "%02x", $0) }.joined()
  }

  static let tlsa: [Row] = [
    Row("DANE-EE: the leaf's key", "_443._tcp.www.steelpin.test. IN TLSA 3 1 1 \(hex(Keys.leaf))", .accepted),
    Row("DANE-EE: another key", "_443._tcp.www.steelpin.test. IN TLSA 3 1 1 \(hex(Keys.other))", .pinMismatch),
    Row(
      "DANE-EE passes over dates",
      "_443._tcp.www.steelpin.test. IN TLSA 3 1 1 \(hex("iD6ZaPdcz725yOuap+yTCI29LXeYiMovuH8cYgCQQuQ="))",
      chain: "expired", .accepted),
    Row(
      "DANE-TA: an issuer that is sent", "_443._tcp.www.steelpin.test. IN TLSA 2 1 1 \(hex(Keys.intermediate))",
      .accepted),
    Row(
      "DANE-TA asks for the name", "_443._tcp.a.test. IN TLSA 2 1 1 \(hex(Keys.intermediate))", host: "a.test",
      .untrusted),
    Row(
      "PKIX-EE asks for a chain",
      "_443._tcp.www.steelpin.test. IN TLSA 1 1 1 \(hex("aJXLxNqJMVJp82lD2+B5BIfletUHOKmDSQY7E9Pv1/U="))",
      chain: "self-signed", .untrusted),
    Row("PKIX-TA: an issuer on the path", "_443._tcp.www.steelpin.test. IN TLSA 0 1 1 \(hex(Keys.root))", .accepted),
    Row("PKIX-TA is not for the leaf", "_443._tcp.www.steelpin.test. IN TLSA 0 1 1 \(hex(Keys.leaf))", .pinMismatch),
    Row(
      "records are alternatives",
      "_443._tcp.www.steelpin.test. TLSA 3 1 1 \(hex(Keys.other))\n TLSA 3 1 1 \(hex(Keys.leaf))", .accepted),
    Row(
      "origin, parentheses, comments",
      "$ORIGIN steelpin.test.\n_443._tcp.www 3600 IN TLSA ( 3 1 1 ; why\n \(hex(Keys.leaf).prefix(32))\n \(hex(Keys.leaf).dropFirst(32)) )",
      .accepted),
    Row("another port", "_25._tcp.www.steelpin.test. IN TLSA 3 1 1 \(hex(Keys.other))", .acceptedUnpinned),
    Row("RFC 3597", "_443._tcp.www.steelpin.test. IN TYPE52 \\# 35 030101\(hex(Keys.leaf))", .accepted),
  ]

  @Test(arguments: tlsa) func tlsaRule(_ row: Row) throws {
    #expect(try outcome(configuration(row.text, as: "tlsa"), host: row.host, chain: row.chain) == row.expected)
  }

  static func own(_ entries: String, _ more: String = "") -> String {
    "{ // ours\n schema: 'steelpin-pins/1', \(more) hosts: [\(entries)], }"
  }

  static let steelpin: [Row] = [
    Row("a pin", own("{host: 'www.steelpin.test', pins: ['sha256/\(Keys.leaf)']}"), .accepted),
    Row("unknown hosts are refused", own("{host: 'a.test', pins: ['sha256/\(Keys.leaf)']}"), .blocked),
    Row(
      "unless the file says otherwise",
      own("{host: 'a.test', pins: ['sha256/\(Keys.leaf)']}", "unknownHosts: 'system',"), .acceptedUnpinned),
    Row("a scope", own("{host: '**.steelpin.test', pins: [{pin: 'sha256/\(Keys.root)', on: 'leaf'}]}"), .pinMismatch),
    Row(
      "expired pins refuse", own("{host: 'www.steelpin.test', pins: ['sha256/\(Keys.leaf)'], expires: '2025-12-31'}"),
      .blocked),
    Row(
      "a forbidden key",
      own("{host: 'www.steelpin.test', pins: ['sha256/\(Keys.leaf)'], forbidden: ['sha256/\(Keys.root)']}"), .forbidden),
    Row(
      "report only", own("{host: 'www.steelpin.test', pins: ['sha256/\(Keys.other)'], enforcement: 'report-only'}"),
      .acceptedUnpinned),
  ]

  @Test(arguments: steelpin) func steelpinRule(_ row: Row) throws {
    let configuration = try configuration(row.text, as: "steelpin")
    #expect(configuration.findings.isEmpty)
    #expect(try outcome(configuration, host: row.host, chain: row.chain) == row.expected)
  }

  @Test("react-native: positions and both platforms") func reactNative() throws {
    let text = """
      await initializeSslPinning({
        // servers
        "steelpin.test": {
          includeSubdomains: true,
          publicKeyHashes: ["\(Keys.leaf)", "\(Keys.rotated)"],
        },
      });
      """
    let configuration = try configuration(text, as: "react-native", path: "App.js")
    #expect(configuration.entries.first?.pins.first?.position == SourcePosition(file: "App.js", line: 5, column: 23))
    #expect(try outcome(configuration, host: "www.steelpin.test") == .accepted)
    #expect(try outcome(configuration, host: "www.steelpin.test", chain: "rotated") == .accepted)
    #expect(try outcome(configuration, host: "www.steelpin.test", chain: "rsa-2048") == .pinMismatch)
  }

  @Test("Wultra: found by the certificate's common name, expired entries do not count") func wultra() throws {
    let leaf = try TestCerts.certificate("leaf/p-256")
    let name = try #require(leaf.subject.commonName)
    func text(_ expires: Int) -> String {
      "{\"fingerprints\":[{\"name\":\"\(name)\",\"fingerprint\":\"\(leaf.sha256.base64)\",\"expires\":\(expires)}]}"
    }
    #expect(try outcome(configuration(text(2_000_000_000), as: "wultra"), host: "www.steelpin.test") == .accepted)
    #expect(try outcome(configuration(text(1_000_000_000), as: "wultra"), host: "www.steelpin.test") == .blocked)
  }

  @Test("folders of certificates") func folders() throws {
    let leaf = try TestCerts.certificate("leaf/p-256").der
    let root = try TestCerts.certificate("ca/root-p256").der
    let files = ["App/leaf.der": leaf, "App/root.cer": root, "App/bad.crt": Array("gibberish".utf8), "App/a.txt": []]
    func read(_ format: String) throws -> PinConfiguration {
      let source = try ConfigurationSource(path: "App", files: MemoryFiles(files))
      return try #require(PinConfigurationFormats.named(format)).read(source)
    }
    let alamofire = try read("alamofire")
    #expect(alamofire.entries.first?.pins.map(\.text) == ["leaf.der", "root.cer"])
    #expect(alamofire.findings.map(\.code) == [.certificateUnreadable])
    #expect(try outcome(alamofire, host: "www.steelpin.test") == .accepted)
    let afNetworking = try read("afnetworking")
    #expect(afNetworking.entries.first?.pins.map(\.text) == ["root.cer"])
    #expect(try outcome(afNetworking, host: "www.steelpin.test") == .accepted)
    #expect(try outcome(afNetworking, host: "www.steelpin.test", chain: "rsa-2048") == .untrusted)
  }
}
