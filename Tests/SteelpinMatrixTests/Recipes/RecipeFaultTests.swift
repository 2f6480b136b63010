// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinMatrix
import SteelpinTestSupport
import Testing

@Suite("recipes: faults")
struct RecipeFaultTests {
  private func check(_ leaf: IssuedCertificate, _ lab: Lab) throws -> [SignatureCheck] {
    let (leaf, issuer) = (try leaf.certificate, try lab.intermediate.certificate)
    return try trustBackends().map {
      try $0.check(
        signature: leaf.signature, algorithm: leaf.signatureAlgorithm, over: leaf.tbsCertificate,
        by: issuer.publicKey)
    }
  }

  @Test("a signature without faults is right", arguments: try labs())
  func none(_ lab: Named<Lab>) throws {
    #expect(try check(lab.value.leaf(names: ["a.test"]), lab.value).allSatisfy { $0 == .valid })
  }

  @Test("a bit of the signature is wrong", arguments: try labs())
  func signatureBit(_ lab: Named<Lab>) throws {
    let leaf = try lab.value.leaf(names: ["a.test"]) { $0.faults = [.flipSignatureBit] }
    #expect(try check(leaf, lab.value).allSatisfy { $0 != .valid })
    let replaced = try lab.value.leaf(names: ["a.test"]) { $0.faults = [.signature([1, 2, 3])] }
    #expect(try replaced.certificate.signature == [1, 2, 3])
  }

  @Test("the algorithms inside and outside differ")
  func algorithms() throws {
    let lab = try labs()[0].value
    let inner = try lab.leaf(names: ["a.test"]) { $0.faults = [.innerAlgorithm(.ecdsa(.sha512))] }.certificate
    #expect(inner.tbsSignatureAlgorithm.algorithm == .ecdsaWithSHA512)
    #expect(inner.signatureAlgorithm.algorithm == .ecdsaWithSHA256)
    let outer = try lab.leaf(names: ["a.test"]) { $0.faults = [.outerAlgorithm(.rsaPSS(.sha384))] }.certificate
    #expect(outer.tbsSignatureAlgorithm.algorithm == .ecdsaWithSHA256)
    #expect(RSAPSSParameters(outer.signatureAlgorithm)?.hash == .sha384)
  }

  @Test("a change of the signed part leaves the signature right, one of the whole does not", arguments: try labs())
  func patches(_ lab: Named<Lab>) throws {
    // The serial number is the second field of TBSCertificate, which is the first of the whole.
    let signed = try lab.value.leaf(names: ["a.test"]) {
      $0.faults = [.patchSigned(DERPatch(at: [1], .setContent([42])))]
    }
    #expect(try signed.certificate.serialNumber == [42])
    #expect(try check(signed, lab.value).allSatisfy { $0 == .valid })
    let whole = try lab.value.leaf(names: ["a.test"]) {
      $0.faults = [.patch(DERPatch(at: [0, 1], .setContent([42])))]
    }
    #expect(try whole.certificate.serialNumber == [42])
    #expect(try check(whole, lab.value).allSatisfy { $0 != .valid })
  }

  @Test("any bytes can be rewritten")
  func rewriting() throws {
    let lab = try labs()[0].value
    let appended = try lab.leaf(names: ["a.test"]) { $0.faults = [.append([0])] }
    #expect(throws: CertificateError.self) { try appended.certificate }
    let truncated = try lab.leaf(names: ["a.test"]) { $0.faults = [.rewrite { Array($0.dropLast()) }] }
    #expect(throws: CertificateError.self) { try truncated.certificate }
    let signed = try lab.leaf(names: ["a.test"]) { $0.faults = [.rewriteSigned { $0 + [5, 0] }] }
    #expect(throws: CertificateError.self) { try signed.certificate }
  }

  @Test("a patch that finds nothing is an error", arguments: [[99], [-1], [0, 0, 0, 0], [1, 0, 0, 0]])
  func nothing(path: [Int]) throws {
    let lab = try labs()[0].value
    #expect(throws: RecipeError.noElement(path: path)) {
      try lab.leaf(names: ["a.test"]) { $0.faults = [.patchSigned(DERPatch(at: path, .remove))] }
    }
  }

  @Test(
    "patches make the lengths around them right",
    arguments: [
      (DERPatch.Change.remove, "3003020102"), (.flipLastBit, "3006020100020102"), (.setTag(0x0A), "30060a0101020102"),
      (.replace([5, 0]), "30050500020102"), (.setContent([1, 2]), "300702020102020102"),
      (.append([5, 0]), "30080201010500020102"), (.prepend([5, 0]), "30080500020101020102"),
    ])
  func changes(_ change: DERPatch.Change, _ expected: String) throws {
    let der = DER.sequence(DER.integer(1), DER.integer(2))
    #expect(Hex.encode(try DERPatch(at: [0], change).applied(to: der)) == expected)
  }

  @Test("a path goes through strings that hold DER")
  func strings() throws {
    let inner = DER.sequence(DER.integer(1))
    let patch = DERPatch(at: [0, 0, 0], .setContent([2]))
    let changed = DER.sequence(DER.integer(2))
    #expect(
      try patch.applied(to: DER.sequence(DER.octetString(inner))) == DER.sequence(DER.octetString(changed)))
    #expect(try patch.applied(to: DER.sequence(DER.bitString(inner))) == DER.sequence(DER.bitString(changed)))
  }
}
