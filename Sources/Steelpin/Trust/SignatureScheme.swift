// SPDX-License-Identifier: Apache-2.0

/// Which signatures count at all. Libraries know different algorithms, some of them long broken, under several names,
/// and draw the line between a signature that is false and one that they cannot check at different places; this draws it
/// once, so that all give the same code for the same bytes. What is not listed is refused.
extension AlgorithmIdentifier {
  /// Whether this names a signature algorithm in use, and one that a key of that kind makes.
  func isMade(by key: PublicKeyInfo) -> Bool {
    guard isInUse, key.isInUse else { return false }
    return switch (algorithm, key.kind) {
    case (.rsaPSS, .rsa), (.rsaPSS, .rsaPSS): true
    case (_, .rsa): Self.pkcs1.contains(algorithm)
    case (_, .ec): Self.ecdsa.contains(algorithm)
    case (_, .dsa): Self.dsa.contains(algorithm)
    case (.ed25519, .ed25519), (.ed448, .ed448): true
    default: false
    }
  }

  /// Whether this names a signature algorithm in use, with parameters as its standard gives them (RFC 4055 5, RFC 5758 3,
  /// RFC 8410 3).
  var isInUse: Bool {
    if Self.pkcs1.contains(algorithm) { return parameters.isEmpty || parameters.elementsEqual(DER.null) }
    if algorithm == .rsaPSS {
      guard let parameters = RSAPSSParameters(self) else { return false }
      return parameters.hash == parameters.maskHash && Self.hashesOfPSS[parameters.hash] != nil
    }
    return Self.ecdsa.contains(algorithm) || Self.dsa.contains(algorithm) || algorithm == .ed25519
      || algorithm == .ed448
  }

  /// Whether octets may be a signature: there are some, and those of ECDSA are the DER of two positive numbers (RFC 3279
  /// 2.2.3).
  func allows(_ signature: ArraySlice<UInt8>) -> Bool {
    guard Self.ecdsa.contains(algorithm) else { return !signature.isEmpty }
    do {
      var numbers = try DERReader.single(signature, .sequence).reader()
      let first = try numbers.read(.integer).integer()
      let second = try numbers.read(.integer).integer()
      try numbers.finish()
      return [first, second].allSatisfy { $0.first.map { $0 < 0x80 } ?? false }
    } catch {
      return false
    }
  }

  /// Whether this is RSASSA-PSS with a salt of another length than the digest's, which RFC 4055 3.1 allows.
  package var hasUnusualSalt: Bool {
    guard algorithm == .rsaPSS, let parameters = RSAPSSParameters(self) else { return false }
    return parameters.saltLength != Self.hashesOfPSS[parameters.hash]
  }

  private static let ecdsa: Set<OID> = [
    .ecdsaWithSHA1, .ecdsaWithSHA224, .ecdsaWithSHA256, .ecdsaWithSHA384, .ecdsaWithSHA512,
  ]
  private static let pkcs1: Set<OID> = [
    .md5WithRSA, .sha1WithRSA, .sha224WithRSA, .sha256WithRSA, .sha384WithRSA, .sha512WithRSA,
  ]
  private static let dsa: Set<OID> = [.dsaWithSHA1, .dsaWithSHA256]
  /// The hashes of PSS with the octets of their digests.
  private static let hashesOfPSS: [OID: Int] = [.sha256: 32, .sha384: 48, .sha512: 64]
}

extension PublicKeyInfo {
  /// Whether every library checks signatures with such a key.
  var isInUse: Bool {
    switch kind {
    case .ec(let curve?): Self.coordinates[curve] != nil && isWellFormed
    case .ec(curve: nil), .other: false
    case .dsa, .ed25519, .ed448, .rsa, .rsaPSS: isWellFormed
    }
  }

  /// Whether the octets of the key are what its algorithm makes them (RFC 3279 2.3.1, RFC 5480 2.2, RFC 8410 4), of a size
  /// that every library reads. Of a point, RFC 5480 forbids the hybrid form and leaves it to each library whether it reads
  /// the compressed one. Of other kinds nothing is said.
  var isWellFormed: Bool {
    switch kind {
    case .rsa(let bits), .rsaPSS(let bits):
      bits.map { $0 <= 16384 } == true && rsaExponent.map { $0.count <= 8 } == true
    case .ec(let curve?):
      key.first == 0x04 && Self.coordinates[curve].map { key.count == 1 + 2 * $0 } != false
    case .ed25519: algorithm.parameters.isEmpty && key.count == 32
    case .ed448: algorithm.parameters.isEmpty && key.count == 57
    case .dsa, .ec(curve: nil), .other: true
    }
  }

  /// The curves that every library knows, with the octets of a coordinate.
  private static let coordinates: [OID: Int] = [.p192: 24, .p224: 28, .p256: 32, .p384: 48, .p521: 66]
}

extension Certificate {
  /// Whether the octets of the signature are none, whatever a library makes of them.
  var hasMalformedSignature: Bool { !signatureAlgorithm.allows(signature) }
}
