// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinTestSupport
import Testing

@testable import SteelpinFormats

/// Every kind of text that people have for a certificate.
struct LoaderTextTests {
  private static let leaf = Fixture.leaf
  private static let issuer = Fixture.chain[1]
  private static let pem = Make.pem(leaf)
  private static let two = pem + Make.pem(issuer)

  @Test(
    arguments: [
      LoaderRow("LF", pem, .loads(1)),
      LoaderRow("CRLF", Make.pem(leaf, end: "\r\n"), .loads(1)),
      LoaderRow("no final newline", String(pem.dropLast()), .loads(1)),
      LoaderRow("text before and after", "subject=CN=x\nissuer: y\n\n" + pem + "\nthe end\n", .loads(1)),
      LoaderRow("two blocks", two, .loads(2)),
      LoaderRow("END and BEGIN on one line", Make.replace(two, "-----\n-----BEGIN", "----------BEGIN"), .loads(2)),
      LoaderRow("X509 label", Make.pem(leaf, "X509 CERTIFICATE"), .loads(1)),
      LoaderRow("empty line before END", Make.replace(pem, "-----END", "\n\n-----END"), .loads(1)),
      LoaderRow(
        "headers of RFC 1421", Make.replace(pem, "CERTIFICATE-----\nM", "CERTIFICATE-----\nX-Note: a\n b\n\nM"),
        .loads(1)),
    ]
      + [64, 76, 127, 253, 254, 255, 508, 1000, 100_000].map { width in
        LoaderRow("lines of \(width)", Make.pem(leaf, width: width), .loads(1))
      })
  func acceptsSilently(_ row: LoaderRow) { row.check() }

  @Test(arguments: [
    LoaderRow("CR alone", Make.pem(leaf, end: "\r"), .loads(1, [.carriageReturns])),
    LoaderRow("byte order mark", [0xEF, 0xBB, 0xBF] + utf8(pem), .loads(1, [.byteOrderMark])),
    LoaderRow("UTF-16 LE", Make.utf16(pem, bigEndian: false), .loads(1, [.wideText])),
    LoaderRow("UTF-16 BE", Make.utf16(pem, bigEndian: true), .loads(1, [.wideText])),
    LoaderRow("UTF-16 without mark", Make.utf16(pem, bigEndian: false, mark: false), .loads(1, [.wideText])),
    LoaderRow("UTF-16 with CRLF", Make.utf16(Make.pem(leaf, end: "\r\n"), bigEndian: false), .loads(1, [.wideText])),
    LoaderRow("literal \\n", Make.pem(leaf, end: "\\n"), .loads(1, [.escapedNewlines])),
    LoaderRow("literal \\r\\n", Make.pem(leaf, end: "\\r\\n"), .loads(1, [.escapedNewlines])),
    LoaderRow("literal \\\\n", Make.pem(leaf, end: "\\\\n"), .loads(1, [.escapedNewlines])),
    LoaderRow("a JSON member", "{\"cert\": \"" + Make.pem(leaf, end: "\\n") + "\"}", .loads(1, [.escapedNewlines])),
    LoaderRow(
      "JSON with \\/", "{\"cert\": \"" + Make.replace(Make.pem(leaf, end: "\\n"), "/", "\\/") + "\"}",
      .loads(1, [.escapedNewlines])),
    LoaderRow(
      "JSON with \\u002B", "\"" + Make.replace(Make.pem(leaf, end: "\\n"), "+", "\\u002B") + "\"",
      .loads(1, [.escapedNewlines])),
    LoaderRow("quoted lines", Make.pem(leaf, end: "\\n\"\n\""), .loads(1, [.escapedNewlines, .quoted])),
    LoaderRow("spaces for newlines", Make.pem(leaf, end: " "), .loads(1, [.spacesForNewlines])),
    LoaderRow("trailing blanks", Make.pem(leaf, end: "  \t\n"), .loads(1)),
    LoaderRow("trailing blanks with CRLF", Make.pem(leaf, end: " \r\n"), .loads(1)),
    LoaderRow("indented", Make.pem(leaf, end: "\n    "), .loads(1, [.indented])),
    LoaderRow("Latin-1 between blocks", utf8(pem) + [0x4E, 0xE9, 0xFF, 0xC0, 10] + utf8(Make.pem(issuer)), .loads(2)),
    LoaderRow("the same twice", pem + pem, .loads(2, [.duplicate])),
    LoaderRow("bare base64", Make.base64(leaf), .loads(1, [.bareBase64])),
    LoaderRow("bare base64 in one line", Base64.encode(leaf), .loads(1, [.bareBase64])),
    LoaderRow("bare base64 in quotes", "\"\(Base64.encode(leaf))\"", .loads(1, [.bareBase64, .quoted])),
    LoaderRow("bare base64 with \\n", Make.base64(leaf, end: "\\n"), .loads(1, [.bareBase64, .escapedNewlines])),
    LoaderRow(
      "trusted", Make.pem(leaf + DER.sequence(DER.sequence(DER.objectIdentifier(.serverAuth))), "TRUSTED CERTIFICATE"),
      .loads(1, [.trustAttributesIgnored])),
    LoaderRow("NUL inside the block", Make.pem(leaf + [0]), .loads(1, [.trailingBytes])),
    LoaderRow("key before", Make.pem([1], "PRIVATE KEY") + pem, .loads(1, [.containsPrivateKey])),
    LoaderRow("key after", pem + Make.pem([1, 2], "EC PRIVATE KEY"), .loads(1, [.containsPrivateKey])),
    LoaderRow("parameters before", Make.pem([6, 1, 1], "EC PARAMETERS") + pem, .loads(1, [.notCertificate])),
  ])
  func acceptsAndSaysWhatItForgave(_ row: LoaderRow) { row.check() }

