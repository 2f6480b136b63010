// SPDX-License-Identifier: Apache-2.0
internal import Steelpin

/// Writes extensions in the context that some of them repeat: the subject's key and the issuer.
struct ExtensionWriter {
  /// The SubjectPublicKeyInfo of the subject, DER; empty where there is none.
  var subjectPublicKeyInfo: [UInt8] = []
  /// The certificate of the issuer; nil if the subject issues itself.
  var issuer: IssuedCertificate?

  /// Extensions (RFC 5280 4.1): the sequence of all of them.
  func list(_ recipes: [ExtensionRecipe]) throws(RecipeError) -> [UInt8] {
    var list: [[UInt8]] = []
    for recipe in recipes {
      list.append(
        DER.sequence(
          DER.objectIdentifier(recipe.value.identifier), recipe.isCritical ? DER.boolean(true) : [],
          DER.octetString(try value(recipe.value))))
    }
    return DER.sequence(list)
  }

  /// The bytes inside the OCTET STRING.
  private func value(_ value: ExtensionValue) throws(RecipeError) -> [UInt8] {
    switch value {
    case .authorityInformationAccess(let ocsp, let caIssuers):
      DER.sequence(Self.access(.ocsp, ocsp) + Self.access(.caIssuers, caIssuers))
    case .authorityKeyIdentifier(let recipe): try authorityKeyIdentifier(recipe)
    case .basicConstraints(let isCA, let pathLength):
      // DEFAULT FALSE is left out in DER.
      DER.sequence(isCA ? DER.boolean(true) : [], pathLength.map { DER.integer($0) } ?? [])
    case .certificatePolicies(let policies): DER.sequence(policies.map { DER.sequence(DER.objectIdentifier($0)) })
    case .crlDistributionPoints(let points), .freshestCRL(let points): try Self.points(points)
    case .crlNumber(let number), .deltaCRLIndicator(let number): DER.integer(magnitude: number)
    case .extendedKeyUsage(let purposes): DER.sequence(purposes.map { DER.objectIdentifier($0) })
    case .inhibitAnyPolicy(let count): DER.integer(count)
    case .issuerAlternativeNames(let names): DER.element(.sequence, try names.der(in: "issuerAltName"))
    case .issuingDistributionPoint(let point): try point.der(in: "issuingDistributionPoint")
    case .keyUsage(let usage): DER.namedBits((0..<16).filter { usage.rawValue & 1 << UInt16($0) != 0 })
    case .nameConstraints(let permitted, let excluded):
      DER.sequence(try Self.subtrees(0, permitted), try Self.subtrees(1, excluded))
    case .ocspNoCheck: DER.null
    case .policyConstraints(let explicit, let mapping):
      DER.sequence(
        explicit.map { DER.implicit(0, DER.integer($0)) } ?? [],
        mapping.map { DER.implicit(1, DER.integer($0)) } ?? [])
    case .policyMappings(let pairs):
      DER.sequence(
        pairs.map {
          DER.sequence(DER.objectIdentifier($0.issuerDomain), DER.objectIdentifier($0.subjectDomain))
        })
    case .raw(_, let bytes): bytes
    case .subjectAlternativeNames(let names): DER.element(.sequence, try names.der(in: "subjectAltName"))
    case .subjectKeyIdentifier(let octets):
      DER.octetString(octets ?? Self.keyIdentifier(of: subjectPublicKeyInfo))
    case .tlsFeature(let features): DER.sequence(features.map { DER.integer($0) })
    }
  }

  /// SHA-1 of the key's octets (RFC 5280 4.2.1.2, method 1); of all bytes if they are no SubjectPublicKeyInfo.
  static func keyIdentifier(of publicKeyInfo: [UInt8]) -> [UInt8] {
    SHA1.hash((try? PublicKeyInfo(der: publicKeyInfo))?.key ?? publicKeyInfo[...])
  }

  private func authorityKeyIdentifier(_ recipe: AuthorityKeyIdentifierRecipe) throws(RecipeError) -> [UInt8] {
    let key = issuer?.keyIdentifier ?? Self.keyIdentifier(of: subjectPublicKeyInfo)
    switch recipe {
    case .custom(let key, let names, let serial):
      return try Self.authorityKeyIdentifier(key, names?.der(in: "authorityKeyIdentifier"), serial)
    case .keyOfIssuer: return Self.authorityKeyIdentifier(key, nil, nil)
    case .keyAndNameOfIssuer:
      guard let issuer else {
        throw .invalidValue(
          field: "authorityKeyIdentifier",
          reason: "a certificate that signs itself cannot name its number; use custom, or keyOfIssuer")
      }
      return Self.authorityKeyIdentifier(key, DER.explicit(4, issuer.issuerName.der), issuer.serialNumber)
    }
  }

  private static func authorityKeyIdentifier(_ key: [UInt8]?, _ names: [UInt8]?, _ serial: [UInt8]?) -> [UInt8] {
    DER.sequence(
      key.map { DER.element(.context(0), $0) } ?? [],
      names.map { DER.element(.context(1, constructed: true), $0) } ?? [],
      serial.map { DER.element(.context(2), $0) } ?? [])
  }

  private static func access(_ method: OID, _ urls: [String]) -> [[UInt8]] {
    urls.map { DER.sequence(DER.objectIdentifier(method), DER.element(.context(6), Array($0.utf8))) }
  }

  private static func points(_ recipes: [DistributionPointRecipe]) throws(RecipeError) -> [UInt8] {
    var points: [[UInt8]] = []
    for recipe in recipes { points.append(try recipe.der(in: "cRLDistributionPoints")) }
    return DER.sequence(points)
  }

  /// GeneralSubtrees under a tag, each without minimum and maximum, as RFC 5280 4.2.1.10 wants; absent if empty.
  private static func subtrees(_ tag: UInt8, _ bases: [GeneralNameRecipe]) throws(RecipeError) -> [UInt8] {
    guard !bases.isEmpty else { return [] }
    var subtrees: [[UInt8]] = []
    for base in bases { subtrees.append(DER.sequence(try base.der(in: "nameConstraints"))) }
    return DER.implicit(tag, DER.sequence(subtrees))
  }
}
