// SPDX-License-Identifier: Apache-2.0
import Foundation
import Steelpin
import SteelpinConfigurations
import SteelpinTestSupport
import Testing

/// What every format makes of files that are too large, too deep, in UTF-16, or hostile.
struct HostileFormatTests {
  private static let formats = PinConfigurationFormats.all.map(\.name)

  private func read(_ bytes: [UInt8], as format: String) -> ConfigurationError? {
    RobustnessTests.read(bytes, PinConfigurationFormats.named(format))
  }

  @Test(
    "every sample reads alike in UTF-8 with a mark, and in UTF-16 of either order",
    arguments: RobustnessTests.samples.indices)
  func utf16(_ index: Int) {
    let text = Make.replace(
      Make.replace(RobustnessTests.samples[index], "encoding=\"utf-8\"", "encoding=\"utf-16\""),
      "encoding=\"UTF-8\"",
      "encoding=\"UTF-16\"")
    #expect(
      RobustnessTests.read([0xEF, 0xBB, 0xBF] + Array(RobustnessTests.samples[index].utf8)) == nil)
    for isBigEndian in [false, true] {
      #expect(RobustnessTests.read(Make.utf16(text, bigEndian: isBigEndian)) == nil)
      let cut = RobustnessTests.read(Make.utf16(text, bigEndian: isBigEndian).dropLast())
      #expect(cut?.code == .encodingInvalid)
    }
  }

  @Test("50 MB, whatever the format", arguments: formats) func large(_ format: String) {
    #expect(read([UInt8](repeating: 0x20, count: 50_000_000), as: format)?.code == .limitExceeded)
  }

  /// Openings that a reader without a limit would follow as deep as they go.
  private static let openings = [
    "<a>", "<dict><key>a</key>", "[", "{\"a\":", "(", "/*", "\"", "$INCLUDE a\n", "\\", "curl '",
  ]

  @Test("deep nesting, whatever the format", arguments: formats, openings)
  func deep(_ format: String, _ opening: String) {
    for start in [
      "", "<network-security-config>", "<plist>", "{hosts: ", "initializeSslPinning(",
      "CertificatePinner.Builder().add(",
    ] {
      let text = start + String(repeating: opening, count: 10_000)
      let error = read(Array(text.utf8), as: format)
      #expect(error.map { $0.position.line >= 1 && !$0.message.isEmpty } ?? true)
    }
  }

  @Test(
    "entities are refused in every format of XML", arguments: ["android", "nspinned", "trustkit"],
    RobustnessTests.entities)
  func entities(_ format: String, _ text: String) {
    #expect(read(Array(text.utf8), as: format)?.code == .entityRefused)
  }

  @Test("values of other types are errors with a place", arguments: formats) func wrongTypes(
    _ format: String
  ) {
    for text in [
      "{schema: 'steelpin-pins/1', hosts: {}}", "{schema: 1, hosts: [1, null, 'a', []]}",
      "{\"fingerprints\": [1, {\"name\": 2, \"fingerprint\": [], \"expires\": \"x\"}]}",
      "{'a.test': {publicKeyHashes: 3}}",
      AppleTests.plist(
        "<key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><array/></dict>"),
      AppleTests.plist("<key>TSKPinnedDomains</key><string>x</string>"),
      AndroidTests.file("<domain-config><domain/><pin-set><pin/></pin-set></domain-config>"),
      "_443._tcp.a.test. IN TLSA 9 9 9 zz", "Public-Key-Pins: pin-sha256=;;;max-age=-1",
      "curl --pinnedpubkey", "a.test sha256/",
    ] {
      let error = read(Array(text.utf8), as: format)
      #expect(
        error.map { $0.position.line >= 1 && $0.position.column >= 1 && !$0.message.isEmpty }
          ?? true)
    }
  }
}
