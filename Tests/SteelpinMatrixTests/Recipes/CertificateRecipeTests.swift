// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinMatrix
import SteelpinTestSupport
import Testing

@Suite("recipes: certificates")
struct CertificateRecipeTests {
  private let clock = Timestamp(secondsSince1970: 1_767_225_600)

  @Test("the lab's certificates are a chain that both tools read", arguments: try labs())
  func chain(_ lab: Named<Lab>) throws {
    let leaf = try lab.value.leaf(names: ["example.test"]).certificate
    let (intermediate, root) = (try lab.value.intermediate.certificate, try lab.value.root.certificate)
    #expect(leaf.issuer == intermediate.subject)
    #expect(intermediate.issuer == root.subject)
    #expect(root.isSelfIssued)
    #expect(leaf.decoded.authorityKeyIdentifier?.keyIdentifier == intermediate.decoded.subjectKeyIdentifier)
    #expect(Set([leaf, intermediate, root].map(\.publicKeySHA256)).count == 3)
    #expect(leaf.extensions.count == 6 && leaf.decoded.malformed.isEmpty && leaf.version == 3)
    for certificate in [leaf, intermediate, root] {
      let inspection = try Inspection(certificate.der)
      if ExternalTool.openssl.isInstalled { #expect(try inspection.openssl("x509", "-noout", "-text").succeeded) }
      if ExternalTool.certtool.isInstalled { #expect(try inspection.certtool("-i").succeeded) }
    }
  }

  @Test("equal key recipes share a key, others do not")
  func keys() throws {
    let ring = keyRings[0].value
    let lab = try Lab(keys: ring)
    let first = try lab.leaf(names: ["a.test"]).certificate
    let renewed = try lab.leaf(names: ["a.test"]) { $0.validity = .days(0, 30) }.certificate
    let rotated = try lab.leaf(names: ["a.test"]) { $0.key.label = "next" }.certificate
    #expect(first.publicKeySHA256 == renewed.publicKeySHA256)
    #expect(first.serialNumber != renewed.serialNumber)
    #expect(first.publicKeySHA256 != rotated.publicKeySHA256)
  }

  @Test("a key can be given to the ring")
  func givenKey() throws {
    let ring = KeyRing(keyProviders[0].value)
    let key = try ring.provider.generateKey(.ecdsa(bits: 384))
    ring.use(key, for: KeyRecipe(label: "mine"))
    let issued = try Lab(keys: ring).leaf(names: ["a.test"]) { $0.key = KeyRecipe(label: "mine") }
    #expect(Array(try issued.certificate.publicKey.encoded) == key.publicKeyInfo)
  }

  @Test("many threads get one key")
  func concurrentKeys() async throws {
    let ring = KeyRing(keyProviders[0].value)
    let keys = try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for _ in 0..<16 { group.addTask { try ring.key(KeyRecipe(.rsa(bits: 1024))).publicKeyInfo } }
      return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
    }
    #expect(keys.count == 1)
  }

  @Test("validity is relative to the clock")
  func validity() throws {
    let lab = try Lab(keys: keyRings[0].value, clock: clock)
    let cases: [(ValidityRecipe, Int64, Int64)] = [
      (.current, -86400, 89 * 86400), (.expired, -91 * 86400, -86400), (.notYetValid, 86400, 91 * 86400),
      (ValidityRecipe(from: .now, to: .seconds(1)), 0, 1),
    ]
    for (recipe, first, last) in cases {
      let validity = try lab.leaf(names: ["a.test"]) { $0.validity = recipe }.certificate.validity
      #expect(validity.notBefore == clock.advanced(by: first))
      #expect(validity.notAfter == clock.advanced(by: last))
      #expect(validity.usesPrescribedForms)
    }
  }

  @Test("times take the form that is asked for")
  func timeForms() throws {
    let lab = try Lab(keys: keyRings[0].value, clock: clock)
    let leaf = try lab.leaf(names: ["a.test"]) {
      $0.validity = ValidityRecipe(from: .days(0, as: .generalizedTime), to: .days(36500))
    }
    #expect(try leaf.certificate.validity.usesPrescribedForms == false)
    let never = try lab.leaf(names: ["a.test"]) {
      $0.validity.notAfter = .der(Array("\u{18}\u{0F}99991231235959Z".utf8))
    }
    #expect(try never.certificate.validity.notAfter == Timestamp(secondsSince1970: 253_402_300_799))
    #expect(throws: RecipeError.self) {
      try lab.leaf(names: ["a.test"]) { $0.validity.notAfter = .seconds(.max) }
    }
  }

