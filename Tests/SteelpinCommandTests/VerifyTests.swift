// SPDX-License-Identifier: Apache-2.0
import Foundation
import Steelpin
import SteelpinCommand
import SteelpinTestSupport
import Testing

@Suite struct VerifyTests {
  private static let pinOfLeaf = "sha256/vY0tPKh8Yrz92CNsiue2MowGZJ1a694th7HlI+6hBpU="
  private static let pinOfRotated = "sha256/UogEtYq2+NZvqvlq2PUtGtYySunF1IYlsKoCi7mXuPU="

  /// One command line, without `verify`, and how it ends.
  struct Row: Sendable, CustomTestStringConvertible {
    let status: ExitCode
    let arguments: String

    init(_ status: ExitCode, _ arguments: String) {
      self.status = status
      self.arguments = arguments
    }

    var testDescription: String { "\(arguments) ends with \(status.rawValue)" }

    /// The words, files taken from testcerts.
    var words: [String] {
      ["verify"]
        + arguments.split(separator: " ").map { word in
          word.hasPrefix("leaf/") || word.hasPrefix("ca/") || word.hasPrefix("bundle/")
            ? TestCerts.directory.appendingPathComponent(String(word)).path : String(word)
        }
    }
  }

  private static let right = "leaf/p-256/chain.pem --cacert ca/root-p256/cert.pem --host www.steelpin.test"

  private static let rows = [
    Row(.success, right),
    Row(.success, "\(right) --pin \(pinOfLeaf)"),
    Row(.success, "\(right) --pin \(pinOfRotated) --pin \(pinOfLeaf)"),
    Row(.success, "\(right) --pin \(pinOfLeaf) --pin-scope leaf"),
    Row(.pinMismatch, "\(right) --pin \(pinOfLeaf) --pin-scope issuers"),
    Row(.pinMismatch, "\(right) --pin \(pinOfRotated)"),
    Row(.success, "\(right) --pin-cert leaf/p-256/cert.pem"),
    Row(.pinMismatch, "\(right) --pin-cert leaf/renewed/cert.pem"),
    Row(.success, "leaf/p-256/cert.pem ca/intermediate-p256/cert.pem --cacert bundle/roots.pem --host localhost"),
    Row(.success, "leaf/p-256/chain.pem --cacert ca/intermediate-p256/cert.pem --host www.steelpin.test"),
    Row(.trustFailed, "leaf/p-256/chain.pem --cacert ca/other-root/cert.pem --host www.steelpin.test"),
    Row(.trustFailed, "leaf/p-256/chain.pem --cacert ca/root-p256/cert.pem --host www.example.org"),
    Row(.success, "leaf/p-256/chain.pem --cacert ca/root-p256/cert.pem --any-host"),
    Row(.success, "leaf/p-256/chain.pem --cacert ca/root-p256/cert.pem --no-domain"),
    Row(.trustFailed, "leaf/wrong-eku/chain.pem --cacert ca/root-p256/cert.pem --any-host"),
    Row(.success, "leaf/wrong-eku/chain.pem --cacert ca/root-p256/cert.pem --no-domain"),
    Row(.trustFailed, "leaf/expired/chain.pem --cacert ca/root-p256/cert.pem --host www.steelpin.test"),
    Row(.trustFailed, "\(right) --at 2200-01-01"),
    Row(.trustFailed, "leaf/self-signed/cert.pem --cacert ca/root-p256/cert.pem --host www.steelpin.test"),
    Row(.success, "leaf/self-signed/cert.pem --cacert leaf/self-signed/cert.pem --host www.steelpin.test"),
    Row(.success, "bundle/with-root.pem --cacert ca/root-p256/cert.pem --host www.steelpin.test"),
    Row(.warning, "bundle/with-root.pem --cacert ca/root-p256/cert.pem --host www.steelpin.test --fail-on warning"),
    Row(.success, "\(right) --profile rfc5280"),
    Row(.trustFailed, "leaf/no-eku/chain.pem --cacert ca/root-p256/cert.pem --host www.steelpin.test --profile apple"),
    Row(.usage, "leaf/p-256/chain.pem"),
    Row(.usage, "--host www.steelpin.test"),
    Row(.usage, "\(right) --pin \(pinOfLeaf) --pin-cert leaf/p-256/cert.pem"),
    Row(.usage, "\(right) --pin-scope leaf"),
    Row(.usage, "\(right) --pin sha1/kLWGgyRZqOjZ0ssP7eDi0z6FAuM="),
    Row(.usage, "\(right) --pin sha256/AAAA"),
    Row(.usage, "\(right) --at yesterday"),
    Row(.usage, "\(right) --at @-9223372036854775808"),
    Row(.trustFailed, "\(right) --at @-62167219200"),
    Row(.trustFailed, "\(right) --at @253402300799"),
    Row(.usage, "\(right) --no-domain --any-host"),
    Row(.usage, "\(right) --backend opensll"),
    Row(.usage, "leaf/p-256/chain.pem --host www.steelpin.test:443/x"),
    Row(.inputMissing, "leaf/p-256/nothing.pem --host www.steelpin.test"),
    Row(.inputMissing, "\(right) --pin @/nonexistent/pins"),
    Row(.badData, "leaf/p-256/key.pem --host www.steelpin.test"),
    Row(.badData, "\(right) --cacert leaf/p-256/request.csr"),
  ]

