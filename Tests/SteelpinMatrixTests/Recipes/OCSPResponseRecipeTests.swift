// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinMatrix
import SteelpinTestSupport
import Testing

@Suite("recipes: OCSP responses")
struct OCSPResponseRecipeTests {
  /// What `openssl ocsp` says of a response about a leaf of the lab, by its own clock.
  private func openssl(
    _ recipe: OCSPResponseRecipe, by signer: IssuedCertificate, about leaf: IssuedCertificate, _ lab: Lab
  ) throws -> ExternalTool.Result {
    let directory = try ScratchDirectory()
    func pem(_ certificate: IssuedCertificate, _ name: String) throws -> String {
      try directory.write(Array(PEM.certificate(certificate.der).utf8), as: name)
    }
    let response = try directory.write(lab.ocspResponse(recipe, by: signer), as: "response")
    return try ExternalTool.openssl.run(
      [
        "ocsp", "-respin", response, "-no_nonce", "-issuer", pem(lab.intermediate, "issuer"), "-cert",
        pem(leaf, "leaf"), "-CAfile", pem(lab.root, "root"), "-verify_other", pem(lab.intermediate, "issuer"),
        "-resp_text",
      ], in: directory)
  }

  @Test(
    "every status, as openssl reads it", ExternalTool.openssl.required, arguments: keyRings,
    [
      (OCSPStatusRecipe.good, "leaf: good"), (.unknown, "leaf: unknown"), (.revoked, "leaf: revoked"),
      (.revoked(.days(-5), .keyCompromise), "Reason: keyCompromise"),
    ])
  func statuses(_ ring: Named<KeyRing>, _ test: (OCSPStatusRecipe, String)) throws {
    let lab = try Lab(keys: ring.value)
    let leaf = try lab.leaf(names: ["a.test"])
    for hash in [OCSPAnswerRecipe.Hash.sha1, .sha256] {
      var answer = OCSPAnswerRecipe(leaf, issuedBy: lab.intermediate, test.0)
      answer.hash = hash
      let recipe = OCSPResponseRecipe([answer])
      guard hash == .sha1 else {
        // The tool asks by SHA-1, and so finds no answer under another name.
        #expect(throws: Never.self) { try OCSPResponse(der: lab.ocspResponse(recipe, by: lab.intermediate)) }
        continue
      }
      let result = try openssl(recipe, by: lab.intermediate, about: leaf, lab)
      #expect(result.text.contains("Response verify OK") && result.text.contains(test.1), "\(result.text)")
    }
  }

  @Test("the fields that Steelpin reads")
  func fields() throws {
    let lab = try Lab(keys: keyRings[0].value, clock: Timestamp(secondsSince1970: 1_767_225_600))
    let leaf = try lab.leaf(names: ["a.test"])
    var recipe = OCSPResponseRecipe(leaf, issuedBy: lab.intermediate, .revoked(.days(-2), .superseded))
    recipe.producedAt = .seconds(-5)
    recipe.answers[0].thisUpdate = .seconds(-4)
    recipe.answers[0].nextUpdate = nil
    let response = try OCSPResponse(der: lab.ocspResponse(recipe, by: lab.intermediate))
    #expect(response.status == .successful)
    #expect(response.producedAt == lab.clock.advanced(by: -5))
    #expect(response.answers.map(\.status) == [.revoked(lab.clock.advanced(byDays: -2), .superseded)])
    #expect(response.answers.map(\.thisUpdate) == [lab.clock.advanced(by: -4)])
    #expect(response.answers.map(\.nextUpdate) == [nil])
    #expect(response.answers.map { Array($0.serialNumber) } == [leaf.serialNumber])
  }

  @Test("a delegate signs, a stranger does not", ExternalTool.openssl.required, arguments: keyRings)
  func signers(_ ring: Named<KeyRing>) throws {
    let lab = try Lab(keys: ring.value)
    let leaf = try lab.leaf(names: ["a.test"])
    let delegate = try lab.issue(.ocspResponder(), by: lab.intermediate)
    var recipe = OCSPResponseRecipe(leaf, issuedBy: lab.intermediate)
    recipe.certificates = [delegate.der]
    recipe.responderID = .key
    let right = try openssl(recipe, by: delegate, about: leaf, lab)
    #expect(right.text.contains("Response verify OK"), "\(right.text)")
    let other = try lab.issue(.leaf(["other.test"]), by: lab.intermediate)
    recipe.certificates = [other.der]
    let wrong = try openssl(recipe, by: other, about: leaf, lab)
    #expect(wrong.text.contains("Response Verify Failure"), "\(wrong.text)")
    recipe = OCSPResponseRecipe(leaf, issuedBy: lab.intermediate).with { $0.faults = [.flipSignatureBit] }
    let broken = try openssl(recipe, by: lab.intermediate, about: leaf, lab)
    #expect(broken.text.contains("Response Verify Failure"), "\(broken.text)")
  }

  @Test("the nonce, and the responder's name", ExternalTool.openssl.required)
  func nonce() throws {
    let lab = try labs()[0].value
    let leaf = try lab.leaf(names: ["a.test"])
    var recipe = OCSPResponseRecipe(leaf, issuedBy: lab.intermediate)
    recipe.nonce = [0xAB, 0xCD]
    recipe.responderID = .name("Somebody")
    let text = try openssl(recipe, by: lab.intermediate, about: leaf, lab).phrase
    #expect(text.contains("OCSP Nonce: 0402ABCD"), "\(text)")
    #expect(text.contains("Responder Id: CN = Somebody"), "\(text)")
  }

  @Test(
    "a responder that does not answer",
    arguments: [
      OCSPResponse.Status.malformedRequest, .internalError, .tryLater, .sigRequired, .unauthorized,
    ])
  func failures(_ status: OCSPResponse.Status) throws {
    let lab = try labs()[0].value
    let response = try OCSPResponse(der: lab.ocspResponse(OCSPResponseRecipe(failure: status), by: lab.root))
    #expect(response.status == status && response.answers.isEmpty)
  }

  @Test("a response that is cut short is none")
  func malformed() throws {
    let lab = try labs()[0].value
    let leaf = try lab.leaf(names: ["a.test"])
    let recipe = OCSPResponseRecipe(leaf, issuedBy: lab.intermediate).with {
      $0.faults = [.rewrite { Array($0.dropLast()) }]
    }
    #expect(throws: RevocationEvidenceError.self) { try OCSPResponse(der: lab.ocspResponse(recipe, by: lab.root)) }
  }
}
