// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinConfigurations
import SteelpinTestSupport
import Testing

struct HostTableTests {
  private func table(_ configuration: PinConfiguration) throws -> HostTable {
    let roots = try TestCerts.roots()
    return try configuration.hostTable(
      in: PlatformContext(anchors: .only(roots), anchorCertificates: roots.certificates, time: TestCerts.clock))
  }

  /// What the table says of the servers that the checker judges is the same, host by host.
  private func compare(_ configuration: PinConfiguration) throws {
    let table = try table(configuration)
    let backend = try #require(trustBackends().first)
    for host in [
      "steelpin.test", "www.steelpin.test", "a.b.steelpin.test", "open.steelpin.test", "a.open.steelpin.test",
      "www.example.com", "a.www.example.com", "example.com", "unknown.example", "192.0.2.1",
    ] {
      for chain in ["p-256", "rotated", "rsa-2048", "wildcard", "ip", "self-signed"] {
        let served = try TestCerts.chain("leaf/\(chain)")
        let verdict = try backend.evaluate(served, host: HostName(host), by: table, at: TestCerts.clock)
        // HPKP knows no addresses; in a table they are unknown hosts like others.
        if configuration.format == "hpkp", host == "192.0.2.1" {
          #expect(!verdict.isTrusted)
          continue
        }
        let connects = try check(configuration, host: host, chain: chain).connects
        #expect(verdict.isTrusted == connects, "\(configuration.format), \(host), \(chain)")
      }
    }
  }

  @Test("a table demands what the configuration's system does", arguments: ConversionTests.writable.map(\.name))
  func agreement(_ name: String) throws {
    let format = try #require(PinConfigurationFormats.named(name))
    let text = try #require(format.write(configuration(ConversionTests.model, as: "steelpin")))
    try compare(configuration(text, as: name))
  }

  @Test(
    "overlapping hosts of steelpin.json",
    arguments: [
      "{host: 'steelpin.test', pins: ['sha256/\(Keys.leaf)']}, {host: '*.steelpin.test', pins: ['sha256/\(Keys.rotated)']}",
      "{host: '*.steelpin.test', excluded: true}, {host: '**.steelpin.test', pins: ['sha256/\(Keys.rotated)']}",
      "{host: 'www.steelpin.test', pins: [{pin: 'sha256/\(Keys.leaf)', on: 'leaf'}, {pin: 'sha256/\(Keys.root)', on: 'issuers'}]}",
      "{host: '192.0.2.1', pins: ['sha256/\(Keys.intermediate)']}",
      "{host: 'www.steelpin.test', pins: ['sha256/\(Keys.leaf)'], expires: '2020-01-01'}",
    ])
  func overlaps(_ entries: String) throws {
    for unknown in ["", "unknownHosts: 'system',"] {
      try compare(configuration(OtherFormatTests.own(entries, unknown), as: "steelpin"))
    }
  }

  @Test(
    "what a table cannot say is an error",
    arguments: [
      ("steelpin", OtherFormatTests.own("{host: 'a.example', pins: [], forbidden: ['sha256/\(Keys.leaf)']}", "")),
      ("okhttp", "a.example sha1/AAAAAAAAAAAAAAAAAAAAAAAAAAA="), ("okhttp", "a.example sha256/broken"),
    ])
  func errors(_ format: String, _ text: String) throws {
    let configuration = try configuration(text, as: format)
    #expect(throws: ConfigurationError.self) { try table(configuration) }
  }
}