  @Test("exit status, one library", arguments: rows) func status(_ row: Row) async {
    let result = await run(row.words, backends: [FakeLibrary.proves.backend("openssl")])
    #expect(result.status == row.status, "\(result)")
    #expect(result.errors.isEmpty == (row.status.rawValue < 20), "\(result)")
    #expect(result.output.isEmpty == (row.status.rawValue >= 20), "\(result)")
  }

  @Test(
    "a host that is more than a host is named as what it is",
    arguments: [
      ("www.steelpin.test:443", "has a port"), ("[::1]:443", "has a port"), ("https://www.steelpin.test", "is a URL"),
      ("1::2::3", "is not an IPv6 address"), ("[::1", "is not an IPv6 address"), ("", "has no host name"),
    ])
  func malformedHost(_ host: String, _ reason: String) async {
    let words = Row(.usage, "leaf/p-256/chain.pem --host").words + [host]
    let result = await run(words, backends: [FakeLibrary.proves.backend("openssl")])
    #expect(result.status == .usage)
    #expect(result.errors.contains("--host: '\(host)' \(reason)"), "\(result)")
  }

  @Test("a host that is not checked is said", arguments: ["--no-domain", "--any-host"])
  func uncheckedHost(_ option: String) async {
    let words = "leaf/p-256/chain.pem --cacert ca/root-p256/cert.pem --host other.test \(option)"
    let result = await run(Row(.success, words).words, backends: [FakeLibrary.proves.backend("openssl")])
    #expect(result.status == .success)
    #expect(result.errors == "steelpin: the host 'other.test' is not checked, because of \(option)\n")
  }

  private func verify(_ arguments: String, _ backends: [Backend]) async -> CommandRun {
    await run(Row(.success, "\(Self.right) \(arguments)").words, backends: backends)
  }

  @Test("backends that agree") func agree() async {
    let backends = [FakeLibrary.proves.backend("openssl"), FakeLibrary.proves.backend("gnutls")]
    let result = await verify("--pin \(Self.pinOfLeaf)", backends)
    #expect(result.status == .success)
    #expect(result.output.hasSuffix("/chain.pem  trusted; pin met by the leaf (openssl, gnutls)\n"), "\(result)")
  }

  @Test("backends that do not agree are status 13, whichever says no", arguments: [false, true])
  func disagree(_ swapped: Bool) async {
    let backends = [FakeLibrary.proves.backend("openssl"), FakeLibrary.refuses.backend("gnutls")]
    let result = await verify("--backend both", swapped ? backends.reversed() : backends)
    #expect(result.status == .backendsDisagree)
    #expect(result.output.contains("the backends disagree"))
    #expect(result.output.contains("gnutls says: untrusted"))
    #expect(result.output.contains("openssl says: trusted"))
    #expect(result.output.contains("NO (I do not like it)"))
  }

