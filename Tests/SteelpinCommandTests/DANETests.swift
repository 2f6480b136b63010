// SPDX-License-Identifier: Apache-2.0
import Foundation
import Steelpin
import SteelpinCommand
import SteelpinTestSupport
import Testing

@testable import SteelpinTool

/// TLSA records as the consumers of DANE judge and write them.
@Suite(.serialized, .timeLimit(.minutes(10))) struct DANETests {
  /// A record and whether a client of DANE accepts `leaf/p-256` with its issuer under it.
  struct Record: Sendable, CustomTestStringConvertible {
    let usage: Int
    let selector: Int
    let type: Int
    let certificate: String

    var testDescription: String { "\(usage) \(selector) \(type) of \(certificate)" }

    /// The record's data, as in a zone.
    func data() throws -> String {
      let certificate = try TestCerts.certificate(certificate)
      let content = selector == 0 ? certificate.der : Array(certificate.publicKey.encoded)
      let digest =
        switch type {
        case 0: content
        case 1: SHA256Digest(of: content).octets
        default: try sha512(content)
        }
      return "\(usage) \(selector) \(type) \(Hex.encode(digest))"
    }

    private func sha512(_ content: [UInt8]) throws -> [UInt8] {
      try ExternalTool.openssl.run(["dgst", "-sha512", "-binary"], input: content, in: ScratchDirectory()).output
    }
  }

  private static let records: [Record] =
    (0...3).flatMap { usage in
      ["leaf/p-256", "ca/intermediate-p256", "ca/root-p256", "ca/other-root"].map {
        Record(usage: usage, selector: 1, type: 1, certificate: $0)
      }
    }
    + [
      Record(usage: 3, selector: 0, type: 0, certificate: "leaf/p-256"),
      Record(usage: 3, selector: 0, type: 1, certificate: "leaf/p-256"),
      Record(usage: 3, selector: 1, type: 0, certificate: "leaf/p-256"),
      Record(usage: 3, selector: 1, type: 2, certificate: "leaf/p-256"),
      Record(usage: 2, selector: 0, type: 1, certificate: "ca/intermediate-p256"),
      Record(usage: 2, selector: 0, type: 0, certificate: "ca/root-p256"),
    ]

  @Test("openssl s_client comes to the same verdict of every record", ExternalTool.openssl.required)
  func openssl() async throws {
    let server = try await ServerFixture.openssl("leaf/p-256")
    let port = server.port
    let root = TestCerts.directory.appendingPathComponent("ca/root-p256/cert.pem").path
    let scratch = try ScratchDirectory()
    for record in Self.records {
      let data = try record.data()
      let client = try ExternalTool.openssl.run(
        [
          "s_client", "-connect", "127.0.0.1:\(port)", "-servername", "www.steelpin.test", "-dane_tlsa_domain",
          "www.steelpin.test", "-dane_tlsa_rrdata", data, "-CAfile", root, "-attime",
          "\(TestCerts.clock.secondsSince1970)", "-verify_return_error",
        ], in: scratch)
      _ = try scratch.write(Array("_443._tcp.www.steelpin.test. IN TLSA \(data)\n".utf8), as: "zone")
      let ours = await run(
        [
          "check", "www.steelpin.test", "--connect-to", "::127.0.0.1:\(port)", "--cacert", root, "--config",
          scratch.url.appendingPathComponent("zone").path, "--from", "tlsa",
        ], backends: backends)
      #expect([.success, .pinMismatch, .trustFailed].contains(ours.status), "\(record): \(ours)")
      #expect((ours.status == .success) == client.succeeded, "\(record): \(ours)\n\(client.text.prefix(2000))")
    }
  }

  @Test("the records that are exported are those of danetool", ExternalTool("danetool").required)
  func danetool() async throws {
    let scratch = try ScratchDirectory()
    func path(_ name: String) -> String { TestCerts.directory.appendingPathComponent(name).path }
    for (certificate, options, scope) in [
      ("leaf/p-256", [], "leaf"), ("ca/intermediate-p256", ["--ca"], "issuers"),
    ] as [(String, [String], String)] {
      let theirs = try ExternalTool("danetool").run(
        ["--tlsa-rr", "--host", "www.steelpin.test", "--load-certificate", path("\(certificate)/cert.pem")]
          + options, in: scratch)
      let pin = try Pin(.publicKey, of: TestCerts.certificate(certificate))
      let text =
        "{schema: 'steelpin-pins/1', hosts: [{host: 'www.steelpin.test', pins: [{pin: '\(pin)', on: '\(scope)'}]}]}"
      _ = try scratch.write(Array(text.utf8), as: "steelpin.json")
      let ours = await run(
        ["pin", "export", scratch.url.appendingPathComponent("steelpin.json").path, "--to", "tlsa", "--allow-loss"])
      #expect(ours.status == .success, "\(ours)")
      func fields(_ text: String) -> [String] {
        let data = text.split(separator: "TLSA").last.map(String.init) ?? ""
        return data.split { " ()\n".contains($0) }.map { $0.count == 2 ? String($0.dropFirst()) : $0.lowercased() }
      }
      #expect(fields(ours.output).count == 4)
      #expect(fields(theirs.text) == fields(ours.output), "\(theirs.text)\n\(ours)")
    }
  }
}
