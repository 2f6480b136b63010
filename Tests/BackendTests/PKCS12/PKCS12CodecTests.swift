// SPDX-License-Identifier: Apache-2.0
import Foundation
import Steelpin
import SteelpinTestSupport
import Testing

/// PKCS#12 files: what one writes the others read.
struct PKCS12CodecTests {
  private static let password = Array("geheim-é".utf8)

  private static func chain() throws -> [[UInt8]] {
    try TestCerts.certificates("leaf/p-256/chain.pem").map(\.der)
  }

  @Test(arguments: pkcs12Codecs, pkcs12Codecs)
  func whatOneSealsTheOtherOpens(_ writer: Named<any PKCS12Codec>, _ reader: Named<any PKCS12Codec>) throws {
    let key = try #require(keyProviders.first).value.generateKey(.ecdsa(bits: 256)).pkcs8()
    let contents = PKCS12Contents(certificates: try Self.chain(), privateKeys: [key])
    let sealed = try writer.value.seal(contents, password: Self.password)
    let opened = try reader.value.open(pkcs12: sealed, password: Self.password)
    #expect(Set(opened.certificates) == Set(contents.certificates))
    #expect(opened.privateKeys.count == 1)
    #expect(!opened.usesLegacyEncryption)
    #expect(throws: PKCS12Error.wrongPassword) { try reader.value.open(pkcs12: sealed, password: []) }
    #expect(throws: PKCS12Error.wrongPassword) { try reader.value.open(pkcs12: sealed, password: [0x61]) }
  }

  @Test(arguments: pkcs12Codecs) func manyCertificatesKeepTheirOrder(_ codec: Named<any PKCS12Codec>) throws {
    let names = ["leaf/p-256", "leaf/rsa-2048", "leaf/ed25519", "leaf/idn", "leaf/ip", "leaf/p-384", "leaf/p-521"]
    let certificates = try (0..<10).flatMap { _ in try names.map { try TestCerts.certificate($0).der } }
    let sealed = try codec.value.seal(
      PKCS12Contents(certificates: certificates, privateKeys: []), password: Self.password)
    #expect(try codec.value.open(pkcs12: sealed, password: Self.password).certificates == certificates)
  }

  @Test func aBagThatGnuTLSWouldCutShortIsAnError() throws {
    guard pkcs12Codecs.count == 2 else { return }
    let leaf = try TestCerts.certificate("leaf/p-256").der
    let contents = PKCS12Contents(certificates: [[UInt8]](repeating: leaf, count: 40), privateKeys: [])
    let sealed = try pkcs12Codecs[0].value.seal(contents, password: Self.password)
    #expect(throws: PKCS12Error.self) { try pkcs12Codecs[1].value.open(pkcs12: sealed, password: Self.password) }
  }

  @Test(ExternalTool.openssl.required, arguments: pkcs12Codecs)
  func opensslReadsWhatWeSeal(_ codec: Named<any PKCS12Codec>) throws {
    let scratch = try ScratchDirectory()
    let contents = PKCS12Contents(certificates: try Self.chain(), privateKeys: [])
    _ = try scratch.write(codec.value.seal(contents, password: Array("pass".utf8)), as: "out.p12")
    let shown = try ExternalTool.openssl.run(
      ["pkcs12", "-in", "out.p12", "-passin", "pass:pass", "-info", "-nokeys"], in: scratch)
    #expect(shown.succeeded, "\(shown.text)")
    #expect(shown.text.contains("AES-256-CBC") && shown.text.contains("PBKDF2") && shown.text.contains("sha256"))
    #expect(shown.text.components(separatedBy: "BEGIN CERTIFICATE").count == 3)
  }

  @Test(
    ExternalTool.openssl.required, arguments: pkcs12Codecs,
    [(["-legacy"], true), ([], false), (["-certpbe", "PBE-SHA1-3DES", "-keypbe", "PBE-SHA1-3DES"], true)])
  func whatOpenSSLWritesIsOpened(_ codec: Named<any PKCS12Codec>, _ form: ([String], Bool)) throws {
    let scratch = try ScratchDirectory()
    for name in ["key.pem", "chain.pem"] {
      let source = TestCerts.directory.appendingPathComponent("leaf/p-256/\(name)")
      _ = try scratch.write(Array(try Data(contentsOf: source)), as: name)
    }
    let made = try ExternalTool.openssl.run(
      ["pkcs12", "-export", "-in", "chain.pem", "-inkey", "key.pem", "-passout", "pass:pass", "-out", "in.p12"]
        + form.0,
      in: scratch)
    try #require(made.succeeded, "\(made.text)")
    let opened = try codec.value.open(pkcs12: scratch.read("in.p12"), password: Array("pass".utf8))
    #expect(try Set(opened.certificates) == Set(Self.chain()))
    #expect(opened.privateKeys.count == 1)
    #expect(opened.usesLegacyEncryption == form.1)
  }

  @Test(ExternalTool("keytool").required) func javaTakesOurCertificatesForAnchors() throws {
    guard let codec = pkcs12Codecs.first(where: { $0.name == "openssl" }) else { return }
    let scratch = try ScratchDirectory()
    let contents = PKCS12Contents(certificates: try Self.chain(), privateKeys: [])
    _ = try scratch.write(codec.value.seal(contents, password: Array("changeit".utf8)), as: "trust.p12")
    let listed = try ExternalTool("keytool").run(
      ["-list", "-keystore", "trust.p12", "-storepass", "changeit", "-storetype", "PKCS12"], in: scratch)
    #expect(listed.succeeded, "\(listed.text)")
    #expect(listed.text.components(separatedBy: "trustedCertEntry").count == 3, "\(listed.text)")
  }

  @Test(arguments: pkcs12Codecs) func damagedFilesAreErrors(_ codec: Named<any PKCS12Codec>) throws {
    let chain = try Self.chain()
    let good = try codec.value.seal(PKCS12Contents(certificates: chain, privateKeys: []), password: Self.password)
    for index in stride(from: 0, to: good.count, by: 97) {
      var bad = good
      bad[index] ^= 0x55
      let opened = try? codec.value.open(pkcs12: bad, password: Self.password)
      #expect(opened == nil || Set(opened?.certificates ?? []) == Set(chain), "byte \(index)")
    }
    #expect(throws: PKCS12Error.self) { try codec.value.open(pkcs12: [], password: []) }
  }
}
