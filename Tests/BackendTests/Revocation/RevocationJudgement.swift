// SPDX-License-Identifier: Apache-2.0
import Steelpin
import Testing

/// Judges the revocation of a path by plain X.509 with every backend at the clock of the fixtures.
func judgeRevocation(
  _ path: [Authority], _ evidence: RevocationEvidence, anchor: Authority,
  _ policy: RevocationPolicy = RevocationPolicy(.crl, failure: .hard, scope: .leaf),
  profile: TrustPolicy.Profile = .rfc5280, time: Timestamp = Authority.clock,
  sourceLocation: SourceLocation = #_sourceLocation
) throws -> Verdict {
  var chain = CertificateChain(path.map(\.certificate))
  chain.evidence = evidence
  return try judge(
    chain, host: nil,
    TrustPolicy(
      anchors: .only(AnchorSet([anchor.certificate])), domain: .basicX509, profile: profile, revocation: policy,
      time: time), sourceLocation: sourceLocation)
}
