// SPDX-License-Identifier: Apache-2.0

/// The working public keys of RFC 5280 6.1.4 (d) to (f): a DSA key without parameters has those of its issuer (RFC 3279
/// 2.3.2). Every other key is as its certificate has it.
extension Array<Certificate> {
  /// The key of the certificate at a depth of this path, leaf first.
  package func workingKey(at depth: Int) -> PublicKeyInfo { inheritedKey(at: depth) ?? self[depth].publicKey }

  /// The key of the certificate at a depth if its parameters are those of an issuer; nil for any other key.
  package func inheritedKey(at depth: Int) -> PublicKeyInfo? {
    let own = self[depth].publicKey
    guard own.lacksParameters else { return nil }
    for issuer in self[(depth + 1)...].map(\.publicKey) {
      guard issuer.algorithm.algorithm == .dsa else { return nil }
      if !issuer.lacksParameters { return own.with(parameters: issuer.algorithm.parameters) }
    }
    return nil
  }

  /// Whether any issuer's key needs parameters from above, which libraries do not provide.
  package var inheritsParameters: Bool { dropFirst().contains { $0.publicKey.lacksParameters } }

  /// Whether an issuer below the anchor has its own name as that of its issuer: a key that the same authority certified
  /// with an older one. OpenSSL takes it for self-signed if it has no key identifiers, and GnuTLS counts it in path
  /// lengths, against RFC 5280 4.2.1.9.
  package var hasSelfIssuedIntermediate: Bool { dropFirst().dropLast().contains(where: \.isSelfIssued) }

  /// Whether some certificate spells the name of its issuer otherwise than that itself does. Libraries compare names byte
  /// for byte, or by rules of their own, not by RFC 5280 7.1.
  package var hasNamesOfSeveralSpellings: Bool {
    zip(self, dropFirst()).contains { $0.issuer.encoded != $1.subject.encoded }
  }
}

extension PublicKeyInfo {
  fileprivate var lacksParameters: Bool { algorithm.algorithm == .dsa && algorithm.parameters.count <= 2 }

  fileprivate func with(parameters: ArraySlice<UInt8>) -> PublicKeyInfo? {
    let algorithm = DER.sequence(DER.objectIdentifier(algorithm.algorithm), Array(parameters))
    return try? PublicKeyInfo(der: DER.sequence(algorithm, DER.bitString(key)))
  }
}

extension TrustBackend {
  /// Proves a path by the signatures of its certificates alone, each by the working key of the next; what else there is
  /// to say about it is for our rules. For paths about which a library as a whole is wrong.
  package func proveSignatures(of path: [Certificate]) throws(BackendError) -> PathProof {
    for depth in path.indices.dropLast() {
      let subject = path[depth]
      let check = try check(
        signature: subject.signature, algorithm: subject.signatureAlgorithm, over: subject.tbsCertificate,
        by: path.workingKey(at: depth + 1))
      switch check {
      case .valid: continue
      case .invalid(let codes), .unsupported(let codes): return .refused(codes)
      }
    }
    return .proved
  }
}
