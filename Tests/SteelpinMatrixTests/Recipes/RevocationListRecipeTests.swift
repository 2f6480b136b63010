// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinMatrix
import SteelpinTestSupport
import Testing

@Suite("recipes: revocation lists")
struct RevocationListRecipeTests {
  private let clock = Timestamp(secondsSince1970: 1_767_225_600)

  private func text(_ list: [UInt8]) throws -> String {
    let result = try Inspection(list).openssl("crl", "-noout", "-text")
    #expect(result.succeeded, "\(result.text)")
    return result.phrase
  }

  @Test("a complete list", ExternalTool.openssl.required, ExternalTool.certtool.required, arguments: keyRings)
  func complete(_ ring: Named<KeyRing>) throws {
    let lab = try Lab(keys: ring.value, clock: clock)
    let leaf = try lab.leaf(names: ["a.test"])
    var entry = RevocationEntryRecipe(leaf, reason: .keyCompromise)
    entry.invalidityDate = .days(-3)
    let der = try lab.revocationList(.complete([entry], number: 0x81), by: lab.intermediate)
    let text = try text(der)
    let serial = Hex.encode(leaf.serialNumber)
    for phrase in [
      "Version 2 (0x1)", "Issuer: CN = Lab Intermediate", "Last Update: Dec 31 00:00:00 2025 GMT",
      "Next Update: Jan 7 00:00:00 2026 GMT", "X509v3 CRL Number: 129", "Serial Number: \(serial.uppercased())",
      "Revocation Date: Dec 30 00:00:00 2025 GMT", "X509v3 CRL Reason Code: Key Compromise",
      "Invalidity Date: Dec 29 00:00:00 2025 GMT",
    ] { #expect(text.contains(phrase), "\(phrase): \(text)") }
    let certtool = try Inspection(der).certtool("--crl-info")
    #expect(certtool.succeeded && certtool.text.contains(serial), "\(certtool.text)")

    let list = try CertificateRevocationList(der: der)
    #expect(list.issuer == (try lab.intermediate.certificate.subject))
    #expect(list.thisUpdate == clock.advanced(byDays: -1) && list.nextUpdate == clock.advanced(byDays: 6))
    #expect(list.number == [0x81] && !list.isDelta && list.count == 1)
  }

  @Test("the signature is right unless the recipe says otherwise", ExternalTool.openssl.required, arguments: keyRings)
  func signature(_ ring: Named<KeyRing>) throws {
    let lab = try Lab(keys: ring.value)
    func verify(_ recipe: RevocationListRecipe, by issuer: IssuedCertificate) throws -> String {
      let directory = try ScratchDirectory()
      let list = try directory.write(lab.revocationList(recipe, by: issuer), as: "list")
      let authority = try directory.write(Array(PEM.certificate(lab.root.der).utf8), as: "ca.pem")
      return try ExternalTool.openssl.run(
        ["crl", "-noout", "-inform", "DER", "-in", list, "-CAfile", authority], in: directory
      ).text
    }
    #expect(try verify(.complete(), by: lab.root).contains("verify OK"))
    #expect(try verify(.complete().with { $0.faults = [.flipSignatureBit] }, by: lab.root).contains("verify failure"))
    let impostor = try lab.issue(.root("Lab Root", key: KeyRecipe(label: "impostor")), by: nil)
    #expect(try verify(.complete(), by: impostor).contains("verify failure"))
  }

  @Test("a delta list names its base", ExternalTool.openssl.required)
  func delta() throws {
    let lab = try Lab(keys: keyRings[0].value, clock: clock)
    let entry = RevocationEntryRecipe(serialNumber: [7], reason: .removeFromCRL)
    let der = try lab.revocationList(.delta([entry], number: 5, base: 4), by: lab.root)
    #expect(try text(der).contains("X509v3 Delta CRL Indicator: critical 4"))
    #expect(try CertificateRevocationList(der: der).isDelta)
  }

  @Test("an indirect list names the issuers of its entries", ExternalTool.openssl.required)
  func indirect() throws {
    let lab = try Lab(keys: keyRings[0].value, clock: clock)
    let leaf = try lab.leaf(names: ["a.test"])
    let der = try lab.revocationList(
      .indirect([RevocationEntryRecipe(leaf, namesIssuer: true)]), by: lab.root)
    let text = try text(der)
    #expect(text.contains("Issuing Distribution Point: critical Indirect CRL"), "\(text)")
    #expect(text.contains("X509v3 Certificate Issuer: critical DirName:/CN=Lab Intermediate"), "\(text)")
    #expect(try CertificateRevocationList(der: der).count == 1)
  }

  @Test("the scope of a list", ExternalTool.openssl.required)
  func scope() throws {
    let lab = try Lab(keys: keyRings[0].value, clock: clock)
    var point = IssuingDistributionPointRecipe([.uri("http://c.test/a.crl")])
    point.onlyUserCertificates = true
    point.onlySomeReasons = [.keyCompromise, .privilegeWithdrawn]
    let der = try lab.revocationList(RevocationListRecipe.complete().scoped(to: point), by: lab.root)
    let text = try text(der)
    #expect(text.contains("URI:http://c.test/a.crl"), "\(text)")
    #expect(text.contains("Only User Certificates Only Some Reasons: Key Compromise, Privilege Withdrawn"), "\(text)")
    point.onlyUserCertificates = false
    point.onlyCACertificates = true
    let authorities = try lab.revocationList(RevocationListRecipe.complete().scoped(to: point), by: lab.root)
    #expect(try self.text(authorities).contains("Only CA Certificates"))
    #expect(throws: Never.self) { try CertificateRevocationList(der: authorities) }
  }

  @Test("version, times, issuer and number can be anything", ExternalTool.openssl.required)
  func fields() throws {
    let lab = try Lab(keys: keyRings[0].value, clock: clock)
    let der = try lab.revocationList(
      RevocationListRecipe([], extensions: []).with {
        $0.version = 1
        $0.nextUpdate = nil
        $0.issuerName = "Somebody Else"
        $0.thisUpdate = .now
      }, by: lab.root)
    let text = try text(der)
    #expect(text.contains("Version 1 (0x0)") && text.contains("No Revoked Certificates"), "\(text)")
    let list = try CertificateRevocationList(der: der)
    #expect(list.issuer.commonName == "Somebody Else" && list.nextUpdate == nil && list.number == nil)
    #expect(list.thisUpdate == clock)
  }

  @Test("a list that is cut short is none")
  func malformed() throws {
    let lab = try labs()[0].value
    let der = try lab.revocationList(
      .complete().with { $0.faults = [.rewrite { Array($0.dropLast()) }] }, by: lab.root)
    #expect(throws: RevocationEvidenceError.self) { try CertificateRevocationList(der: der) }
  }
}
