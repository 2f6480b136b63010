// SPDX-License-Identifier: Apache-2.0
import Foundation
import Steelpin
import SteelpinCommand
import SteelpinFormats
import SteelpinTestSupport
import Testing

@testable import SteelpinTool

/// Every form in which people have an anchor, through `verify --cacert`: each library comes to the same end.
@Suite struct AnchorFileTests {
  /// One file and how `verify` ends with it.
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let status: ExitCode
    /// What standard error must say.
    let says: String

    init(_ name: String, _ bytes: [UInt8], _ status: ExitCode = .success, says: String = "") {
      self.name = name
      self.bytes = bytes
      self.status = status
      self.says = says
    }

    init(_ name: String, _ text: String, _ status: ExitCode = .success, says: String = "") {
      self.init(name, Array(text.utf8), status, says: says)
    }

    var testDescription: String { name }
  }

  private static func der(_ name: String) -> [UInt8] { (try? TestCerts.certificate(name))?.der ?? [] }
  private static func file(_ name: String) -> [UInt8] {
    (try? Data(contentsOf: TestCerts.directory.appendingPathComponent(name))).map(Array.init) ?? []
  }

  private static let root = der("ca/root-p256")
  private static let other = der("ca/other-root")
  private static let pem = Make.pem(root)
  private static let base64 = Make.base64(root)

  private static let good: [Row] =
    [64, 76, 127, 253, 254, 255, 508, 1000, 100_000].map { Row("lines of \($0)", Make.pem(root, width: $0)) } + [
      Row("CRLF", Make.pem(root, end: "\r\n")), Row("no final newline", String(pem.dropLast())),
      Row("text around", "subject: CN=x\n\n" + pem + "\nthe end"),
      Row("CR alone", Make.pem(root, end: "\r")), Row("byte order mark", [0xEF, 0xBB, 0xBF] + Array(pem.utf8)),
      Row("UTF-16 LE", Make.utf16(pem, bigEndian: false)), Row("UTF-16 BE", Make.utf16(pem, bigEndian: true)),
      Row("DER", root), Row("NUL behind DER", root + [0], says: "1 byte follows"),
      Row("newline behind DER", root + [10], says: "1 byte follows"),
      Row("bare base64", base64), Row("bare base64 in one line", Base64.encode(root)),
      Row("literal \\n", Make.pem(root, end: "\\n")), Row("in quotes", "\"" + Make.pem(root, end: "\\n") + "\""),
      Row("spaces for newlines", Make.pem(root, end: " ")), Row("trailing blanks", Make.pem(root, end: "  \t\n")),
      Row("Latin-1 between blocks", Array(pem.utf8) + [0x4E, 0xE9, 0xFF, 10] + Array(Make.pem(other).utf8)),
      Row(
        "trusted certificate",
        Make.pem(root + DER.sequence(DER.sequence(DER.objectIdentifier(.serverAuth))), "TRUSTED CERTIFICATE"),
        says: "trust attributes"),
      Row("X509 label", Make.pem(root, "X509 CERTIFICATE")),
      Row("key before", Make.pem([1], "PRIVATE KEY") + pem, says: "private key"),
      Row("key behind", pem + Make.pem([1], "EC PRIVATE KEY"), says: "private key"),
      Row("the same twice", pem + pem), Row("the anchor is the second", Make.pem(other) + pem),
      Row("s_client -showcerts", "CONNECTED(00000003)\n---\nCertificate chain\n 0 s:CN=x\n" + Make.pem(other) + pem),
      Row("PKCS#7 in DER", pkcs7), Row("PKCS#7 in PEM", Make.pem(pkcs7, "PKCS7")),
      Row("JKS", keyStore([0xFE, 0xED, 0xFE, 0xED])), Row("JCEKS", keyStore([0xCE, 0xCE, 0xCE, 0xCE])),
      Row("request behind", Array(pem.utf8) + file("leaf/p-256/request.csr")),
    ]

  private static let bad: [Row] = [
    Row("another root", Make.pem(other), .trustFailed),
    Row("END missing", String(pem.dropLast(26)), .badData, says: "block 1, line 1"),
    Row("second truncated", pem + String(Make.pem(other).prefix(300)), .badData, says: "block 2"),
    Row(
      "second corrupt", pem + Make.replace(Make.pem(other), "MII", "M*I"), .badData, says: "“*” cannot stand in base64"),
    Row("NO-BREAK SPACE", Make.replace(pem, "\nMII", "\n\u{A0}MII"), .badData, says: "NO-BREAK SPACE"),
    Row("DER cut short", Array(root.dropLast()), .badData, says: "cut short"),
    Row("rubbish behind DER", root + Array("rubbish".utf8), .badData, says: "7 bytes"),
    Row("PKCS#12 without password", file("bundle/p-256.p12"), .badData, says: "needs a password"),
    Row("request", file("leaf/p-256/request.csr"), .badData, says: "certificate request"),
    Row("public key", file("leaf/p-256/public.pem"), .badData, says: "is a public key"),
    Row("private key", file("leaf/p-256/key.pem"), .badData, says: "is a private key"),
    Row("empty", [], .badData, says: "is empty"), Row("zeros", [UInt8](repeating: 0, count: 1 << 16), .badData),
    Row("HTML", "<!DOCTYPE html><html>", .badData, says: "an HTML page"),
    Row("hexadecimal", Hex.encode(root), .badData, says: "xxd -r -p"),
    Row("text", "Dear customer, your certificate is attached.", .badData, says: "text without a certificate"),
  ]

  @Test("every library comes to the same end", arguments: good + bad) func verdict(_ row: Row) async throws {
    let scratch = try ScratchDirectory()
    _ = try scratch.write(row.bytes, as: "anchor")
    let chain = TestCerts.directory.appendingPathComponent("leaf/p-256/chain.pem").path
    let words = [
      "verify", chain, "--cacert", scratch.url.appendingPathComponent("anchor").path, "--host", "www.steelpin.test",
    ]
    for libraries in backends.map({ [$0] }) + [backends] {
      let result = await run(words, backends: libraries)
      #expect(result.status == row.status, "\(libraries.map(\.name)): \(result)")
      #expect(row.says.isEmpty || result.errors.contains(row.says), "\(result)")
    }
  }

  @Test("a PKCS#12 file is an anchor file with its password, and says when that is wrong")
  func pkcs12() async throws {
    let scratch = try ScratchDirectory()
    for (password, status) in [("steelpin", ExitCode.success), ("wrong", .badData)] {
      _ = try scratch.write(Array(password.utf8), as: "password")
      func path(_ name: String) -> String { TestCerts.directory.appendingPathComponent(name).path }
      for library in backends {
        let result = await run(
          [
            "verify", path("leaf/p-256/cert.pem"), "--cacert", path("bundle/p-256.p12"), "--password-file",
            scratch.url.appendingPathComponent("password").path, "--host", "www.steelpin.test",
          ], backends: [library])
        #expect(result.status == status, "\(library.name): \(result)")
      }
    }
  }

  // MARK: Recipes

  private static let pkcs7: [UInt8] =
    (try? CertificateWriter(.pkcs7).encode([Certificate(der: root), Certificate(der: other)], name: "pkcs7")) ?? []

  private static func keyStore(_ magic: [UInt8]) -> [UInt8] {
    func number(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
    let entry: [UInt8] = number(2) + [0, 1, 0x61] + number(0) + number(0)
    return magic + number(2) + number(1) + entry + [0, 5] + Array("X.509".utf8) + number(root.count) + root
      + [UInt8](repeating: 7, count: 20)
  }
}