  @Test("serial number, version, key, issuer's name and extensions can be anything")
  func fields() throws {
    let lab = try labs()[0].value
    let other = try lab.keys.key(KeyRecipe(label: "other"))
    let issued = try lab.leaf(names: ["a.test"]) {
      $0.serialNumber = [0xFF]
      $0.version = 1
      $0.subjectPublicKeyInfo = other.publicKeyInfo
      $0.issuerName = "Somebody Else"
      $0.extensions = []
    }
    let certificate = try issued.certificate
    #expect(certificate.serialNumber == [0xFF])
    #expect(certificate.version == 1)
    #expect(Array(certificate.publicKey.encoded) == other.publicKeyInfo)
    #expect(certificate.issuer.commonName == "Somebody Else")
    #expect(certificate.extensions.isEmpty)
    let version = try lab.leaf(names: ["a.test"]) { $0.version = 7 }
    #expect(try version.certificate.version == 7)
  }

  @Test("extensions can be missing, replaced and doubled")
  func extensionFaults() throws {
    let lab = try labs()[0].value
    let missing = try lab.leaf(names: ["a.test"]) { $0.removeExtension(.subjectAlternativeName) }
    #expect(try missing.certificate.decoded.subjectAlternativeNames == nil)
    let doubled = try lab.leaf(names: ["a.test"]) { $0.duplicateExtension(.keyUsage) }
    #expect(try doubled.certificate.decoded.duplicated == [.keyUsage])
    let replaced = try lab.leaf(names: ["a.test"]) { $0.setExtension(.extendedKeyUsage([.clientAuth])) }
    #expect(try replaced.certificate.decoded.extendedKeyUsage == [.clientAuth])
    #expect(try replaced.certificate.extensions.count == 6)
  }

  @Test("names have the attributes and string types of the recipe", ExternalTool.openssl.required)
  func names() throws {
    let lab = try labs()[0].value
    let name = NameRecipe(relativeNames: [
      [.country("CN")], [.domainComponent("test")], [.organization("钢钉", as: .bmp)],
      [.organizationalUnit("Ünit", as: .utf8), .commonName("two", as: .printable)], [.email("a@b.test")],
      [.commonName("x", as: .ia5)], [.commonName("old", as: .teletex)],
    ])
    let issued = try lab.issue(CertificateRecipe(subject: name, key: KeyRecipe()), by: nil)
    let texts = try issued.certificate.subject.relativeNames.map { $0.map(\.text) }
    #expect(texts == [["CN"], ["test"], ["钢钉"], ["two", "Ünit"], ["a@b.test"], ["x"], ["old"]])
    let text = try Inspection(issued.der).openssl("x509", "-noout", "-subject", "-nameopt", "utf8,sep_comma_plus").text
    #expect(text.contains("钢钉") && text.contains("Ünit"), "\(text)")
    let empty = try lab.issue(CertificateRecipe(subject: .empty, key: KeyRecipe()), by: lab.root)
    #expect(try empty.certificate.subject.isEmpty)
  }

  @Test("a certificate that exists can issue")
  func adopted() throws {
    let lab = try labs()[0].value
    let adopted = IssuedCertificate(try lab.root.certificate, key: lab.root.key)
    let leaf = try lab.issue(.leaf(["a.test"]), by: adopted).certificate
    #expect(leaf.issuer == (try lab.root.certificate.subject))
    #expect(
      leaf.decoded.authorityKeyIdentifier?.keyIdentifier == (try lab.root.certificate.decoded.subjectKeyIdentifier))
  }

  @Test("a request is what others accept as one", ExternalTool.openssl.required, arguments: keyRings)
  func request(_ ring: Named<KeyRing>) throws {
    let recipe = RequestRecipe(names: ["a.test", .ip("192.0.2.1")])
    let request = try Inspection(recipe.request(keys: ring.value))
    let result = try request.openssl("req", "-noout", "-text", "-verify")
    #expect(result.succeeded && result.phrase.contains("DNS:a.test, IP Address:192.0.2.1"), "\(result.text)")
    if ExternalTool.certtool.isInstalled {
      let result = try request.certtool("--crq-info")
      #expect(result.succeeded && result.text.contains("DNSname: a.test"), "\(result.text)")
    }
    var broken = recipe
    broken.faults = [.flipSignatureBit]
    let answer = try Inspection(broken.request(keys: ring.value)).openssl("req", "-noout", "-verify")
    #expect(answer.text.contains("verify failure"), "\(answer.text)")
  }
}
