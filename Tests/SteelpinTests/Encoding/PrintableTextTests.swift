// SPDX-License-Identifier: Apache-2.0
import Steelpin
import Testing

@Suite struct PrintableTextTests {
  @Test(
    "what a terminal might obey is escaped",
    arguments: [
      ("plain text", "plain text"),
      ("bücher 钢钉", "bücher 钢钉"),
      ("a\u{1B}[31mred", "a\\u{1B}[31mred"),
      ("two\nlines\r\u{7F}", "two\\u{A}lines\\u{D}\\u{7F}"),
      ("\u{9B}31m", "\\u{9B}31m"),
      ("moc.\u{202E}live", "moc.\\u{202E}live"),
      ("zero\u{200B}width\u{2028}line", "zero\\u{200B}width\\u{2028}line"),
    ])
  func escapes(_ text: String, _ shown: String) {
    #expect(PrintableText.escape(text) == shown)
  }

  @Test("octets that are not UTF-8 are shown one by one") func octets() {
    #expect(PrintableText.escape(octets: [0x61, 0xFF, 0x1B, 0x62]) == "a\\xFF\\x1Bb")
    #expect(PrintableText.escape(octets: "ü".utf8) == "ü")
  }
}
