// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinMatrix
import SteelpinTestSupport
import Testing

/// An extension and what others read in it.
struct ExtensionCase: Sendable, CustomTestStringConvertible {
  let name: String
  let value: ExtensionValue
  /// What `openssl x509 -text` prints.
  let openssl: [String]
  /// What `certtool -i` prints.
  let certtool: [String]
  /// What Steelpin's own decoder reads.
  let reads: @Sendable (DecodedExtensions) -> Bool

  var testDescription: String { name }

  private static func oid(_ arcs: String) -> OID { OID(arcs) ?? .anyPolicy }

  static let all: [ExtensionCase] = [
    ExtensionCase(
      name: "authorityInfoAccess",
      value: .authorityInformationAccess(ocsp: ["http://o.test/"], caIssuers: ["http://i.test/ca.cer"]),
      openssl: ["OCSP - URI:http://o.test/", "CA Issuers - URI:http://i.test/ca.cer"],
      certtool: ["http://o.test/", "http://i.test/ca.cer"],
      reads: { $0.authorityInformationAccess?.map(\.method) == [.ocsp, .caIssuers] }),
    ExtensionCase(
      name: "basicConstraints of an authority", value: .basicConstraints(isCA: true, pathLength: 3),
      openssl: ["Basic Constraints: critical CA:TRUE, pathlen:3"], certtool: ["Path Length Constraint: 3"],
      reads: { $0.basicConstraints?.isCA == true && $0.basicConstraints?.pathLength == 3 }),
    ExtensionCase(
      name: "basicConstraints of a subject", value: .basicConstraints(isCA: false, pathLength: nil),
      openssl: ["Basic Constraints: CA:FALSE"], certtool: ["Certificate Authority (CA): FALSE"],
      reads: { $0.basicConstraints?.isCA == false && $0.basicConstraints?.pathLength == nil }),
    ExtensionCase(
      name: "certificatePolicies", value: .certificatePolicies([oid("1.2.3.4"), .anyPolicy]),
      openssl: ["Policy: 1.2.3.4", "Policy: X509v3 Any Policy"], certtool: ["1.2.3.4"],
      reads: { $0.certificatePolicies?.map(\.identifier) == [oid("1.2.3.4"), .anyPolicy] }),
    ExtensionCase(
      name: "cRLDistributionPoints",
      value: .crlDistributionPoints([
        .url("http://c.test/a.crl"),
        DistributionPointRecipe(
          [.uri("ldap://c.test/b")], reasons: [.keyCompromise, .aACompromise], issuer: [.directory("Lists")]),
      ]),
      openssl: ["URI:http://c.test/a.crl", "Reasons: Key Compromise, AA Compromise", "CRL Issuer: DirName:CN = Lists"],
      certtool: ["URI: http://c.test/a.crl"],
      reads: { points in
        points.crlDistributionPoints?.count == 2 && points.crlDistributionPoints?[1].crlIssuer.count == 1
          && points.crlDistributionPoints?[1].reasons == [0x40, 0x80]
      }),
    ExtensionCase(
      name: "extKeyUsage",
      value: .extendedKeyUsage([.serverAuth, .clientAuth, .ocspSigning, .anyExtendedKeyUsage, oid("1.2.3.9")]),
      openssl: ["TLS Web Server Authentication", "OCSP Signing", "Any Extended Key Usage", "1.2.3.9"],
      certtool: ["TLS WWW Server", "OCSP signing"],
      reads: { $0.extendedKeyUsage?.count == 5 && $0.extendedKeyUsage?.last == oid("1.2.3.9") }),
    ExtensionCase(
      name: "inhibitAnyPolicy", value: .inhibitAnyPolicy(2), openssl: ["Inhibit Any Policy: critical 2"],
      certtool: ["Inhibit"], reads: { $0.inhibitAnyPolicy == 2 }),
    ExtensionCase(
      name: "keyUsage",
      value: .keyUsage([.digitalSignature, .keyCertSign, .decipherOnly]),
      openssl: ["Key Usage: critical Digital Signature, Certificate Sign, Decipher Only"],
      certtool: ["Digital signature", "Certificate signing"],
      reads: { $0.keyUsage == [.digitalSignature, .keyCertSign, .decipherOnly] }),
    ExtensionCase(
      name: "keyUsage without a bit", value: .keyUsage([]), openssl: ["X509v3 Key Usage: critical"],
      certtool: ["Key Usage (critical)"], reads: { $0.keyUsage == nil && $0.malformed.count == 1 }),
    ExtensionCase(
      name: "nameConstraints",
      value: .nameConstraints(
        permitted: ["example.test", .ip("10.0.0.0/8"), .email("mail.test"), .directory("Group")],
        excluded: ["bad.example.test", .ip("2001:db8::/33"), .uri(".web.test")]),
      openssl: [
        "Permitted: DNS:example.test IP:10.0.0.0/255.0.0.0 email:mail.test DirName:CN = Group",
        "Excluded: DNS:bad.example.test IP:2001:DB8:0:0:0:0:0:0/FFFF:FFFF:8000:0:0:0:0:0 URI:.web.test",
      ],
      certtool: ["DNSname: example.test", "10.0.0.0/8", "2001:db8::/33"],
      reads: { $0.nameConstraints?.permitted.count == 4 && $0.nameConstraints?.excluded.count == 3 }),
    ExtensionCase(
      name: "policyConstraints",
      value: .policyConstraints(requireExplicitPolicy: 0, inhibitPolicyMapping: 200),
      openssl: ["Require Explicit Policy:0, Inhibit Policy Mapping:200"], certtool: ["2.5.29.36"],
      reads: {
        $0.policyConstraints?.requireExplicitPolicy == 0 && $0.policyConstraints?.inhibitPolicyMapping == 200
      }),
    ExtensionCase(
      name: "policyMappings", value: .policyMappings([PolicyMappingRecipe(oid("1.2.3"), to: oid("1.2.4"))]),
      openssl: ["1.2.3:1.2.4"], certtool: ["2.5.29.33"],
      reads: { $0.policyMappings?.first?.subjectDomain == oid("1.2.4") }),
    ExtensionCase(
      name: "subjectAltName of every kind",
      value: .subjectAlternativeNames([
        "*.example.test", .email("a@b.test"), .uri("https://u.test/"), .ip("192.0.2.1"), .ip("2001:db8::1"),
        .directory(NameRecipe(.country("CN"), .organization("O"), .commonName("D"))),
        .registeredID(oid("1.2.3.4")), .otherName(oid("1.2.3.5"), [0x0C, 1, 0x78]),
      ]),
      openssl: [
        "DNS:*.example.test, email:a@b.test, URI:https://u.test/, IP Address:192.0.2.1",
        "IP Address:2001:DB8:0:0:0:0:0:1, DirName:/C=CN/O=O/CN=D, Registered ID:1.2.3.4, othername:",
      ],
      certtool: ["DNSname: *.example.test", "RFC822Name: a@b.test", "IPAddress: 192.0.2.1", "2001:db8::1"],
      reads: { $0.subjectAlternativeNames?.count == 8 }),
    ExtensionCase(
      name: "subjectKeyIdentifier", value: .subjectKeyIdentifier([1, 2, 0xFF]), openssl: ["01:02:FF"],
      certtool: ["0102ff"], reads: { $0.subjectKeyIdentifier == [1, 2, 0xFF] }),
    ExtensionCase(
      name: "tlsfeature", value: .mustStaple, openssl: ["TLS Feature: status_request"],
      certtool: ["Status Request(5)"], reads: { $0.tlsFeatures == [5] }),
    ExtensionCase(
      name: "ocsp-nocheck", value: .ocspNoCheck, openssl: ["OCSP No Check:"], certtool: ["1.3.6.1.5.5.7.48.1.5"],
      reads: { $0.malformed.isEmpty }),
    ExtensionCase(
      name: "any other", value: .raw(oid("1.2.3.4.5"), [0x05, 0x00]), openssl: ["1.2.3.4.5:"],
      certtool: ["Unknown extension 1.2.3.4.5"], reads: { $0.malformed.isEmpty && $0.unknownCritical.isEmpty }),
  ]
}

