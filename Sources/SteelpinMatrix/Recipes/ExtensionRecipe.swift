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
  /// cRLNumber of a revocation list: the magnitude, big endian.
  case crlNumber([UInt8])
  /// cRLDistributionPoints.
  case crlDistributionPoints([DistributionPointRecipe])
  /// deltaCRLIndicator of a revocation list: the number of the list whose changes it lists, big endian.
  case deltaCRLIndicator([UInt8])
  /// extKeyUsage.
  case extendedKeyUsage([OID])
  /// freshestCRL: where delta lists are found.
  case freshestCRL([DistributionPointRecipe])
  /// inhibitAnyPolicy: after how many certificates anyPolicy means nothing.
  case inhibitAnyPolicy(Int)
  /// issuerAltName.
  case issuerAlternativeNames([GeneralNameRecipe])
  /// issuingDistributionPoint of a revocation list.
  case issuingDistributionPoint(IssuingDistributionPointRecipe)
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
    case .crlNumber: .crlNumber
    case .deltaCRLIndicator: .deltaCRLIndicator
    case .extendedKeyUsage: .extendedKeyUsage
    case .freshestCRL: .freshestCRL
    case .inhibitAnyPolicy: .inhibitAnyPolicy
    case .issuerAlternativeNames: .issuerAlternativeName
    case .issuingDistributionPoint: .issuingDistributionPoint
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

  /// RFC 5280 4.2.1 and 5.2: which extensions a conforming CA must, or should, mark critical.
  fileprivate var isCriticalByDefault: Bool {
    switch self {
    case .basicConstraints(let isCA, _): isCA
    case .deltaCRLIndicator, .inhibitAnyPolicy, .issuingDistributionPoint, .keyUsage, .nameConstraints,
      .policyConstraints, .policyMappings:
      true
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
