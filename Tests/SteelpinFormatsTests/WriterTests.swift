// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinTestSupport
import Testing

@testable import SteelpinFormats

/// What is written is what was read, and other tools read it too.
struct WriterTests {
  private static let binary: [CertificateFormat] = [.pem, .pkcs7, .pkcs7PEM]
  private static let chains = [
    "leaf/p-256/chain.pem", "leaf/rsa-2048/chain.pem", "leaf/ed25519/chain.pem", "bundle/roots.pem",
  ]

  private static func load(_ name: String) throws -> [Certificate] {
    try CertificateLoader().load(Fixture.bytes(name), name: name).certificates.map(\.certificate)
  }

  @Test(arguments: binary, binary)
  func allPairsOfFormatsKeepTheDER(_ first: CertificateFormat, _ second: CertificateFormat) throws {
    for name in Self.chains {
      let certificates = try Self.load(name)
      let written = try CertificateWriter(first).encode(certificates, name: "first")
      let read = try CertificateLoader().load(written, name: "first").certificates.map(\.certificate)
      let again = try CertificateWriter(second).encode(read, name: "second")
      let last = try CertificateLoader(isStrict: true).load(again, name: "second").certificates.map(\.certificate.der)
      #expect(last == Fixture.certificates(name))
    }
  }

  @Test func oneCertificateIsItsOwnDER() throws {
    let leaf = try Certificate(der: Fixture.leaf)
    #expect(try CertificateWriter(.der).encode([leaf], name: "leaf.cer") == Fixture.leaf)
    #expect(throws: LoadError.self) { try CertificateWriter(.der).encode([leaf, leaf], name: "leaf.cer") }
    #expect(throws: LoadError.self) { try CertificateWriter(.pem).encode([], name: "none.pem") }
  }

  @Test func pemIsByteForByteWhatOpenSSLWrites() throws {
    for name in Self.chains where name.hasPrefix("leaf") {
      #expect(try CertificateWriter(.pem).encode(Self.load(name), name: name) == Fixture.bytes(name))
    }
  }

  @Test func commentsNameTheSubjects() throws {
    let written = try CertificateWriter(.pem, hasComments: true).encode(Self.load("leaf/p-256/chain.pem"), name: "out")
    let comments = String(decoding: written, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix("#") }
    #expect(comments.first == "# www.steelpin.test")
    #expect(comments.count == 2)
    #expect(try CertificateLoader(isStrict: true).load(written, name: "out").certificates.count == 2)
  }

  @Test func pinsAreThoseOfTheTable() throws {
    let pins = try CertificateWriter(.pins).encode(Self.load("leaf/p-256/cert.pem"), name: "out")
    let table = String(decoding: Fixture.bytes("pins.tsv"), as: UTF8.self)
    let digest = String(decoding: pins, as: UTF8.self).dropFirst("sha256/".count).dropLast()
    #expect(digest.count == 44)
    #expect(table.split(separator: "\n").contains { $0.contains("leaf/p-256") && $0.contains(digest) })
  }

  @Test(ExternalTool.openssl.required, arguments: [(CertificateFormat.pkcs7, "DER"), (.pkcs7PEM, "PEM")])
  func opensslReadsOurPKCS7(_ format: CertificateFormat, _ encoding: String) throws {
    let scratch = try ScratchDirectory()
    let chain = try Self.load("leaf/p-256/chain.pem")
    _ = try scratch.write(CertificateWriter(format).encode(chain, name: "out"), as: "out.p7b")
    let result = try ExternalTool.openssl.run(
      ["pkcs7", "-in", "out.p7b", "-inform", encoding, "-print_certs"], in: scratch)
    #expect(result.succeeded, "\(result.text)")
    #expect(try CertificateLoader().load(result.output, name: "openssl").certificates.map(\.certificate) == chain)
  }

  @Test(ExternalTool.certtool.required) func certtoolReadsOurPKCS7AndPEM() throws {
    let scratch = try ScratchDirectory()
    let chain = try Self.load("leaf/rsa-2048/chain.pem")
    _ = try scratch.write(CertificateWriter(.pkcs7PEM).encode(chain, name: "out"), as: "out.p7b")
    let pkcs7 = try ExternalTool.certtool.run(["--p7-info", "--infile", "out.p7b"], in: scratch)
    #expect(pkcs7.succeeded, "\(pkcs7.text)")
    let shown = try CertificateLoader().load(pkcs7.output, name: "certtool").certificates.map(\.certificate)
    #expect(Set(shown) == Set(chain))
    _ = try scratch.write(CertificateWriter(.pem).encode([chain[0]], name: "out"), as: "out.pem")
    let der = try ExternalTool.certtool.run(["-i", "--infile", "out.pem", "--outder"], in: scratch)
    #expect(der.output == chain[0].der)
  }

  @Test(ExternalTool.openssl.required) func whatOpenSSLWritesIsRead() throws {
    let scratch = try ScratchDirectory()
    _ = try scratch.write(Fixture.bytes("leaf/p-256/chain.pem"), as: "chain.pem")
    for arguments in [
      ["crl2pkcs7", "-nocrl", "-certfile", "chain.pem"],
      ["crl2pkcs7", "-nocrl", "-certfile", "chain.pem", "-outform", "DER"],
    ] {
      let made = try ExternalTool.openssl.run(arguments, in: scratch)
      let file = try CertificateLoader(isStrict: true).load(made.output, name: "made")
      #expect(file.encoding == (arguments.count == 4 ? .pem : .pkcs7))
      #expect(Set(file.certificates.map(\.certificate.der)) == Set(Fixture.chain))
    }
    let trusted = try ExternalTool.openssl.run(
      ["x509", "-in", "chain.pem", "-trustout", "-addtrust", "serverAuth", "-setalias", "x"], in: scratch)
    let file = try CertificateLoader().load(trusted.output, name: "trusted")
    #expect(file.certificates.map(\.certificate.der) == [Fixture.leaf])
    #expect(file.notes.map(\.code) == [.trustAttributesIgnored])
  }

  @Test(ExternalTool.openssl.required) func signedDataWithASignerIsRead() throws {
    let scratch = try ScratchDirectory()
    for name in ["cert", "key", "chain"] {
      _ = try scratch.write(Fixture.bytes("leaf/p-256/\(name).pem"), as: "\(name).pem")
    }
    _ = try scratch.write(Fixture.bytes("ca/intermediate-p256/cert.pem"), as: "issuer.pem")
    for options in [["-outform", "DER"], ["-outform", "PEM"], ["-outform", "DER", "-stream", "-nodetach"]] {
      let made = try ExternalTool.openssl.run(
        ["cms", "-sign", "-binary", "-signer", "cert.pem", "-inkey", "key.pem", "-certfile", "issuer.pem"] + options,
        input: utf8("message"), in: scratch)
      let file = try CertificateLoader().load(made.output, name: "signed")
      #expect(Set(file.certificates.map(\.certificate.der)) == Set(Fixture.chain), "\(options)")
    }
  }
}
