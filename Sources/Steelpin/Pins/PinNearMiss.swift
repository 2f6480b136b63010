// SPDX-License-Identifier: Apache-2.0

/// A likely reason why a configured pin was not met.
public struct PinNearMiss: Sendable, Hashable, Codable {
  /// The kinds of mistake that can be recognised.
  @nonexhaustive
  public enum Kind: String, Sendable, Hashable, Codable {
    /// The pin is the fingerprint of a certificate of the path, where the hash of its key is wanted.
    case certificateHash = "certificate-hash"
    /// The pin is the SHA-256 of no bytes at all: the command that should have hashed the key got no input.
    case hashOfNothing = "hash-of-nothing"
    /// The pin is the SHA-256 of the bare key without its algorithm.
    case keyWithoutAlgorithm = "key-without-algorithm"
    /// The pin belongs to a certificate that the server sent but that is on no acceptable path.
    case notOnPath = "not-on-path"
    /// The pin belongs to a certificate of the path outside the scope of the policy.
    case outsideScope = "outside-scope"
    /// The pin is the hash of a key of the path, where a certificate's fingerprint is wanted.
    case publicKeyHash = "public-key-hash"
  }

  /// The pin as configured.
  public let pin: Pin
  /// What seems to have happened.
  public let kind: Kind
  /// The certificate that it is about: its depth on the path, or its place in the list that was sent; nil if none.
  public let index: Int?
  /// What the pin should have been; nil if that cannot be told.
  public let suggestion: Pin?
}

extension PinNearMiss {
  /// Looks for the usual mistakes in pins of which none is met by the path within the scope.
  static func find(
    _ pins: [Pin], path: [Certificate], sent: [Certificate], scope: TrustPolicy.PinScope
  ) -> [PinNearMiss] {
    pins.flatMap { pin -> [PinNearMiss] in
      if pin.digest == SHA256Digest(of: []) {
        return [PinNearMiss(pin: pin, kind: .hashOfNothing, index: nil, suggestion: nil)]
      }
      let onPath = path.enumerated().compactMap { depth, certificate in
        nearMiss(pin, certificate, depth: depth, scope: scope)
      }
      guard onPath.isEmpty else { return onPath }
      return sent.enumerated().compactMap { index, certificate in
        guard !path.contains(certificate), pin.matches(certificate) else { return nil }
        return PinNearMiss(pin: pin, kind: .notOnPath, index: index, suggestion: nil)
      }
    }
  }

  private static func nearMiss(
    _ pin: Pin, _ certificate: Certificate, depth: Int, scope: TrustPolicy.PinScope
  ) -> PinNearMiss? {
    let other: Pin.Subject = pin.subject == .publicKey ? .certificate : .publicKey
    let suggestion = Pin(pin.subject, of: certificate)
    if pin.matches(certificate) {
      return PinNearMiss(pin: pin, kind: .outsideScope, index: depth, suggestion: nil)
    }
    if Pin(other, of: certificate).digest == pin.digest {
      let kind = pin.subject == .publicKey ? Kind.certificateHash : .publicKeyHash
      return PinNearMiss(
        pin: pin, kind: kind, index: depth, suggestion: scope.contains(depth: depth) ? suggestion : nil)
    }
    if pin.subject == .publicKey, SHA256Digest(of: certificate.publicKey.key) == pin.digest {
      return PinNearMiss(pin: pin, kind: .keyWithoutAlgorithm, index: depth, suggestion: suggestion)
    }
    return nil
  }
}
