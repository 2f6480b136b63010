// SPDX-License-Identifier: Apache-2.0
import Foundation
import Steelpin
import SteelpinConfigurations
import SteelpinTestSupport
import Testing

/// The rules of the formats that have no table of their own: react-native, Wultra, and folders of certificates.
struct ListFormatTests {
  private static func reactNative(_ entries: String) -> String {
    "initializeSslPinning({\(entries)})"
  }

  private static func entry(_ host: String, _ pins: [String], _ more: String = "") -> String {
    "'\(host)': {publicKeyHashes: [\(pins.map { "'\($0)'" }.joined(separator: ", "))]\(more)},"
  }

  static let reactNativeRows: [Row] = [
    Row(
      "leaf pin and backup", reactNative(entry("www.steelpin.test", [Keys.leaf, Keys.rotated])),
      .accepted),
    Row(
      "any certificate of the chain",
      reactNative(entry("www.steelpin.test", [Keys.root, Keys.rotated])), .accepted),
    Row(
      "no pin met", reactNative(entry("www.steelpin.test", [Keys.other, Keys.rotated])),
      .pinMismatch),
    Row(
      "subdomains at any depth",
      reactNative(entry("test", [Keys.other, Keys.rotated], ", includeSubdomains: true")),
      .pinMismatch),
    Row(
      "no subdomains unless asked",
      reactNative(entry("steelpin.test", [Keys.other, Keys.rotated])), .acceptedUnpinned),
    Row(
      "expired pins are not enforced",
      reactNative(
        entry("www.steelpin.test", [Keys.other, Keys.rotated], ", expirationDate: '2025-12-31'")),
      .acceptedUnpinned),
    Row(
      "host without entry", reactNative(entry("a.test", [Keys.other, Keys.rotated])),
      .acceptedUnpinned),
    Row(
      "system trust comes first",
      reactNative(entry("www.steelpin.test", [Keys.leaf, Keys.rotated])), chain: "expired",
      .untrusted),
    Row(
      "the host counts", reactNative(entry("www.steelpin.test", [Keys.leaf, Keys.rotated])),
      chain: "wrong-host",
      .untrusted),
  ]

  @Test(arguments: reactNativeRows) func reactNativeRule(_ row: Row) throws {
    #expect(
      try outcome(configuration(row.text, as: "react-native"), host: row.host, chain: row.chain)
        == row.expected)
  }

  private static let name = (try? TestCerts.certificate("leaf/p-256"))?.subject.commonName ?? ""
  private static func wultra(_ entries: [(name: String, certificate: String, expires: Int)])
    -> String
  {
    let items = entries.map { entry in
      let fingerprint = (try? TestCerts.certificate(entry.certificate))?.sha256.base64 ?? ""
      return
        "{\"name\":\"\(entry.name)\",\"fingerprint\":\"\(fingerprint)\",\"expires\":\(entry.expires)}"
    }
    return "{\"fingerprints\":[\(items.joined(separator: ","))]}"
  }

  static let wultraRows: [Row] = [
    Row("the leaf's certificate", wultra([(name, "leaf/p-256", 2_000_000_000)]), .accepted),
    Row(
      "another certificate of that name", wultra([(name, "leaf/rotated", 2_000_000_000)]),
      .pinMismatch),
    Row(
      "entries for one name are alternatives",
      wultra([(name, "leaf/rotated", 2_000_000_000), (name, "leaf/p-256", 2_000_000_000)]),
      .accepted),
    Row(
      "an issuer's certificate is never met",
      wultra([(name, "ca/intermediate-p256", 2_000_000_000)]), .pinMismatch),
    Row("an expired entry does not count", wultra([(name, "leaf/p-256", 1_000_000_000)]), .blocked),
    Row(
      "no entry for the certificate's name: the caller cancels",
      wultra([("a.test", "leaf/p-256", 2_000_000_000)]), .blocked),
    Row(
      "trust decides in the end", wultra([(name, "leaf/expired", 2_000_000_000)]), chain: "expired",
      .untrusted),
  ]

  @Test(arguments: wultraRows) func wultraRule(_ row: Row) throws {
    #expect(
      try outcome(configuration(row.text, as: "wultra"), host: row.host, chain: row.chain)
        == row.expected)
  }

  /// One folder: the names of its files, each with a certificate of testcerts, DER or, with `PEM`, PEM.
  struct Folder: Sendable, CustomTestStringConvertible {
    let rule: String
    let format: String
    let files: [String: String]
    var chain = "p-256"
    let expected: HostCheck.Outcome

    var testDescription: String { "\(format): \(rule)" }
  }

  static let folders: [Folder] = [
    Folder(
      rule: "the leaf", format: "alamofire", files: ["leaf.cer": "leaf/p-256"], expected: .accepted),
    Folder(
      rule: "any certificate of the chain", format: "alamofire",
      files: ["i.crt": "ca/intermediate-p256"], expected: .accepted),
    Folder(
      rule: ".der and capitals are loaded", format: "alamofire", files: ["LEAF.DER": "leaf/p-256"],
      expected: .accepted),
    Folder(
      rule: "another leaf", format: "alamofire", files: ["leaf.cer": "leaf/rotated"],
      expected: .pinMismatch),
    Folder(
      rule: "PEM is dropped without a word", format: "alamofire",
      files: ["leaf.crt": "PEM leaf/p-256"], expected: .blocked),
    Folder(
      rule: "nothing at all throws", format: "alamofire", files: ["readme.txt": "leaf/p-256"],
      expected: .blocked),
    Folder(
      rule: "trust comes first", format: "alamofire", files: ["leaf.cer": "leaf/expired"],
      chain: "expired",
      expected: .untrusted),
    Folder(
      rule: "a CA of the chain", format: "afnetworking", files: ["root.cer": "ca/root-p256"],
      expected: .accepted),
    Folder(
      rule: "the leaf", format: "afnetworking", files: ["leaf.cer": "leaf/p-256"],
      expected: .accepted),
    Folder(
      rule: ".crt is not loaded", format: "afnetworking", files: ["leaf.crt": "leaf/p-256"],
      expected: .blocked),
    Folder(
      rule: "the pins are the only anchors of the second evaluation", format: "afnetworking",
      files: ["other.cer": "ca/other-root"], expected: .untrusted),
    Folder(
      rule: "a private anchor that the system does not know", format: "afnetworking",
      files: ["self.cer": "leaf/self-signed"], chain: "self-signed", expected: .untrusted),
  ]

  @Test(arguments: folders) func folderRule(_ row: Folder) throws {
    var files: [String: [UInt8]] = [:]
    for (name, entry) in row.files {
      let isPEM = entry.hasPrefix("PEM ")
      let der = try TestCerts.certificate(isPEM ? String(entry.dropFirst(4)) : entry).der
      files["App/\(name)"] = isPEM ? Array(Make.pem(der).utf8) : der
    }
    let source = try ConfigurationSource(path: "App", files: MemoryFiles(files))
    let configuration = try #require(PinConfigurationFormats.named(row.format)).read(source)
    #expect(try outcome(configuration, host: "www.steelpin.test", chain: row.chain) == row.expected)
  }
}
