// SPDX-License-Identifier: Apache-2.0
public import Steelpin

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

/// An issuingDistributionPoint to be written (RFC 5280 5.2.5): which certificates a revocation list covers.
public struct IssuingDistributionPointRecipe: Sendable, Hashable {
  /// The names of the point; none leaves the field out.
  public var fullName: [GeneralNameRecipe]
  /// Whether the list covers certificates of authorities only.
  public var onlyCACertificates = false
  /// Whether the list covers certificates of other subjects only.
  public var onlyUserCertificates = false
  /// Whether the list covers attribute certificates only.
  public var onlyAttributeCertificates = false
  /// Whether entries may be of other issuers than the one who signs the list.
  public var isIndirect = false
  /// The reasons that the list covers; nil leaves the field out, which means all.
  public var onlySomeReasons: [RevocationReason]?

  /// A point of the given names whose list covers everything; change what it does not.
  public init(_ fullName: [GeneralNameRecipe] = []) { self.fullName = fullName }

  /// The DER of the IssuingDistributionPoint.
  func der(in field: String) throws(RecipeError) -> [UInt8] {
    func flag(_ tag: UInt8, _ value: Bool) -> [UInt8] { value ? DER.implicit(tag, DER.boolean(true)) : [] }
    return DER.sequence(
      try DistributionPointRecipe.name(fullName, in: field), flag(1, onlyUserCertificates), flag(2, onlyCACertificates),
      onlySomeReasons.map { DER.implicit(3, DER.reasonFlags($0)) } ?? [], flag(4, isIndirect),
      flag(5, onlyAttributeCertificates))
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
