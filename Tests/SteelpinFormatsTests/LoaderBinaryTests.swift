// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinTestSupport
import Testing

@testable import SteelpinFormats

/// Every kind of binary file that people have for a certificate, and what is taken for one.
struct LoaderBinaryTests {
  private static let leaf = Fixture.leaf
  private static let issuer = Fixture.chain[1]
  private static let p7b = PKCS7.encode(Fixture.chain)

  @Test(arguments: [
    LoaderRow("DER", leaf, .loads(1)),
    LoaderRow("NUL behind it", leaf + [0], .loads(1, [.trailingBytes])),
    LoaderRow("newline behind it", leaf + [10], .loads(1, [.trailingBytes])),
    LoaderRow("two values", leaf + issuer, .loads(2, [.concatenatedDER])),
    LoaderRow(
      "trust attributes behind it", leaf + DER.sequence(DER.sequence()),
      .loads(1, [.trustAttributesIgnored, .concatenatedDER])),
    LoaderRow("PkiPath", DER.sequence(issuer, leaf), .loads(2)),
    LoaderRow("PKCS#7", p7b, .loads(Fixture.chain.count)),
    LoaderRow("PKCS#7 with newline", p7b + [10], .loads(Fixture.chain.count, [.trailingBytes])),
    LoaderRow("PKCS#7 in PEM", Make.pem(p7b, "PKCS7"), .loads(Fixture.chain.count)),
    LoaderRow("PKCS#7 as CMS", Make.pem(p7b, "CMS"), .loads(Fixture.chain.count)),
    LoaderRow("PKCS#7 labelled a certificate", Make.pem(p7b), .loads(Fixture.chain.count)),
    LoaderRow("PKCS#7 in base64", Make.base64(p7b), .loads(Fixture.chain.count, [.bareBase64])),
    LoaderRow("PKCS#7 in BER", indefinite(Fixture.chain), .loads(Fixture.chain.count)),
    LoaderRow(
      "JKS", keyStore(JavaKeyStore.jksMagic, [trusted("root", issuer), trusted("leaf", leaf)]),
      .loads(2, [.integrityUnchecked])),
    LoaderRow("JCEKS", keyStore(JavaKeyStore.jceksMagic, [trusted("root", issuer)]), .loads(1, [.integrityUnchecked])),
    LoaderRow(
      "JKS with a key", keyStore(JavaKeyStore.jksMagic, [key("me", [leaf, issuer])]),
      .loads(2, [.integrityUnchecked, .containsPrivateKey])),
  ])
  func accepts(_ row: LoaderRow) { row.check() }

