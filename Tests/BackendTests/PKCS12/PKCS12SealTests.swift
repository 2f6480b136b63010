// SPDX-License-Identifier: Apache-2.0
import Foundation
import Steelpin
import SteelpinMatrix
import SteelpinTestSupport
import Testing

@Suite("pkcs12: sealing")
struct PKCS12SealTests {
  private func contents() throws -> PKCS12Contents {
    let material = try PKCS12Material.common.get()
    return PKCS12Contents(
      certificates: [material.leaf, material.issuer], privateKeys: [material.key],
      friendlyNames: [material.key: "mine", material.leaf: "mine", material.issuer: "issuer"])
  }

  @Test("every codec opens what every codec seals", arguments: pkcs12Codecs, ["", "pässwörd 钢钉"])
  func roundTrip(_ codec: Named<any PKCS12Codec>, _ password: String) throws {
    let contents = try contents()
    let file = try codec.value.seal(contents, password: Array(password.utf8))
    for other in pkcs12Codecs {
      let opened = try other.value.open(pkcs12: file, password: Array(password.utf8))
      #expect(opened.certificates == contents.certificates, "\(other.name)")
      #expect(opened.privateKeys.count == 1 && !opened.usesLegacyEncryption)
      #expect(opened.friendlyNames[contents.certificates[1]] == "issuer")
      #expect(opened.friendlyNames[opened.privateKeys[0]] == "mine")
      #expect(throws: PKCS12Error.wrongPassword) { try other.value.open(pkcs12: file, password: [0x78]) }
    }
  }

  @Test("openssl reads it, and finds AES-256 and SHA-256", ExternalTool.openssl.required, arguments: pkcs12Codecs)
  func openssl(_ codec: Named<any PKCS12Codec>) throws {
    let directory = try ScratchDirectory()
    let name = try directory.write(codec.value.seal(contents(), password: Array("x y".utf8)), as: "file")
    let result = try ExternalTool.openssl.run(
      ["pkcs12", "-in", name, "-info", "-nodes", "-passin", "pass:x y"], in: directory)
    #expect(result.succeeded)
    #expect(result.text.contains("MAC: sha256"))
    #expect(result.text.contains("PKCS7 Encrypted data: PBES2, PBKDF2, AES-256-CBC"))
    #expect(result.text.contains("Shrouded Keybag: PBES2, PBKDF2, AES-256-CBC"))
    #expect(!result.text.contains("RC2") && !result.text.contains("DES"))
    #expect(result.text.components(separatedBy: "BEGIN CERTIFICATE").count == 3)
  }

  @Test("certtool reads it", ExternalTool.certtool.required, arguments: pkcs12Codecs)
  func certtool(_ codec: Named<any PKCS12Codec>) throws {
    let directory = try ScratchDirectory()
    let name = try directory.write(codec.value.seal(contents(), password: Array("x y".utf8)), as: "file")
    let result = try ExternalTool.certtool.run(
      ["--p12-info", "--inder", "--infile", name, "--password", "x y"], in: directory)
    #expect(result.succeeded, "\(result.text)")
    #expect(result.text.contains("MAC: SHA256") && result.text.contains("Friendly name: issuer"), "\(result.text)")
  }

  @Test("keytool finds the key with its chain", ExternalTool("keytool").required, arguments: pkcs12Codecs)
  func keytool(_ codec: Named<any PKCS12Codec>) throws {
    let directory = try ScratchDirectory()
    let name = try directory.write(codec.value.seal(contents(), password: Array("pass word".utf8)), as: "file")
    let result = try ExternalTool("keytool").run(
      ["-list", "-v", "-storetype", "PKCS12", "-keystore", name, "-storepass", "pass word"], in: directory)
    #expect(result.succeeded && result.text.contains("PrivateKeyEntry"), "\(result.text)")
    #expect(result.text.contains("Certificate chain length: 2"), "\(result.text)")
  }

  #if OpenSSL
    @Test("keytool takes certificates alone for anchors", ExternalTool("keytool").required)
    func javaAnchors() throws {
      let codec = try #require(pkcs12Codecs.first { $0.name == "openssl" })
      var anchors = try contents()
      anchors.privateKeys = []
      let directory = try ScratchDirectory()
      let name = try directory.write(codec.value.seal(anchors, password: Array("pass word".utf8)), as: "file")
      let result = try ExternalTool("keytool").run(
        ["-list", "-storetype", "PKCS12", "-keystore", name, "-storepass", "pass word"], in: directory)
      #expect(result.text.components(separatedBy: "trustedCertEntry").count == 3, "\(result.text)")
    }
  #endif

  @Test("one certificate and many, without a key", arguments: pkcs12Codecs, [1, 32])
  func count(_ codec: Named<any PKCS12Codec>, _ count: Int) throws {
    let lab = try Lab(keys: keyRings[0].value)
    let certificates = try (0..<count).map { try lab.leaf(names: [.dns("\($0).test")]).der }
    let contents = PKCS12Contents(certificates: certificates, privateKeys: [])
    let file = try codec.value.seal(contents, password: Array("x".utf8))
    let opened = try codec.value.open(pkcs12: file, password: Array("x".utf8))
    #expect(opened.certificates == certificates && opened.privateKeys.isEmpty)
  }

  @Test(
    "every kind of key", arguments: pkcs12Codecs,
    [KeyKind.ecdsa(bits: 384), .ed25519, .rsa(bits: 2048)])
  func kinds(_ codec: Named<any PKCS12Codec>, _ kind: KeyKind) throws {
    let key = try keyRings[0].value.key(KeyRecipe(kind))
    let file = try codec.value.seal(
      PKCS12Contents(certificates: [], privateKeys: [key.pkcs8()]), password: Array("x".utf8))
    for other in pkcs12Codecs {
      let opened = try other.value.open(pkcs12: file, password: Array("x".utf8))
      #expect(try opened.privateKeys.map(PKCS12Material.publicKey) == [key.publicKeyInfo], "\(other.name)")
    }
  }

  @Test("a friendly name outside ASCII is written right or not at all", arguments: pkcs12Codecs)
  func name(_ codec: Named<any PKCS12Codec>) throws {
    var contents = try contents()
    contents.friendlyNames = [contents.certificates[0]: "钢钉"]
    guard codec.name == "openssl" else {
      #expect(throws: PKCS12Error.self) { try codec.value.seal(contents, password: [0x78]) }
      return
    }
    let opened = try codec.value.open(pkcs12: codec.value.seal(contents, password: [0x78]), password: [0x78])
    #expect(opened.friendlyNames == contents.friendlyNames)
  }

  @Test("a key that is none is an error", arguments: pkcs12Codecs)
  func badKey(_ codec: Named<any PKCS12Codec>) {
    #expect(throws: PKCS12Error.self) {
      try codec.value.seal(PKCS12Contents(certificates: [], privateKeys: [[1, 2, 3]]), password: [])
    }
  }
}
