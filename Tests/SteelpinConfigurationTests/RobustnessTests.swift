// SPDX-License-Identifier: Apache-2.0
import Foundation
import Steelpin
import SteelpinConfigurations
import SteelpinTestSupport
import Testing

/// Files that are broken, hostile or large: an error with a place, never a crash.
struct RobustnessTests {
  static let android = LintTests.android([Keys.leaf, Keys.rotated])
  static let plist = AppleTests.pinned(AppleTests.entry("www.steelpin.test", leaf: [Keys.leaf], ca: [Keys.root]))
  static let json = OtherFormatTests.own("{host: 'www.steelpin.test', pins: ['sha256/\(Keys.leaf)']}")
  static let samples = [
    android, plist, json, AppleTests.trustKit(AppleTests.domain("a.test", [Keys.leaf, Keys.rotated])),
    "_443._tcp.a.test. IN TLSA ( 3 1 1 \(OtherFormatTests.hex(Keys.leaf)) )",
    "Public-Key-Pins: pin-sha256=\"\(Keys.leaf)\"; max-age=1",
    "curl --pinnedpubkey 'sha256//\(Keys.leaf)' https://a.test",
    "CertificatePinner.Builder().add(\"a.test\", \"sha256/\(Keys.leaf)\")",
    "{\"fingerprints\":[{\"name\":\"a\",\"fingerprint\":\"\(Keys.leaf)\",\"expires\":1}]}",
    "initializeSslPinning({'a.test':{publicKeyHashes:['\(Keys.leaf)']}})",
  ]

  static func read(_ bytes: [UInt8], _ format: (any PinConfigurationFormat)? = nil) -> ConfigurationError? {
    do throws(ConfigurationError) {
      let source = try ConfigurationSource(path: "file", bytes: bytes, files: MemoryFiles())
      for configuration in try PinConfigurationFormats.read(source, as: format) {
        _ = Linter(time: TestCerts.clock).findings(in: configuration)
      }
      return nil
    } catch {
      return error
    }
  }

  @Test("cut at every octet, in every format: an error or a reading, never a crash", arguments: samples.indices)
  func truncated(_ index: Int) {
    let bytes = Array(Self.samples[index].utf8)
    for end in bytes.indices {
      _ = Self.read(Array(bytes[..<end]))
      for format in PinConfigurationFormats.all where end % 7 == 0 { _ = Self.read(Array(bytes[..<end]), format) }
    }
    #expect(Self.read(bytes) == nil)
  }

  @Test("single octets replaced", arguments: samples.indices) func mutated(_ index: Int) {
    let bytes = Array(Self.samples[index].utf8)
    for position in bytes.indices {
      for octet in [0, 0x22, 0x26, 0x3C, 0x5C, 0xFF] as [UInt8] {
        var copy = bytes
        copy[position] = octet
        if let error = Self.read(copy) { #expect(error.position.line >= 1 && error.position.column >= 1) }
      }
    }
  }

  @Test("the place of a broken document") func places() {
    #expect(Self.read(Array("<network-security-config>\n <a>\n</network-security-config>".utf8))?.position.line == 3)
    let json = Self.read(Array("{\n  schema: 'steelpin-pins/1',\n  schema: 'x'\n}".utf8))
    #expect(json?.code == .keyDuplicate)
    #expect(json?.position == SourcePosition(file: "file", line: 3, column: 3))
    #expect(Self.read(Array("{ \"steelpin-pins/1\": [1, }".utf8))?.position.column == 26)
    #expect(Self.read(Array("/* steelpin-pins/1".utf8))?.code == .syntax)
    #expect(Self.read([0x7B, 0x0A, 0xC3, 0x28])?.position == SourcePosition(file: "file", line: 2, column: 1))
  }

  static let entities = [
    "<!DOCTYPE n [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;\">]><network-security-config>&b;</network-security-config>",
    "<!DOCTYPE n [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><network-security-config>&x;</network-security-config>",
    "<!DOCTYPE n [<!ENTITY % p SYSTEM \"http://localhost/\"> %p;]><network-security-config/>",
    "<?xml version=\"1.0\"?><!DOCTYPE n SYSTEM \"http://localhost/x.dtd\"><network-security-config>&x;</network-security-config>",
    "<?xml version=\"1.0\" encoding=\"EBCDIC-CP-US\"?><network-security-config/>",
  ]

  @Test("no entity is declared or read", arguments: entities) func entity(_ text: String) {
    #expect(Self.read(Array(text.utf8))?.code == .entityRefused)
  }

  @Test(
    "UTF-16 with and without byte order mark", arguments: [String.Encoding.utf16, .utf16BigEndian, .utf16LittleEndian])
  func utf16(_ encoding: String.Encoding) throws {
    for text in [Self.android, Self.plist, Self.json] {
      let body = text.replacing("encoding=\"utf-8\"", with: "encoding=\"utf-16\"")
        .replacing("encoding=\"UTF-8\"", with: "encoding=\"UTF-16\"")
      #expect(Self.read(Array(try #require(body.data(using: encoding)))) == nil)
    }
  }

  @Test("deep nesting") func deep() {
    let depth = 200_000
    let xml = "<network-security-config>" + String(repeating: "<a>", count: depth)
    #expect(Self.read(Array(xml.utf8))?.code == .limitExceeded)
    let json = "{\"steelpin-pins/1\":" + String(repeating: "[", count: depth)
    #expect(Self.read(Array(json.utf8))?.code == .limitExceeded)
    let plist = "<plist>NSPinnedDomains" + String(repeating: "<array>", count: depth)
    #expect(Self.read(Array(plist.utf8))?.code == .limitExceeded)
  }

  @Test("50 MB") func large() {
    #expect(Self.read([UInt8](repeating: 0x20, count: 50_000_000))?.code == .limitExceeded)
  }

  /// A dictionary that refers to itself, arrays that refer to one another, and offsets out of range.
  @Test("hostile binary property lists") func binary() {
    func plist(_ objects: [[UInt8]], root: UInt8 = 0) -> [UInt8] {
      var bytes = Array("bplist00".utf8)
      var offsets: [UInt8] = []
      for object in objects {
        offsets.append(UInt8(bytes.count))
        bytes += object
      }
      let table = UInt8(bytes.count)
      bytes += offsets + [0, 0, 0, 0, 0, 0, 1, 1]
      bytes += [0, 0, 0, 0, 0, 0, 0, UInt8(objects.count)] + [0, 0, 0, 0, 0, 0, 0, root]
      return bytes + [0, 0, 0, 0, 0, 0, 0, table]
    }
    let format = PinConfigurationFormats.named("nspinned")
    #expect(Self.read(plist([[0xA1, 0]]), format)?.code == .limitExceeded)
    var laughs = (0..<20).map { [0xA8] + [UInt8](repeating: UInt8($0 + 1), count: 8) }
    laughs.append([0x09])
    #expect(Self.read(plist(laughs), format)?.code == .limitExceeded)
    #expect(Self.read(plist([[0xA1, 9]]), format)?.code == .syntax)
    #expect(Self.read(plist([[0x5F, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]]), format)?.code == .syntax)
    let good = plist([[0xD1, 1, 2], [0x51, 0x61], [0x09]])
    for index in good.indices {
      for octet in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
        var copy = good
        copy[index] = octet
        _ = Self.read(copy, format)
        _ = Self.read(Array(good[..<index]), format)
      }
    }
  }
}