  @Test(arguments: [
    LoaderRow(
      "DER cut short", Array(leaf.dropLast()),
      .error(.truncated, block: 1, says: "cut short after \(leaf.count - 1) bytes")),
    LoaderRow("second DER cut short", leaf + issuer.dropLast(), .error(.truncated, block: 2)),
    LoaderRow("rubbish behind DER", leaf + utf8("rubbish"), .error(.unknownContent, says: "7 bytes after the end")),
    LoaderRow(
      "PKCS#7 without certificates", PKCS7.encode([]), .error(.notCertificate, says: "PKCS#7 without certificates")),
    LoaderRow(
      "PKCS#7 with one damaged", PKCS7.encode([leaf, DER.sequence(DER.null), issuer]),
      .error(.malformedCertificate, block: 2)),
    LoaderRow(
      "PKCS#7 of other content",
      DER.sequence(
        DER.objectIdentifier(OID([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 6])), DER.explicit(0, DER.null)),
      .error(.malformedContainer, says: "instead of signed data")),
    LoaderRow(
      "JKS cut short", Array(keyStore(JavaKeyStore.jksMagic, [trusted("a", leaf)]).dropLast(40)),
      .error(.malformedContainer, says: "cut short")),
    LoaderRow(
      "JKS with a damaged certificate", keyStore(JavaKeyStore.jksMagic, [trusted("a", leaf), trusted("b", [1, 2])]),
      .error(.malformedCertificate, block: 2, says: "entry b")),
    LoaderRow(
      "JCEKS with a secret key", keyStore(JavaKeyStore.jceksMagic, [number(3) + text("s") + number(0) + number(0)]),
      .error(.unsupported, says: "keytool -list -rfc")),
    LoaderRow(
      "JKS of a later version", JavaKeyStore.jksMagic + number(7) + [UInt8](repeating: 0, count: 30),
      .error(.malformedContainer, says: "version 7")),
    LoaderRow(
      "PKCS#12 without a library", Fixture.bytes("bundle/p-256.p12"),
      .error(.backendUnavailable, says: "openssl pkcs12")),
    LoaderRow(
      "request", Fixture.bytes("leaf/p-256/request.csr"), .error(.notCertificate, says: "steelpin pin show file")),
    LoaderRow(
      "public key", Fixture.bytes("leaf/p-256/public.pem"),
      .error(.notCertificate, says: "is a public key, not a certificate")),
    LoaderRow(
      "private key", Fixture.bytes("leaf/p-256/key.pem"),
      .error(.notCertificate, says: "is a private key, not a certificate")),
    LoaderRow(
      "encrypted key", Make.pem([1], "ENCRYPTED PRIVATE KEY"),
      .error(.notCertificate, says: "is an encrypted private key")),
    LoaderRow("ZIP", [0x50, 0x4B, 3, 4, 20, 0], .error(.unsupported, says: "archives again")),
    LoaderRow("gzip", [0x1F, 0x8B, 8], .error(.unsupported, says: "gunzip")),
    LoaderRow("tar", [UInt8](repeating: 65, count: 257) + utf8("ustar"), .error(.unsupported, says: "tar archive")),
    LoaderRow("SQLite", utf8("SQLite format 3\0"), .error(.unsupported, says: "NSS")),
    LoaderRow(
      "noise", (0..<400).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 1) }, .error(.unknownContent, says: "binary data")),
    LoaderRow("BER without end", [0x30, 0x80, 0x30, 0x80], .error(.truncated)),
    LoaderRow(
      "deep BER", [UInt8](repeating: 0, count: 0) + (0..<100_000).flatMap { _ in [0x30, 0x80] as [UInt8] },
      .error(.truncated)),
    LoaderRow("deep DER", nested(2000), .error(.malformedCertificate)),
  ])
  func refuses(_ row: LoaderRow) { row.check() }

  @Test(arguments: [
    "leaf/p-256/request.csr", "leaf/p-256/public.pem", "leaf/rsa-2048/request.csr", "leaf/rsa-2048/public.pem",
  ])
  func aRequestAndAPublicKeyGiveTheKeyOfTheirCertificate(_ name: String) throws {
    let file = try CertificateLoader().examine(Fixture.bytes(name), name: name)
    let directory = name.split(separator: "/").prefix(2).joined(separator: "/")
    let certificate = try Certificate(der: Fixture.certificates(directory + "/cert.pem")[0])
    #expect(file.publicKeys == [certificate.publicKey])
    #expect(file.certificates.isEmpty)
  }

  @Test func everyFixtureLoads() throws {
    for name in ["bundle/chain.p7b", "bundle/roots.pem", "ca/root-rsa/cert.cer", "leaf/p-256/chain.pem"] {
      let file = try CertificateLoader().load(Fixture.bytes(name), name: name)
      #expect(!file.certificates.isEmpty)
    }
  }

  @Test(ExternalTool("keytool").required, arguments: ["JKS", "JCEKS"])
  func aKeyStoreOfJavaIsRead(_ type: String) throws {
    let scratch = try ScratchDirectory()
    _ = try scratch.write(Self.leaf, as: "leaf.der")
    let made = try ExternalTool("keytool").run(
      [
        "-importcert", "-noprompt", "-alias", "leaf", "-file", "leaf.der", "-keystore", "store", "-storepass",
        "changeit",
        "-storetype", type,
      ], in: scratch)
    #expect(made.succeeded, "\(made.text)")
    let file = try CertificateLoader().load(scratch.read("store"), name: "store")
    #expect(file.certificates.map(\.certificate.der) == [Self.leaf])
    #expect(file.certificates[0].place.alias == "leaf")
    #expect(file.notes.map(\.code) == [.integrityUnchecked])
    let bytes = try scratch.read("store")
    let checked = try CertificateLoader(password: Array("changeit".utf8)).load(bytes, name: "store")
    #expect(checked.notes.isEmpty, "\(checked.notes)")
    var changed = bytes
    changed[bytes.count / 2] ^= 1
    for (bytes, password) in [(bytes, "changeme"), (changed, "changeit"), (bytes, "")] {
      let error = #expect(throws: LoadError.self) {
        try CertificateLoader(password: Array(password.utf8)).load(bytes, name: "store")
      }
      #expect(error?.code == .wrongPassword)
    }
  }

  // MARK: Recipes

  private static func number(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
  private static func text(_ text: String) -> [UInt8] { [0, UInt8(text.utf8.count)] + utf8(text) }
  private static func certificate(_ der: [UInt8]) -> [UInt8] { text("X.509") + number(der.count) + der }
  private static func trusted(_ alias: String, _ der: [UInt8]) -> [UInt8] {
    number(2) + text(alias) + number(0) + number(0) + certificate(der)
  }
  private static func key(_ alias: String, _ chain: [[UInt8]]) -> [UInt8] {
    number(1) + text(alias) + number(0) + number(0) + number(3) + [9, 9, 9] + number(chain.count)
      + chain.flatMap(certificate)
  }
  private static func keyStore(_ magic: [UInt8], _ entries: [[UInt8]]) -> [UInt8] {
    magic + number(2) + number(entries.count) + entries.joined() + [UInt8](repeating: 7, count: 20)
  }

  /// Signed data whose outer values have indefinite lengths, as writers of BER make it.
  private static func indefinite(_ certificates: [[UInt8]]) -> [UInt8] {
    let end: [UInt8] = [0, 0]
    let signed =
      DER.integer(1) + DER.setOf([]) + [0x30, 0x80]
      + DER.objectIdentifier(OID([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 1])) + end + [0xA0, 0x80]
      + certificates.joined() + end + DER.setOf([])
    return [0x30, 0x80] + DER.objectIdentifier(OID([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 2])) + [0xA0, 0x80]
      + [0x30, 0x80] + signed + end + end + end
  }

  private static func nested(_ depth: Int) -> [UInt8] {
    (0..<depth).reduce(DER.sequence(DER.null, [UInt8](repeating: 0, count: 200))) { value, _ in DER.sequence(value) }
  }
}
