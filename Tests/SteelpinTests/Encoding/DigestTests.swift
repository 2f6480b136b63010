// SPDX-License-Identifier: Apache-2.0
import Steelpin
import Testing

@Suite("Digests")
struct DigestTests {
  @Test(
    "SHA-256 of the examples of FIPS 180-4",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ])
  func examples(text: String, digest: String) {
    #expect(SHA256Digest(of: Array(text.utf8)).hex == digest)
  }

  /// Where a message ends in its last block decides how it is padded; the digest of all digests is Python's.
  @Test("SHA-256 of messages of every length up to five blocks")
  func everyLength() {
    let message = (0..<300).map { UInt8(truncatingIfNeeded: $0 * 31 + 7) }
    let digests = message.indices.flatMap { SHA256Digest(of: message[..<$0]).octets }
    #expect(SHA256Digest(of: digests).hex == "82d1c86ef5eb80a2f7cb650e4770f5293bdbe86a5b577e54026c9295bbcf0e8d")
  }

  @Test(
    "fingerprints are digits of two and colons between them",
    arguments: [([], ""), ([0], "00"), ([0x0A, 0xFF, 0x5C], "0A:FF:5C")] as [([UInt8], String)])
  func fingerprints(octets: [UInt8], text: String) {
    #expect(Hex.fingerprint(octets) == text)
  }
}