  @Test(arguments: [
    LoaderRow(
      "END missing", Make.replace(pem, "-----END CERTIFICATE-----\n", ""), .error(.endMissing, block: 1, line: 1)),
    LoaderRow(
      "first END missing", "x\n" + Make.replace(pem, "-----END CERTIFICATE-----\n", "") + pem,
      .error(.endMissing, block: 1, line: 2)),
    LoaderRow("second truncated", pem + String(Make.pem(issuer).prefix(300)), .error(.endMissing, block: 2, line: 16)),
    LoaderRow(
      "second corrupt", pem + Make.replace(Make.pem(issuer), "MII", "M*I"),
      .error(.badBase64, block: 2, line: 17, column: 2, says: "“*”")),
    LoaderRow(
      "NO-BREAK SPACE", Make.replace(pem, "\nMIICTT", "\nMIICTT\u{A0}"),
      .error(.badBase64, block: 1, line: 2, column: 7, says: "NO-BREAK SPACE (U+00A0)")),
    LoaderRow(
      "zero width space", Make.replace(pem, "\nMIICTT", "\n\u{200B}MIICTT"),
      .error(.badBase64, line: 2, column: 1, says: "ZERO WIDTH SPACE")),
    LoaderRow("a character lost", Make.replace(pem, "\nMII", "\nMI"), .error(.badBase64, block: 1)),
    LoaderRow("a line lost", lineLost, .error(.truncated, block: 1)),
    LoaderRow("padding inside", Make.replace(pem, "\nMII", "\nMI==I"), .error(.badBase64, line: 2)),
    LoaderRow("four hyphens", Make.replace(pem, "-----BEGIN", "----BEGIN"), .error(.boundaryDamaged, line: 1)),
    LoaderRow(
      "four hyphens in the second", pem + Make.replace(Make.pem(issuer), "-----BEGIN", "----BEGIN"),
      .error(.boundaryDamaged, line: 16)),
    LoaderRow("dashes of a word processor", Make.replace(pem, "-----", "–––––"), .error(.boundaryDamaged, line: 1)),
    LoaderRow(
      "lower case", Make.replace(pem, "BEGIN CERTIFICATE", "begin certificate"), .error(.boundaryDamaged, line: 1)),
    LoaderRow("END without BEGIN", "-----END CERTIFICATE-----\n", .error(.endMismatch, line: 1)),
    LoaderRow(
      "other END", Make.replace(pem, "END CERTIFICATE", "END X509 CERTIFICATE"), .error(.endMismatch, line: 15)),
    LoaderRow("empty block", "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n", .error(.truncated, block: 1)),
    LoaderRow("PEM in PEM", Make.pem(utf8(pem)), .error(.unsupported, block: 1)),
    LoaderRow(
      "damaged DER", Make.pem(Array(leaf.prefix(4)) + [0x31] + leaf.dropFirst(5)),
      .error(.malformedCertificate, block: 1, line: 1)),
    LoaderRow("empty", [], .error(.empty, says: "file is empty")),
    LoaderRow("only newlines", "\n\n", .error(.empty)),
    LoaderRow("only zeros", [UInt8](repeating: 0, count: 1 << 20), .error(.empty, says: "zero bytes")),
    LoaderRow("HTML", "<!DOCTYPE html>\n<html><title>Sign in</title>", .error(.unknownContent, says: "an HTML page")),
    LoaderRow("JSON", "{\"error\": \"not found\"}", .error(.unknownContent, says: "JSON")),
    LoaderRow("hexadecimal", Hex.encode(leaf), .error(.unsupported, says: "xxd -r -p")),
    LoaderRow("fingerprint form", Hex.fingerprint(leaf), .error(.unsupported, says: "hexadecimal")),
    LoaderRow(
      "text", "Dear customer, your certificate is attached.",
      .error(.unknownContent, says: "text without a certificate")),
    LoaderRow("SSH key", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 me@host", .error(.unsupported, says: "SSH key")),
    LoaderRow("broken UTF-16", [0xFF, 0xFE, 0x2D], .error(.unknownContent, says: "UTF-16")),
    LoaderRow("incomplete bare base64", String(Base64.encode(leaf).dropLast(5)), .error(.badBase64)),
    LoaderRow("bare base64 cut at a group", String(Base64.encode(leaf).prefix(400)), .error(.truncated)),
  ])
  func refusesAndSaysWhereAndWhy(_ row: LoaderRow) { row.check() }

  private static let lineLost: String = {
    var lines = pem.split(separator: "\n", omittingEmptySubsequences: false)
    lines.remove(at: 3)
    return lines.joined(separator: "\n")
  }()

  @Test func placesAreExact() throws {
    let file = try CertificateLoader().load(utf8("a\n\n" + Self.two), name: "two.pem")
    #expect(file.certificates.map(\.place.block) == [1, 2])
    #expect(file.certificates.map(\.place.line) == [3, 18])
    #expect(file.certificates[0].place.offset == 3)
    #expect(file.certificates[1].place.description == "two.pem, block 2, line 18")
    #expect(file.certificates.map(\.certificate.der) == [Self.leaf, Self.issuer])
  }

  @Test(arguments: ["-", "\u{2014}", "--- BEGIN the story", "- END OF FILE -", "-----", "---\nServer certificate"])
  func ordinaryTextIsNoBoundary(_ text: String) throws {
    let file = try CertificateLoader().load(utf8(text + "\n" + Self.pem), name: "file")
    #expect(file.certificates.count == 1)
    #expect(file.notes.isEmpty)
  }

  @Test func strictTurnsANoteIntoAnError() {
    let row = LoaderRow(
      "bare base64", Base64.encode(Self.leaf), .error(.strict, says: "strict loading forgives nothing"))
    row.check(CertificateLoader(isStrict: true))
    LoaderRow("clean", Self.pem, .loads(1)).check(CertificateLoader(isStrict: true))
  }
}
