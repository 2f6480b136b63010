// SPDX-License-Identifier: Apache-2.0

extension SignatureAlgorithm {
  /// The AlgorithmIdentifier that a certificate, a list or a request names, DER.
  package var identifier: [UInt8] {
    switch self {
    // RFC 5758 3.2 and RFC 8410 3: no parameters at all.
    case .ecdsa(.sha1): Self.identifier(.ecdsaWithSHA1)
    case .ecdsa(.sha256): Self.identifier(.ecdsaWithSHA256)
    case .ecdsa(.sha384): Self.identifier(.ecdsaWithSHA384)
    case .ecdsa(.sha512): Self.identifier(.ecdsaWithSHA512)
    case .ed25519: Self.identifier(.ed25519)
    case .ed448: Self.identifier(.ed448)
    // RFC 4055 5: the parameters are NULL.
    case .rsaPKCS1(.sha1): Self.identifier(.sha1WithRSA, DER.null)
    case .rsaPKCS1(.sha256): Self.identifier(.sha256WithRSA, DER.null)
    case .rsaPKCS1(.sha384): Self.identifier(.sha384WithRSA, DER.null)
    case .rsaPKCS1(.sha512): Self.identifier(.sha512WithRSA, DER.null)
    case .rsaPSS(let hash): Self.identifier(.rsaPSS, Self.parametersOfPSS(hash))
    }
  }

  /// The usual algorithm of a kind of key: SHA-256, or the hash that fits the curve; nil for a key that cannot sign here.
  package init?(usualFor key: PublicKeyKind) {
    switch key {
    case .ec(curve: .some(.p384)): self = .ecdsa(.sha384)
    case .ec(curve: .some(.p521)): self = .ecdsa(.sha512)
    case .ec: self = .ecdsa(.sha256)
    case .ed25519: self = .ed25519
    case .ed448: self = .ed448
    case .rsa: self = .rsaPKCS1(.sha256)
    case .rsaPSS: self = .rsaPSS(.sha256)
    case .dsa, .other: return nil
    }
  }

  /// RSASSA-PSS-params (RFC 4055 3.1). SHA-1 throughout is the default of every field, which DER leaves out.
  private static func parametersOfPSS(_ hash: SignatureHash) -> [UInt8] {
    let (oid, saltLength): (OID, Int)
    switch hash {
    case .sha1: return DER.sequence([])
    case .sha256: (oid, saltLength) = (.sha256, 32)
    case .sha384: (oid, saltLength) = (.sha384, 48)
    case .sha512: (oid, saltLength) = (.sha512, 64)
    }
    let identifier = identifier(oid, DER.null)
    return DER.sequence(
      DER.explicit(0, identifier), DER.explicit(1, Self.identifier(.mgf1, identifier)),
      DER.explicit(2, DER.integer(saltLength)))
  }

  private static func identifier(_ oid: OID, _ parameters: [UInt8] = []) -> [UInt8] {
    DER.sequence(DER.objectIdentifier(oid), parameters)
  }
}
