// SPDX-License-Identifier: Apache-2.0
import Foundation
import Steelpin
import Testing

@Suite("host table") struct HostTableTests {
  private let time = Timestamp(secondsSince1970: 0)
  private let pinned = TrustPolicy(pinning: .pins(PinSet([]), scope: .leaf))

  private func table(unknownHost: HostTable.Rule = .deny) throws -> HostTable {
    try HostTable(
      ["pinned.example": .policy(pinned), "*.white.example": .bypass, "system.example": .system, "no.example": .deny],
      unknownHost: unknownHost)
  }

  @Test("rules")
  func rules() throws {
    let table = try table()
    for (host, rule) in [
      ("pinned.example", .policy(pinned)), ("a.white.example", .bypass), ("system.example", .system),
      ("no.example", .deny), ("white.example", .deny), ("unknown.example", .deny),
    ] as [(String, HostTable.Rule)] {
      #expect(table.rule(for: try HostName(host)) == rule, "\(host)")
    }
  }

  @Test("an unknown host gets what was chosen", arguments: [HostTable.Rule.bypass, .deny, .system])
  func unknown(_ rule: HostTable.Rule) throws {
    #expect(try table(unknownHost: rule).rule(for: HostName("unknown.example")) == rule)
  }

  @Test("what a rule demands of a chain: never nothing")
  func demands() throws {
    let table = try table()
    #expect(table.policy(for: try HostName("pinned.example"), at: time) == .policy(pinned))
    #expect(table.policy(for: try HostName("a.white.example"), at: time) == .policy(TrustPolicy()))
    #expect(table.policy(for: try HostName("system.example"), at: time) == .policy(TrustPolicy()))
    #expect(table.policy(for: try HostName("no.example"), at: time) == .refuse(.host))
    #expect(table.policy(for: nil, at: time) == .refuse(.host))
  }

  @Test("the default denies unknown hosts") func failsClosed() throws {
    #expect(HostTable().rule(for: try HostName("example.org")) == .deny)
    let decoded = try JSONDecoder().decode(HostTable.self, from: Data(#"{"hosts": {}}"#.utf8))
    #expect(decoded == HostTable())
  }

  @Test("plain HTTP is for listed hosts only, and never for a denied one") func plainHTTP() throws {
    var table = try table(unknownHost: .system)
    table.plainHTTPHosts = [try HostPattern(parsing: "*.white.example"), try HostPattern(parsing: "no.example")]
    for (host, isAllowed) in [
      ("a.white.example", true), ("white.example", false), ("no.example", false), ("system.example", false),
    ] {
      #expect(table.allowsPlainHTTP(to: try HostName(host)) == isAllowed, "\(host)")
    }
  }

  @Test("JSON and back") func coding() throws {
    var table = try table(unknownHost: .system)
    table.plainHTTPHosts = [try HostPattern(parsing: "*.white.example")]
    let text = try JSONEncoder().encode(table)
    #expect(try JSONDecoder().decode(HostTable.self, from: text) == table)
  }

  @Test("composite policies in JSON and back") func compositeCoding() throws {
    let policy = CompositePolicy.all([
      .any([.policy(pinned), .refuse(.emptyPins)]), .forHost(try HostName("other.example"), .policy(TrustPolicy())),
    ])
    let text = try JSONEncoder().encode(policy)
    #expect(try JSONDecoder().decode(CompositePolicy.self, from: text) == policy)
  }

  @Test(
    "JSON that is no rule",
    arguments: [#""trust""#, #"{"policy": 1}"#, #"{"all": [], "any": []}"#, #"{}"#, #"{"host": "a.example"}"#, "1"])
  func malformed(_ rule: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(HostTable.self, from: Data("{\"hosts\": {\"a.example\": \(rule)}}".utf8))
    }
  }
}
