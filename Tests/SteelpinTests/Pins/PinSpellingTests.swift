// SPDX-License-Identifier: Apache-2.0
import Steelpin
import Testing

struct PinSpellingTests {
  /// Digests of which many have base64 that begins with a slash, or like the name of an algorithm.
  private static let digests: [[UInt8]] =
    (0..<512).map { SHA256Digest(of: [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)]).octets }
    + [
      [UInt8](repeating: 0xFF, count: 32), [0xFC] + [UInt8](repeating: 0, count: 31),
      // "sha2/…", "MD5/…" and "spki/…" in base64.
      [0xB2, 0x16, 0xB6, 0xFC] + [UInt8](repeating: 1, count: 28),
      [0x30, 0x3E, 0x7F, 0xFF] + [UInt8](repeating: 2, count: 28),
      [0xB2, 0x99, 0x22, 0xFF, 0xFF] + [UInt8](repeating: 3, count: 27),
    ]

  @Test("every spelling of a digest is the same pin") func spellings() throws {
    #expect(Self.digests.count { Base64.encode($0).hasPrefix("/") } > 5)
    for octets in Self.digests {
      let base64 = Base64.encode(octets)
      let pin = try Pin(parsing: base64)
      #expect(pin.digest.octets == octets)
      for text in [
        "sha256/" + base64, "sha256//" + base64, "pin-sha256/" + base64, "sha256:" + Hex.encode(octets),
        Hex.encode(octets), pin.description,
      ] { #expect((try? Pin(parsing: text)) == pin, "\(text)") }
      let certificate = try Pin(parsing: "cert-sha256/" + base64)
      #expect(certificate.digest == pin.digest && certificate.subject == .certificate)
    }
  }

  @Test("a spelling that lost its padding, or is base64url, is none") func wrongSpellings() {
    for octets in Self.digests {
      let base64 = Base64.encode(octets)
      for prefix in ["", "sha256/", "sha256//"] {
        #expect(throws: PinError.self) { try Pin(parsing: prefix + base64.dropLast()) }
        #expect(throws: PinError.self) { try Pin(parsing: prefix + "/" + base64.dropLast()) }
      }
    }
  }
}
