// SPDX-License-Identifier: Apache-2.0
import Steelpin
import Testing

@Suite("DER writer")
struct DERWriterTests {
  @Test(
    "integers are as short as two's complement allows (X.690 8.3.2)",
    arguments: [
      (0, "020100"), (1, "020101"), (127, "02017f"), (128, "02020080"), (255, "020200ff"), (256, "02020100"),
      (-1, "0201ff"), (-128, "020180"), (-129, "0202ff7f"), (Int.max, "02087fffffffffffffff"),
      (Int.min, "02088000000000000000"),
    ])
  func integers(value: Int, hex: String) {
    #expect(Hex.encode(DER.integer(value)) == hex)
  }

  @Test(
    "magnitudes gain a zero octet only when their first bit is set",
    arguments: [("", "020100"), ("00", "020100"), ("0000ff", "020200ff"), ("7f01", "02027f01"), ("80", "02020080")])
  func magnitudes(magnitude: String, hex: String) {
    #expect(Hex.decode(magnitude.utf8).map { Hex.encode(DER.integer(magnitude: $0)) } == hex)
  }

  @Test(
    "lengths are in their shortest form (X.690 10.1)",
    arguments: [(0, "0400"), (127, "047f"), (128, "048180"), (255, "0481ff"), (256, "04820100"), (65536, "0483010000")])
  func lengths(count: Int, prefix: String) throws {
    let bytes = DER.octetString([UInt8](repeating: 0, count: count))
    #expect(Hex.encode(bytes.prefix(prefix.utf8.count / 2)) == prefix)
    #expect(try DERReader.single(bytes[...], .octetString).content.count == count)
  }

  @Test(
    "named bits lose their trailing zeros (X.690 11.2.2)",
    arguments: [([], "030100"), ([0], "03020780"), ([5, 6], "03020106"), ([8], "0303070080"), ([0, 2], "030205a0")])
  func namedBits(numbers: [Int], hex: String) throws {
    #expect(Hex.encode(DER.namedBits(numbers)) == hex)
    _ = try DERReader.single(DER.namedBits(numbers)[...], .bitString).bitString()
  }

  @Test(
    "times change from UTCTime to GeneralizedTime at the years 1950 and 2050 (RFC 5280 4.1.2.5)",
    arguments: [
      ("1949-12-31T23:59:59Z", DERTag.generalizedTime, "19491231235959Z"),
      ("1950-01-01T00:00:00Z", .utcTime, "500101000000Z"), ("1999-12-31T23:59:59Z", .utcTime, "991231235959Z"),
      ("2049-12-31T23:59:59Z", .utcTime, "491231235959Z"),
      ("2050-01-01T00:00:00Z", .generalizedTime, "20500101000000Z"),
      ("9999-12-31T23:59:59Z", .generalizedTime, "99991231235959Z"),
    ])
  func times(text: String, tag: DERTag, content: String) throws {
    let time = try #require(Timestamp(text))
    let element = try DERReader.single(DER.time(time)[...], tag)
    #expect(String(decoding: element.content, as: UTF8.self) == content)
    #expect(try Timestamp(element) == time)
  }

  @Test("tags of a context wrap or replace")
  func contextTags() {
    #expect(Hex.encode(DER.explicit(3, DER.boolean(true))) == "a3030101ff")
    #expect(Hex.encode(DER.implicit(0, DER.octetString([1, 2]))) == "80020102")
    #expect(Hex.encode(DER.implicit(1, DER.sequence(DER.null))) == "a1020500")
    #expect(DER.implicit(1, []) == [])
  }

  @Test("members of a SET OF are sorted (X.690 11.6)")
  func sets() {
    let members = [DER.integer(300), DER.integer(2), DER.integer(1)]
    #expect(Hex.encode(DER.setOf(members)) == "310a" + "020101" + "020102" + "0202012c")
  }

  @Test("bit strings, object identifiers and strings")
  func others() throws {
    #expect(Hex.encode(DER.bitString([0xA0], unusedBits: 4)) == "030204a0")
    #expect(Hex.encode(DER.objectIdentifier(try #require(OID("2.5.29.17")))) == "0603551d11")
    #expect(Hex.encode(DER.string(.ia5String, "a.test")) == "1606612e74657374")
    #expect(Hex.encode(DER.enumerated(10)) == "0a010a")
  }
}
