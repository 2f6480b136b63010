// SPDX-License-Identifier: Apache-2.0
import Steelpin
import Testing

@Suite("host names")
struct HostNameMatcherTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let host: String
    let names: [GeneralName]
    let matches: Bool

    init(_ name: String, host: String = "test.apple.com", _ matches: Bool) {
      self.init(host, [.dns(Array(name.utf8)[...])], matches)
    }

    init(_ host: String, _ names: [GeneralName], _ matches: Bool) {
      self.host = host
      self.names = names
      self.matches = matches
    }

    var testDescription: String { "\(host) and \(names.compactMap(\.hostText))" }
  }

  /// The vectors of Apple's SSLTrustPolicyTest that are about names; a common name is not among the inputs, since none
  /// counts.
  static let apple: [Row] = [
    Row("other.apple.com", false), Row("test.apple.com", [], false), Row("test.apple.com", true),
    Row("test.*.apple.com", false),
    Row("test.*.apple.com", host: "test.good.apple.com", false),
    Row("*.test.apple.com", host: "good.test.apple.com", true), Row("*.test.apple.com", false),
    Row("*.test.apple.com", host: "one.bad.test.apple.com", false), Row("*.com", host: "apple.com", false),
    Row("*.co.uk", host: "apple.co.uk", false), Row("t*t.apple.com", false),
    Row("apple*.com", host: "apple1.com", false),
    Row("*.*.apple.com", host: "one.test.apple.com", false), Row("test.apple.com.extra", false),
    Row("extra.test.apple.com", false), Row("test.apple.com", host: "test.apple.com.", true),
    Row("test.apple.com.", false), Row(".test.apple.com", false), Row("*est.apple.com", false),
    Row("tes*.apple.com", false), Row("*", false), Row("*.*", false), Row("*.*.*", false), Row("*.", false),
    Row(".*", false), Row(".*.", false), Row("*.*.", false), Row("", false),
    Row("test.apple.com", [.email(Array("test.apple.com".utf8)[...])], false),
  ]

  static let others: [Row] = [
    // RFC 9525 6.3: letter case does not count, and a wildcard stands for exactly one label.
    Row("TEST.Apple.COM", true), Row("test.apple.com", host: "TEST.apple.com", true), Row("*.apple.com", true),
    Row("*.apple.com", host: "apple.com", false), Row("*.APPLE.com", true),
    // An underscore is no host name by RFC 952, but names with one resolve.
    Row("a_b.example.org", host: "a_b.example.org", true), Row("*.example.org", host: "a_b.example.org", true),
    // A-labels and U-labels: the reference name becomes an A-label, the presented one is never converted.
    Row("xn--bcher-kva.example", host: "bücher.example", true),
    Row("xn--bcher-kva.example", host: "BÜCHER.example", true),
    Row("*.example.org", host: "xn--bcher-kva.example.org", true),
    Row("xn--*.example.org", host: "xn--bcher-kva.example.org", false),
    // Octets that end a string in C.
    Row("test.apple.com\0.evil.example", false), Row("test.apple.com ", false), Row(" test.apple.com", false),
    // Private suffixes are their operators' own to certify; `*.github.io` is what they hold.
    Row("*.github.io", host: "me.github.io", true),
    // Addresses match addresses only.
    Row("192.0.2.1", host: "192.0.2.1", false), Row("*.0.2.1", host: "192.0.2.1", false),
    Row("192.0.2.1", [.ip([192, 0, 2, 1])], true), Row("192.0.2.2", [.ip([192, 0, 2, 1])], false),
    Row("::1", [.ip([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])], true),
    Row("[0:0:0:0:0:0:0:1]", [.ip([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])], true),
    Row("fe80::1%eth0", [.ip([0xFE, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])], true),
    // An IPv4 address is not its mapped IPv6 address.
    Row("192.0.2.1", [.ip([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 192, 0, 2, 1])], false),
    Row("192.0.2.1", [.ip([192, 0, 2, 1, 255, 255, 255, 255])], false),
    Row("test.apple.com", [.uri(Array("https://test.apple.com/".utf8)[...])], false),
  ]

  @Test("matching", arguments: apple + others) func matching(_ row: Row) throws {
    #expect(HostNameMatcher.matches(try HostName(row.host), row.names) == row.matches)
  }

  @Test(
    "what could be read in two ways is no host",
    arguments: [
      "", ".", ".test.apple.com", "a..b", "-a.example", "a-.example", "a b.example", "010.0.0.1", "0x7f.0.0.1",
      "127.1", "2130706433", "1.2.3.4.5", "256.0.0.1", "::1::", "[::1", "1:2:3:4:5:6:7", "fe80::1%", "12345::1",
      "a.example/path", "user@a.example", "a\0b.example", "*.example.org",
      String(repeating: "a", count: 64) + ".example",
      Array(repeating: String(repeating: "a", count: 49), count: 5).joined(separator: ".") + ".abcde",
    ])
  func refused(_ text: String) {
    #expect(throws: HostNameError.self) { try HostName(text) }
  }

  @Test("labels of 63 and names of 253 characters are the longest")
  func limits() throws {
    #expect(try HostName(String(repeating: "a", count: 63) + ".example").description.count == 71)
    let longest = Array(repeating: String(repeating: "a", count: 49), count: 5).joined(separator: ".") + ".abc"
    #expect(longest.count == 253)
    #expect(try HostName(longest).description == longest)
  }
}
