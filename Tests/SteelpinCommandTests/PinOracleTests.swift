// SPDX-License-Identifier: Apache-2.0
import Foundation
import Steelpin
import SteelpinCommand
import SteelpinTestSupport
import Testing

/// Pins are those that openssl and certtool compute.
@Suite struct PinOracleTests {
  /// The lines of testcerts/pins.tsv, which openssl wrote: file, pin, fingerprint.
  static let lines: [[String]] = {
    let text = (try? String(contentsOf: TestCerts.directory.appendingPathComponent("pins.tsv"), encoding: .utf8)) ?? ""
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
      $0.split(separator: "\t").map(String.init)
    }
  }()

  private func path(_ file: String) -> String { TestCerts.directory.appendingPathComponent(file).path }

  @Test("the oracle is there") func oracle() { #expect(Self.lines.count > 30) }

  @Test("of every certificate of testcerts, as openssl wrote them down", arguments: lines)
  func certificates(_ line: [String]) async throws {
    let result = await run(["pin", "show", "--verbose", path(line[0])], backends: [FakeLibrary.proves.backend("a")])
    let words = result.output.split(separator: "\n").map { $0.prefix { $0 != " " } }
    #expect(words.first.map(String.init) == line[1], "\(result)")
    let fingerprint = Base64ForTests.encode(hex: line[2])
    #expect(words.last.map(String.init) == "cert-sha256/\(fingerprint)")
  }

  @Test(
    "of requests and public keys, which have the pin of their certificate", arguments: ["leaf/p-256", "leaf/rsa-2048"],
    ["request.csr", "public.pem", "cert.cer"])
  func others(_ entry: String, _ file: String) async throws {
    let expected = try #require(Self.lines.first { $0[0] == "\(entry)/cert.pem" })[1]
    let result = await run(["pin", "show", path("\(entry)/\(file)")], backends: [FakeLibrary.proves.backend("a")])
    #expect(result.output.hasPrefix(expected + " "), "\(result)")
  }

  @Test(
    "as certtool computes them", ExternalTool.certtool.required,
    arguments: [
      "ed25519", "p-256", "p-384", "p-521", "rsa-1024", "rsa-2048", "rsa-3072", "rsa-pss", "rsa-pss-key",
    ])
  func certtool(_ leaf: String) async throws {
    let directory = try ScratchDirectory()
    let answer = try ExternalTool.certtool.run(
      ["--key-id", "--hash", "SHA256", "--infile", path("leaf/\(leaf)/cert.pem")], in: directory)
    let hex = answer.text.trimmingCharacters(in: .whitespacesAndNewlines)
    let result = await run(["pin", "show", path("leaf/\(leaf)/cert.pem")], backends: [FakeLibrary.proves.backend("a")])
    #expect(result.output.hasPrefix("sha256/\(Base64ForTests.encode(hex: hex)) "), "\(answer.text)\n\(result)")
  }
}

/// Foundation's base64, so that the one under test does not test itself.
enum Base64ForTests {
  static func encode(hex: String) -> String {
    let digits = Array(hex)
    let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
      UInt8(String(digits[$0...($0 + 1)]), radix: 16)
    }
    return Data(bytes).base64EncodedString()
  }
}
