// SPDX-License-Identifier: Apache-2.0
import Foundation
import Steelpin
import Testing

@Suite("hosts of a table") struct HostMapTests {
  private static let map = Result {
    try HostMap(
      [
        "example.org", "*.example.org", "**.deep.example.org", "api.deep.example.org", "*.deep.example.org",
        "**.example.net", "192.0.2.1", "2001:db8::1", "bücher.example",
      ].map { (try HostPattern(parsing: $0), $0) })
  }

  @Test(
    "the most specific entry decides",
    arguments: [
      ("example.org", "example.org"), ("EXAMPLE.org.", "example.org"), ("www.example.org", "*.example.org"),
      ("a.b.example.org", nil), ("deep.example.org", "**.deep.example.org"),
      ("api.deep.example.org", "api.deep.example.org"), ("www.deep.example.org", "*.deep.example.org"),
      ("a.b.deep.example.org", "**.deep.example.org"), ("example.net", "**.example.net"),
      ("a.b.c.example.net", "**.example.net"), ("notexample.net", nil), ("net", nil), ("192.0.2.1", "192.0.2.1"),
      ("192.0.2.2", nil), ("[2001:DB8:0:0::1]", "2001:db8::1"), ("xn--bcher-kva.example", "bücher.example"),
      ("BÜCHER.example", "bücher.example"),
    ] as [(String, String?)])
  func match(_ host: String, _ pattern: String?) throws {
    #expect(try Self.map.get().match(try HostName(host))?.value == pattern)
  }

  @Test("all entries that a host meets, the most specific first") func matches() throws {
    #expect(
      try Self.map.get().matches(try HostName("www.deep.example.org")).map(\.value)
        == ["*.deep.example.org", "**.deep.example.org"])
  }

  @Test(
    "a pattern has one normal form",
    arguments: [("*.Example.ORG.", "*.example.org"), ("**.bücher.example", "**.xn--bcher-kva.example")])
  func normalForm(_ text: String, _ normal: String) throws {
    #expect(try HostPattern(parsing: text).description == normal)
  }

  @Test(
    "what is no pattern",
    arguments: ["", "*", "*.", "**.", "***.org", "a.*.org", "*a.org", "*.192.0.2.1", "**.[::1]", ".org"])
  func malformed(_ text: String) {
    #expect(throws: HostNameError.self) { try HostPattern(parsing: text) }
  }

  @Test("a table of many hosts") func manyHosts() throws {
    var map = HostMap<Int>()
    for index in 0..<10_000 { map[try HostPattern(parsing: "*.host\(index).example.org")] = index }
    let host = try HostName("www.host9999.example.org")
    #expect(map.match(host)?.value == 9999)
    #expect(try map.match(HostName("www.host10000.example.org")) == nil)
  }

  @Test("two spellings of one pattern are an error in JSON") func duplicate() throws {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(HostMap<Int>.self, from: Data(#"{"example.org": 1, "Example.org.": 2}"#.utf8))
    }
  }
}
