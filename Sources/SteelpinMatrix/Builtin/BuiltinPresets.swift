// SPDX-License-Identifier: Apache-2.0
internal import Steelpin

extension MatrixWorld {
  /// The presets with the leaf pinned, whose expectation is what the emulated system's documentation says.
  func presets(_ leaf: Certificate) -> [MatrixPolicy] {
    func demand(
      _ anchors: [Certificate]?, _ domain: TrustPolicy.DomainValidation = .ssl,
      _ pinned: MatrixDemand.Pinned = .nothing, _ profile: TrustPolicy.Profile = .apple
    ) -> MatrixExpectation {
      .demand(MatrixDemand(anchors: anchors, domain, pinned: pinned, profile: profile))
    }
    let system = [root]
    let rows: [(String, any PolicySource, MatrixExpectation)] = [
      ("afnetworking", AFNetworkingPreset(), demand(system)),
      (
        "afnetworking, allow invalid", AFNetworkingPreset(allowInvalidCertificates: true),
        .refused(.policyContradiction)
      ),
      (
        "afnetworking, allow invalid, no domain",
        AFNetworkingPreset(allowInvalidCertificates: true, validatesDomainName: false), demand(nil)
      ),
      (
        "afnetworking certificate", AFNetworkingPreset(mode: .certificate, pinnedCertificates: [leaf]),
        .all([demand(system), demand([leaf])])
      ),
      (
        "afnetworking certificate, allow invalid",
        AFNetworkingPreset(mode: .certificate, allowInvalidCertificates: true, pinnedCertificates: [leaf]),
        demand([leaf])
      ),
      (
        "afnetworking key, allow invalid",
        AFNetworkingPreset(mode: .publicKey, allowInvalidCertificates: true, pinnedCertificates: [leaf]),
        demand(nil, .basicX509, .leafKey(leaf))
      ),
      ("alamofire default", AlamofirePreset(.default()), demand(system)),
      ("alamofire default, any host", AlamofirePreset(.default(validateHost: false)), demand(system, .sslAnyHost)),
      (
        "alamofire certificates", AlamofirePreset(.pinnedCertificates([leaf])), demand(system, .ssl, .leafData(leaf))
      ),
      (
        "alamofire certificates, self-signed",
        AlamofirePreset(.pinnedCertificates([leaf], acceptSelfSigned: true)), demand([leaf])
      ),
      ("alamofire disabled", AlamofirePreset(.disabled), demand(nil)),
      ("pitaya", PitayaPreset(leaf: leaf), demand(nil, .basicX509, .leafData(leaf))),
      ("pitaya, wrong leaf", PitayaPreset(leaf: stranger), demand(nil, .basicX509, .leafData(stranger))),
      (
        "curl", CurlPreset(pinnedPublicKeys: PinSet([Pin(.publicKey, of: leaf)])),
        demand(system, .ssl, .leafKey(leaf), .standard)
      ),
      (
        "curl, insecure", CurlPreset(isInsecure: true, pinnedPublicKeys: PinSet([Pin(.publicKey, of: leaf)])),
        demand(nil, .ssl, .leafKey(leaf))
      ),
    ]
    return rows.map {
      MatrixPolicy(name: MatrixPolicyName($0.0, isPreset: true), source: $0.1, expectation: $0.2, injected: nil)
    }
  }
}
