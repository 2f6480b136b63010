// SPDX-License-Identifier: Apache-2.0

extension AlgorithmIdentifier {
  /// Whether this names a signature algorithm in use, and one that a key of that kind makes.
  ///
  /// Libraries draw the line between a signature that is false and one that they cannot check at different places; this
  /// draws it once, so that both give the same code for the same bytes.
  func isMade(by key: PublicKeyInfo) -> Bool {
    switch (algorithm, key.kind) {
    case (.md5WithRSA, .rsa), (.sha1WithRSA, .rsa), (.sha224WithRSA, .rsa), (.sha256WithRSA, .rsa),
      (.sha384WithRSA, .rsa), (.sha512WithRSA, .rsa):
      true
    case (.rsaPSS, .rsa), (.rsaPSS, .rsaPSS): RSAPSSParameters(self).map { Self.hashesOfPSS.contains($0.hash) } ?? false
    case (.ecdsaWithSHA1, .ec(let curve?)), (.ecdsaWithSHA224, .ec(let curve?)), (.ecdsaWithSHA256, .ec(let curve?)),
      (.ecdsaWithSHA384, .ec(let curve?)), (.ecdsaWithSHA512, .ec(let curve?)):
      Self.curves.contains(curve) && key.isUncompressed
    case (.dsaWithSHA1, .dsa), (.dsaWithSHA256, .dsa): true
    case (.ed25519, .ed25519), (.ed448, .ed448): true
    default: false
    }
  }

  private static let hashesOfPSS: [OID] = [.sha256, .sha384, .sha512]
  private static let curves: [OID] = [.p192, .p224, .p256, .p384, .p521]
}
