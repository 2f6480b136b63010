// SPDX-License-Identifier: Apache-2.0
import Steelpin
import Testing

@Suite("moments") struct TimestampTests {
  @Test(
    "what people type",
    arguments: [
      ("2027-03-01", 1_803_859_200), ("2027-03-01T12:00:00Z", 1_803_902_400), ("2027-03-01 12:00:00", 1_803_902_400),
      ("2027-03-01T12:00:00.9Z", 1_803_902_400), ("2027-03-01T14:00:00+02:00", 1_803_902_400), ("@0", 0), ("@-1", -1),
      ("0000-01-01", -62_167_219_200), ("@-62167219200", -62_167_219_200), ("9999-12-31T23:59:59Z", 253_402_300_799),
      ("@253402300799", 253_402_300_799),
    ] as [(String, Int64)])
  func parsing(_ text: String, _ seconds: Int64) {
    #expect(Timestamp(text)?.secondsSince1970 == seconds)
  }

  @Test(
    "what is no moment between the years 0 and 9999",
    arguments: [
      "", "@", "yesterday", "2027-02-29", "2027-13-01", "2027-03-01T24:00:00Z", "2027-03-01T12:00", "10000-01-01",
      "-001-01-01", "@-62167219201", "@253402300800", "@9223372036854775807", "@-9223372036854775808",
      "@9223372036854775808", "@1e3", "2027-03-01T12:00:00+24:00",
    ])
  func noMoment(_ text: String) { #expect(Timestamp(text) == nil) }

  @Test(
    "arithmetic ends at what can be said",
    arguments: [
      (0, 1, 1), (.max, 1, .max), (.max, .max, .max), (.min, -1, .min), (.min, .min, .min), (.max, .min, -1),
      (-1, .min, .min),
    ] as [(Int64, Int64, Int64)])
  func sums(_ start: Int64, _ step: Int64, _ end: Int64) {
    #expect(Timestamp(secondsSince1970: start).advanced(by: step) == Timestamp(secondsSince1970: end))
    #expect(Timestamp(secondsSince1970: 0).advanced(byDays: step).secondsSince1970.signum() == step.signum())
  }

  @Test(
    "a distance ends at what can be said",
    arguments: [(5, 2, 3), (.max, .min, .max), (.min, .max, .min), (.min, 0, .min), (0, .min, .max)]
      as [(Int64, Int64, Int64)])
  func distances(_ end: Int64, _ start: Int64, _ seconds: Int64) {
    #expect(Timestamp(secondsSince1970: end).seconds(since: Timestamp(secondsSince1970: start)) == seconds)
  }

  @Test("any moment can be shown", arguments: [.min, .min + 1, -62_167_219_201, 0, 253_402_300_800, .max] as [Int64])
  func shown(_ seconds: Int64) { #expect(Timestamp(secondsSince1970: seconds).description.hasSuffix("Z")) }
}