  @Test("one of them can be asked alone", arguments: [("openssl", ExitCode.success), ("gnutls", .trustFailed)])
  func alone(_ name: String, _ status: ExitCode) async {
    let backends = [FakeLibrary.proves.backend("openssl"), FakeLibrary.refuses.backend("gnutls")]
    #expect(await verify("--backend \(name)", backends).status == status)
  }

  @Test("a backend that is not in the build", arguments: ["both", "gnutls"]) func missing(_ name: String) async {
    let result = await verify("--backend \(name)", [FakeLibrary.proves.backend("openssl")])
    #expect(result.status == .backendUnavailable, "\(result)")
  }

  @Test("a library that does not work is no verdict") func broken() async {
    let result = await verify("", [FakeLibrary.broken.backend("openssl")])
    #expect(result.status == .internalFault)
    #expect(result.errors.hasPrefix("steelpin: error: openssl could not prove a path\n"))
  }

  @Test("a mismatch shows the pins, the path with its pins, and what went wrong") func mismatch() async throws {
    let fingerprint = try TestCerts.certificate("leaf/p-256").sha256.base64
    let result = await verify(
      "--pin sha256/\(fingerprint) --pin sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
      [FakeLibrary.proves.backend("openssl")])
    #expect(result.status == .pinMismatch)
    for part in [
      "FAIL  ", "configured pins", "sha256/\(fingerprint)", "0  CN=www.steelpin.test",
      "sha256/ljy5d1E+rJ26fGoytXYRcE114CmYmIRIn7PtVSslG3k=",
      "is the fingerprint of the leaf, but a pin is the hash of its public key\n",
      "the right pin is \(Self.pinOfLeaf)\n",
      "is the SHA-256 of no bytes",
    ] { #expect(result.output.contains(part), "\(part)\n\(result)") }
  }

  @Test("the JSON document") func json() async throws {
    let result = await verify("--json --pin \(Self.pinOfLeaf)", [FakeLibrary.proves.backend("openssl")])
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    #expect(document["schema"] as? String == "steelpin/1")
    #expect(document["command"] as? String == "verify")
    #expect(document["status"] as? Int == 0)
    let target = try #require((document["targets"] as? [[String: Any]])?.first)
    let verdict = try #require((target["verdicts"] as? [[String: Any]])?.first)
    #expect(verdict["outcome"] as? String == "trusted")
    #expect((verdict["path"] as? [[String: Any]])?.map { $0["pin"] as? String }.first == Self.pinOfLeaf)
    #expect(((verdict["pins"] as? [String: Any])?["match"] as? [String: Any])?["depth"] as? Int == 0)
  }

  @Test("pins from a file: comments and what follows a pin do not count") func pinFile() async throws {
    let directory = try ScratchDirectory()
    _ = try directory.write(Array("# pins\n\n\(Self.pinOfRotated)  backup\n  \(Self.pinOfLeaf)\r\n".utf8), as: "pins")
    _ = try directory.write(Array("# none\n".utf8), as: "empty")
    _ = try directory.write(Array("\(Self.pinOfLeaf)\nsha256/AAAA\n".utf8), as: "bad")
    func verify(_ name: String) async -> CommandRun {
      await self.verify(
        "--pin @\(directory.url.appendingPathComponent(name).path)", [FakeLibrary.proves.backend("openssl")])
    }
    #expect(await verify("pins").status == .success)
    let empty = await verify("empty")
    #expect(empty.status == .badData)
    #expect(empty.errors.contains("there is no pin in the file"))
    let bad = await verify("bad")
    #expect(bad.status == .badData)
    #expect(bad.errors.contains("bad, line 2: pin 'sha256/AAAA' has 3 bytes"))
  }
}
