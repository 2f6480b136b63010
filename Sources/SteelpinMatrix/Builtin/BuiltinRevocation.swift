// SPDX-License-Identifier: Apache-2.0
internal import Steelpin

extension MatrixWorld {
  /// Scenarios about revocation: right chains, and what is at hand about them.
  func revocation() throws -> [MatrixScenario] {
    let issued = try lab.issue(.leaf([.dns(Self.host)]), by: lab.intermediate)
    let strict = try lab.issue(
      CertificateRecipe.leaf([.dns(Self.host)]).with { $0.setExtension(.mustStaple) }, by: lab.intermediate)
    func list(
      _ entries: [RevocationEntryRecipe], by issuer: IssuedCertificate,
      _ change: (inout RevocationListRecipe) -> Void = { _ in }
    ) throws -> CertificateRevocationList {
      try CertificateRevocationList(
        der: lab.revocationList(RevocationListRecipe.complete(entries).with(change), by: issuer))
    }
    func scenario(
      _ name: String, _ clause: String, _ evidence: RevocationEvidence,
      _ revocation: [MatrixDemand.Revocation: [FindingCode]], leaf: IssuedCertificate? = nil
    ) throws -> MatrixScenario {
      var scenario = usual(name, clause, try (leaf ?? issued).certificate)
      scenario.evidence = evidence
      scenario.revocation = revocation
      scenario.isBrief = true
      return scenario
    }
    let above = try list([], by: lab.root)
    let good = try list([], by: lab.intermediate)
    let bad = try list([RevocationEntryRecipe(issued, reason: .keyCompromise)], by: lab.intermediate)
    let badCA = try list([RevocationEntryRecipe(lab.intermediate)], by: lab.root)
    let old = try list([], by: lab.intermediate) {
      $0.thisUpdate = .days(-30)
      $0.nextUpdate = .days(-20)
    }
    let forged = try list([], by: lab.intermediate) { $0.faults = [.flipSignatureBit] }
    func staple(_ status: OCSPStatusRecipe, _ leaf: IssuedCertificate) throws -> RevocationEvidence {
      let response = OCSPResponseRecipe(leaf, issuedBy: lab.intermediate, status)
      return RevocationEvidence(staple: .response(try lab.ocspResponse(response, by: lab.intermediate)))
    }
    let noErrors: [MatrixDemand.Revocation: [FindingCode]] = [.listsHard: [], .listsSoft: []]
    let unknown: [MatrixDemand.Revocation: [FindingCode]] = [.listsHard: [.revocationUnknown], .listsSoft: []]
    let revoked: [MatrixDemand.Revocation: [FindingCode]] = [.listsHard: [.revoked], .listsSoft: [.revoked]]
    return [
      try scenario("not revoked", "RFC 5280 6.3", RevocationEvidence(lists: [good, above]), noErrors),
      try scenario("revoked", "RFC 5280 6.3", RevocationEvidence(lists: [bad, above]), revoked),
      try scenario("revoked CA", "RFC 5280 6.3", RevocationEvidence(lists: [good, badCA]), revoked),
      try scenario("list out of date", "RFC 5280 6.3.3 (a)", RevocationEvidence(lists: [old, above]), unknown),
      try scenario("forged list", "RFC 5280 6.3.3 (g)", RevocationEvidence(lists: [forged, above]), unknown),
      try scenario("staple that is good", "RFC 6066 8", staple(.good, strict), [.staple: []], leaf: strict),
      try scenario("staple that revokes", "RFC 6066 8", staple(.revoked, issued), [.staple: [.revoked]]),
      try scenario(
        "must-staple without a staple", "RFC 7633 4.3.1", RevocationEvidence(staple: .notSent),
        [.staple: [.stapleMissing]], leaf: strict),
    ]
  }
}
