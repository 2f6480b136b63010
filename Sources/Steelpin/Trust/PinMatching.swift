// SPDX-License-Identifier: Apache-2.0

extension TrustPolicy.Pinning {
  /// Where pins may be met.
  var scope: TrustPolicy.PinScope {
    switch self {
    case .certificates(_, let scope), .pins(_, let scope): scope
    case .leafData:
      #if STEELPIN_MUTATIONS
        Mutation.leafDataAnywhere.isOn ? .any : .leaf
      #else
        .leaf
      #endif
    case .none: .any
    }
  }

  /// The pins, certificates as the pins of their fingerprints; nil if there is no pinning.
  var configured: [Pin]? {
    switch self {
    case .certificates(let certificates, _), .leafData(let certificates):
      certificates.map { Pin(.certificate, of: $0) }
    case .none: nil
    case .pins(let set, _): set.pins
    }
  }

  /// The pin that a certificate of the path meets within the scope, nearest to the leaf; nil if none does.
  func match(on path: [Certificate]) -> PinMatch? {
    for (depth, certificate) in path.enumerated() where scope.contains(depth: depth) {
      if let pin = pin(for: certificate) { return PinMatch(pin: pin, depth: depth) }
    }
    return nil
  }

  private func pin(for certificate: Certificate) -> Pin? {
    switch self {
    case .certificates(let certificates, _), .leafData(let certificates):
      #if STEELPIN_MUTATIONS
        if Mutation.pinByKey.isOn,
          certificates.contains(where: { $0.publicKey.encoded == certificate.publicKey.encoded })
        {
          return Pin(.certificate, of: certificate)
        }
      #endif
      return certificates.contains(certificate) ? Pin(.certificate, of: certificate) : nil
    case .none: return nil
    case .pins(let set, _): return set.match(for: certificate)
    }
  }
}
