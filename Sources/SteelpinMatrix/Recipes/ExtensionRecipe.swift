// SPDX-License-Identifier: Apache-2.0
public import Steelpin

/// An extension to be written: of a certificate, a request, a revocation list, or an OCSP response.
public struct ExtensionRecipe: Sendable, Hashable {
  /// What it says.
  public var value: ExtensionValue
  /// Whether it is critical.
  public var isCritical: Bool

  /// An extension; unless told otherwise it is critical where RFC 5280 says that it must be.
  public init(_ value: ExtensionValue, critical: Bool? = nil) {
    self.value = value
    self.isCritical = critical ?? value.isCriticalByDefault
  }
}

/// What an extension says (RFC 5280 4.2, RFC 7633, RFC 6960).
public enum ExtensionValue: Sendable, Hashable {
  /// authorityInfoAccess: URLs of OCSP responders and of the issuer's certificates.
  case authorityInformationAccess(ocsp: [String], caIssuers: [String])
  /// authorityKeyIdentifier.
  case authorityKeyIdentifier(AuthorityKeyIdentifierRecipe)
  /// basicConstraints.
  case basicConstraints(isCA: Bool, pathLength: Int?)
  /// certificatePolicies without qualifiers.
  case certificatePolicies([OID])
  /// cRLDistributionPoints.
  case crlDistributionPoints([DistributionPointRecipe])
  /// extKeyUsage.
  case extendedKeyUsage([OID])
  /// freshestCRL: where delta lists are found.
  case freshestCRL([DistributionPointRecipe])
  /// inhibitAnyPolicy: after how many certificates anyPolicy means nothing.
  case inhibitAnyPolicy(Int)
  /// issuerAltName.
  case issuerAlternativeNames([GeneralNameRecipe])
  /// keyUsage.
  case keyUsage(KeyUsage)
  /// nameConstraints; a list that is empty is absent.
  case nameConstraints(permitted: [GeneralNameRecipe], excluded: [GeneralNameRecipe])
  /// id-pkix-ocsp-nocheck: a responder's certificate whose own revocation nobody asks about.
  case ocspNoCheck
  /// policyConstraints; a number that is nil is absent.
  case policyConstraints(requireExplicitPolicy: Int?, inhibitPolicyMapping: Int?)
  /// policyMappings.
  case policyMappings([PolicyMappingRecipe])
  /// Any extension, with the bytes that go into its OCTET STRING.
  case raw(OID, [UInt8])
  /// subjectAltName.
  case subjectAlternativeNames([GeneralNameRecipe])
  /// subjectKeyIdentifier: the given octets; nil for SHA-1 of the key (RFC 5280 4.2.1.2, method 1).
  case subjectKeyIdentifier([UInt8]?)
  /// TLS features that the server must offer; 5 is status_request, "must-staple".
  case tlsFeature([Int])

  /// TLS feature status_request: the server must staple an OCSP response (RFC 7633).
  public static let mustStaple = tlsFeature([5])

  /// The object identifier of the extension.
  public var identifier: OID {
    switch self {
    case .authorityInformationAccess: .authorityInformationAccess
    case .authorityKeyIdentifier: .authorityKeyIdentifier
    case .basicConstraints: .basicConstraints
    case .certificatePolicies: .certificatePolicies
    case .crlDistributionPoints: .crlDistributionPoints
    case .extendedKeyUsage: .extendedKeyUsage
    case .freshestCRL: .freshestCRL
    case .inhibitAnyPolicy: .inhibitAnyPolicy
    case .issuerAlternativeNames: .issuerAlternativeName
    case .keyUsage: .keyUsage
    case .nameConstraints: .nameConstraints
    case .ocspNoCheck: .ocspNoCheck
    case .policyConstraints: .policyConstraints
    case .policyMappings: .policyMappings
    case .raw(let identifier, _): identifier
    case .subjectAlternativeNames: .subjectAlternativeName
    case .subjectKeyIdentifier: .subjectKeyIdentifier
    case .tlsFeature: .tlsFeature
    }
  }

  /// RFC 5280 4.2.1: which extensions a conforming CA must, or should, mark critical.
  fileprivate var isCriticalByDefault: Bool {
    switch self {
    case .basicConstraints(let isCA, _): isCA
    case .inhibitAnyPolicy, .keyUsage, .nameConstraints, .policyConstraints, .policyMappings: true
    default: false
    }
  }
}

/// What an authorityKeyIdentifier says.
public enum AuthorityKeyIdentifierRecipe: Sendable, Hashable {
  /// The given parts; one that is nil is absent, and the serial number is content octets of an INTEGER.
  case custom(keyIdentifier: [UInt8]?, issuer: [GeneralNameRecipe]?, serialNumber: [UInt8]?)
  /// The issuer's key identifier.
  case keyOfIssuer
  /// The issuer's key identifier, and the name and number that the issuer's own issuer gave it.
  case keyAndNameOfIssuer
}

/// One pair of policyMappings to be written.
public struct PolicyMappingRecipe: Sendable, Hashable {
  /// The policy of the issuer's domain.
  public var issuerDomain: OID
  /// The policy of the subject's domain that is equivalent to it.
  public var subjectDomain: OID

  /// A pair of policies that are declared equivalent.
  public init(_ issuerDomain: OID, to subjectDomain: OID) {
    self.issuerDomain = issuerDomain
    self.subjectDomain = subjectDomain
  }
}

/// A distribution point of revocation lists to be written (RFC 5280 4.2.1.13).
public struct DistributionPointRecipe: Sendable, Hashable {
  /// The names of the point; none leaves the field out.
  public var fullName: [GeneralNameRecipe]
  /// The reasons that its lists cover; nil leaves the field out, which means all.
  public var reasons: [RevocationReason]?
  /// Who signs its lists if not the certificate's issuer; empty leaves the field out.
  public var issuer: [GeneralNameRecipe]

  /// A distribution point of the given parts.
  public init(
    _ fullName: [GeneralNameRecipe], reasons: [RevocationReason]? = nil, issuer: [GeneralNameRecipe] = []
  ) {
    self.fullName = fullName
    self.reasons = reasons
    self.issuer = issuer
  }

  /// The point at a URL.
  public static func url(_ url: String) -> Self { DistributionPointRecipe([.uri(url)]) }

  /// The DER of the DistributionPoint.
  func der(in field: String) throws(RecipeError) -> [UInt8] {
    DER.sequence(
      try Self.name(fullName, in: field), reasons.map { DER.implicit(1, DER.reasonFlags($0)) } ?? [],
      try issuer.isEmpty ? [] : DER.element(.context(2, constructed: true), issuer.der(in: field)))
  }

  /// The field distributionPoint, `[0]` around a DistributionPointName; absent if there are no names.
  static func name(_ fullName: [GeneralNameRecipe], in field: String) throws(RecipeError) -> [UInt8] {
    guard !fullName.isEmpty else { return [] }
    return DER.explicit(0, DER.element(.context(0, constructed: true), try fullName.der(in: field)))
  }
}

extension DER {
  /// ReasonFlags (RFC 5280 4.2.1.13), whose bits are not the numbers of CRLReason. Reasons without a bit are left out.
  static func reasonFlags(_ reasons: [RevocationReason]) -> [UInt8] {
    namedBits(
      reasons.compactMap { reason in
        switch reason {
        case .keyCompromise, .cACompromise, .affiliationChanged, .superseded, .cessationOfOperation, .certificateHold:
          reason.rawValue
        case .privilegeWithdrawn: 7
        case .aACompromise: 8
        case .removeFromCRL, .unspecified: nil
        }
      })
  }
}
