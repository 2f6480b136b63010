// SPDX-License-Identifier: Apache-2.0
import Steelpin
import Testing

@Suite("pins as people write them") struct PinParsingTests {
  /// Digests whose base64 begins with every character of the alphabet, the slash among them.
  static let digests: [[UInt8]] = (0..<64).map { [UInt8($0 << 2)] + Array(repeating: 0xA7, count: 31) }

  @Test("every spelling of every pin is that pin", arguments: digests)
  func spellings(_ octets: [UInt8]) throws {
    let pin = Pin(.publicKey, try #require(SHA256Digest(octets: octets)))
    let (base64, hex) = (Base64.encode(octets), Hex.encode(octets))
    let spellings = [
      pin.description, "sha256/" + base64, "sha256//" + base64, base64, hex, hex.uppercased(), "sha256:" + hex,
      "sha256/" + hex, "sha256//" + hex, "SHA256/" + base64, "pin-sha256:" + base64,
    ]
    for text in spellings { #expect(try Pin(parsing: text) == pin, "\(text)") }
    #expect(try Pin(parsing: "cert-sha256/" + base64) == Pin(.certificate, pin.digest))
  }

  @Test(
    "what is no pin",
    arguments: [
      ("", "the pin is empty"), ("sha256/", "the pin is empty"), ("sha256//", "the pin is empty"),
      ("sha256/AAAA", "has 3 bytes"), ("sha256///AAA", "has 3 bytes"), ("sha1/kLWGgyRZqOjZ0ssP7eDi0z6FAuM=", "sha1"),
      ("sha256/vY0tPKh8Yrz92CNsiue2MowGZJ1a694th7HlI+6hBpU", "lacks its base64 padding"),
      ("sha256//vY0tPKh8Yrz92CNsiue2MowGZJ1a694th7HlI+6hBpU", "lacks its base64 padding"),
      ("sha256/vY0tPKh8Yrz92CNsiue2MowGZJ1a694th7HlI-6hBpU=", "is base64url"),
      (Array(repeating: "7F", count: 32).joined(separator: ":"), "has colons"),
    ])
  func noPin(_ text: String, _ reason: String) {
    let error = #expect(throws: PinError.self) { try Pin(parsing: text) }
    #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
  }
}