@Suite("recipes: extensions")
struct ExtensionRecipeTests {
  private func certificate(_ lab: Lab, _ extension: ExtensionRecipe) throws -> IssuedCertificate {
    try lab.issue(CertificateRecipe(subject: "x", key: KeyRecipe(), extensions: [`extension`]), by: lab.root)
  }

  @Test(
    "every extension says to other programs what the recipe says", ExternalTool.openssl.required,
    ExternalTool.certtool.required, arguments: ExtensionCase.all)
  func meaning(_ test: ExtensionCase) throws {
    let lab = try labs()[0].value
    let issued = try certificate(lab, ExtensionRecipe(test.value))
    let inspection = try Inspection(issued.der)
    let openssl = try inspection.openssl("x509", "-noout", "-text")
    for phrase in test.openssl { #expect(openssl.phrase.contains(phrase), "\(openssl.text)") }
    let certtool = try inspection.certtool("-i")
    for phrase in test.certtool { #expect(certtool.phrase.contains(phrase), "\(certtool.text)") }
    #expect(test.reads(try issued.certificate.decoded))
  }

  @Test("whether it is critical can be chosen", arguments: ExtensionCase.all, [true, false])
  func criticality(_ test: ExtensionCase, isCritical: Bool) throws {
    let lab = try labs()[0].value
    let issued = try certificate(lab, ExtensionRecipe(test.value, critical: isCritical))
    #expect(try issued.certificate.extensions.map(\.isCritical) == [isCritical])
    #expect(try issued.certificate.extensions.map(\.identifier) == [test.value.identifier])
  }

  @Test(
    "text that is no address is an error", arguments: ["x", "", "1.2.3", "10.0.0.0/33", "::/129", "::1/", "1.2.3.4/-1"])
  func badAddress(_ text: String) throws {
    let lab = try labs()[0].value
    #expect(throws: RecipeError.self) { try lab.leaf(names: [.ip(text)]) }
  }

  @Test("authorityKeyIdentifier repeats the issuer's key identifier, name and number", ExternalTool.openssl.required)
  func authorityKeyIdentifier() throws {
    let lab = try labs()[0].value
    let issued = try lab.issue(
      CertificateRecipe(
        subject: "x", key: KeyRecipe(), extensions: [ExtensionRecipe(.authorityKeyIdentifier(.keyAndNameOfIssuer))]),
      by: lab.intermediate)
    let issuer = try lab.intermediate.certificate
    let identifier = try #require(try issued.certificate.decoded.authorityKeyIdentifier)
    #expect(identifier.keyIdentifier == issuer.decoded.subjectKeyIdentifier)
    #expect(identifier.issuer == [.directory(issuer.issuer)])
    #expect(identifier.serialNumber == issuer.serialNumber)
    #expect(
      try Inspection(issued.der).openssl("x509", "-noout", "-text").phrase.contains("DirName:/CN=Lab Root serial:"))
  }
}
