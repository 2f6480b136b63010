// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinTestSupport
import Testing

/// Who may sign a list (RFC 5280 6.3.3 (f)).
@Suite("signers of revocation lists") struct ListSignerTests {
  let root: Authority
  let intermediate: Authority
  let leaf: Authority

  init() throws {
    root = try Authority.root("root")
    intermediate = try root.issue("intermediate", serial: 3, .init(isCA: true))
    leaf = try intermediate.issue("leaf", serial: 7)
  }

  /// Judges the leaf alone by lists of the intermediate's name and one of the root.
  private func judge(
    _ lists: [CertificateRevocationList], signers: [Authority] = [], listed: Int...,
    profile: TrustPolicy.Profile = .rfc5280
  ) throws -> Verdict {
    var ofRoot = ListRecipe()
    ofRoot.entries = listed.map { .init(serial: $0) }
    let evidence = RevocationEvidence(
      lists: lists + [try ofRoot.list(by: root)], certificates: signers.map(\.certificate))
    return try judgeRevocation([leaf, intermediate], evidence, anchor: root, profile: profile)
  }

  @Test("another key of the issuer's name, certified by the same anchor") func separateKey() throws {
    let signer = try root.issue("intermediate", serial: 4, .init(usage: [6]))
    #expect(try judge([ListRecipe().list(by: signer)], signers: [signer]).isTrusted)
    #expect(try judge([ListRecipe(7).list(by: signer)], signers: [signer]).errorCodes == ["revoked@0"])
    let unknown = try judge([ListRecipe().list(by: signer)])
    #expect(unknown.errorCodes == ["crl-signature-invalid@0", "revocation-unknown@0"])
  }

  @Test("a signer that is revoked itself signs nothing") func revokedSigner() throws {
    let signer = try root.issue("intermediate", serial: 4, .init(usage: [6]))
    let verdict = try judge([ListRecipe().list(by: signer)], signers: [signer], listed: 4)
    #expect(verdict.errorCodes == ["crl-issuer-untrusted@0", "revocation-unknown@0"], "\(verdict.findings)")
  }

  @Test("a signer cannot vouch for itself") func circular() throws {
    let signer = try intermediate.issue("intermediate", serial: 4, .init(usage: [6]))
    let verdict = try judge([ListRecipe().list(by: signer)], signers: [signer])
    #expect(verdict.errorCodes.contains("revocation-unknown@0"), "\(verdict.findings)")
  }

  @Test("a signer vouches for itself if its issuer delegated that to it") func delegatedToItself() throws {
    let points = ListRecipe.points((ListRecipe.directory("part 1"), nil, "lists"))
    let signer = try intermediate.issue("lists", serial: 4, .init(usage: [6], others: [points]))
    let leaf = try intermediate.issue("leaf", serial: 7, .init(others: [points]))
    for (serial, isGood) in [(9, true), (7, false), (4, false)] {
      var recipe = ListRecipe()
      recipe.scope = .init(point: ListRecipe.directory("part 1"), isIndirect: true)
      recipe.entries = [.init(serial: serial, issuer: "intermediate")]
      let evidence = RevocationEvidence(
        lists: [try recipe.list(by: signer), try ListRecipe().list(by: root)], certificates: [signer.certificate])
      let verdict = try judgeRevocation([leaf, intermediate], evidence, anchor: root)
      #expect(verdict.isTrusted == isGood, "\(verdict.findings)")
    }
  }

  @Test("a self-issued signer whose own status another list tells") func selfIssued() throws {
    let point = ListRecipe.url("http://crl.steelpin.test/keys")
    let signer = try intermediate.issue(
      "intermediate", serial: 4, .init(usage: [6], others: [ListRecipe.points((point, nil, nil))]))
    var keys = ListRecipe()
    keys.scope = .init(point: point)
    let lists = [try ListRecipe().list(by: signer), try keys.list(by: intermediate)]
    #expect(try judge(lists, signers: [signer]).isTrusted)
    keys.entries = [.init(serial: 4)]
    let revoked = [try ListRecipe().list(by: signer), try keys.list(by: intermediate)]
    #expect(try !judge(revoked, signers: [signer]).isTrusted)
  }

  @Test("a key usage without cRLSign") func keyUsage() throws {
    let signer = try root.issue("intermediate", serial: 4, .init(isCA: true, usage: [5]))
    let verdict = try judge([ListRecipe(7).list(by: signer)], signers: [signer])
    #expect(verdict.errorCodes == ["crl-issuer-untrusted@0", "revocation-unknown@0"])
  }

  @Test("a signer below another anchor") func otherAnchor() throws {
    let signer = try Authority.root("other").issue("intermediate", serial: 4, .init(isCA: true))
    let verdict = try judge([ListRecipe().list(by: signer)], signers: [signer])
    #expect(verdict.errorCodes == ["crl-issuer-untrusted@0", "revocation-unknown@0"])
  }

  @Test("a signer whose certificate has expired") func expiredSigner() throws {
    let signer = try root.issue("intermediate", serial: 4, .init(isCA: true), days: -100 ... -1)
    let verdict = try judge([ListRecipe().list(by: signer)], signers: [signer])
    #expect(verdict.errorCodes == ["crl-issuer-untrusted@0", "revocation-unknown@0"])
  }

  @Test("a signature over other bytes") func forged() throws {
    var der = try ListRecipe().der(by: intermediate)
    // The last octet of the date of the next update.
    let index = try #require(der.lastIndex(of: UInt8(ascii: "Z")))
    der[index - 1] ^= 1
    let verdict = try judge([CertificateRevocationList(der: der)])
    #expect(verdict.errorCodes == ["crl-signature-invalid@0", "revocation-unknown@0"])
  }
}
