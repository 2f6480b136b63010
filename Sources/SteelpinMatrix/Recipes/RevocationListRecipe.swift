// SPDX-License-Identifier: Apache-2.0
public import Steelpin

/// How to make a certificate revocation list (RFC 5280 section 5). Nothing is checked, so that every list that somebody
/// might meet can be made; a ``Lab`` makes it.
public struct RevocationListRecipe: Sendable {
  /// The certificates that are revoked, in their order; none leaves the field out.
  public var entries: [RevocationEntryRecipe]
  /// When the list is issued.
  public var thisUpdate: MomentRecipe = .days(-1)
  /// By when a newer one is issued; nil leaves the field out.
  public var nextUpdate: MomentRecipe? = .days(6)
  /// The version as people say it: 2 for a list with extensions; 1 leaves the field out.
  public var version = 2
  /// The extensions in their order; none leaves the field out.
  public var extensions: [ExtensionRecipe]
  /// The name of the issuer, if it is not that of the certificate that signs.
  public var issuerName: NameRecipe?
  /// The algorithm of the signature; nil for the usual one of the issuer's key.
  public var signatureAlgorithm: SignatureAlgorithm?
  /// What is wrong with the encoding or the signature.
  public var faults: [RecipeFault] = []

  /// A list of the given entries and extensions; ``complete(_:number:)`` and ``delta(_:number:base:)`` give the usual
  /// ones.
  public init(_ entries: [RevocationEntryRecipe], extensions: [ExtensionRecipe]) {
    self.entries = entries
    self.extensions = extensions
  }

  /// A complete list.
  public static func complete(_ entries: [RevocationEntryRecipe] = [], number: UInt8 = 1) -> Self {
    RevocationListRecipe(
      entries,
      extensions: [
        ExtensionRecipe(.authorityKeyIdentifier(.keyOfIssuer)), ExtensionRecipe(.crlNumber([number])),
      ])
  }

  /// A list of what changed since the list with the base number (RFC 5280 5.2.4).
  public static func delta(_ entries: [RevocationEntryRecipe] = [], number: UInt8, base: UInt8) -> Self {
    complete(entries, number: number).with {
      $0.extensions.append(ExtensionRecipe(.deltaCRLIndicator([base])))
    }
  }

  /// A list whose entries may be of other issuers than the one who signs it; entries name theirs.
  public static func indirect(_ entries: [RevocationEntryRecipe], number: UInt8 = 1) -> Self {
    var point = IssuingDistributionPointRecipe()
    point.isIndirect = true
    return complete(entries, number: number).scoped(to: point)
  }

  /// The list with a scope: which certificates it covers.
  public func scoped(to point: IssuingDistributionPointRecipe) -> Self {
    with { $0.extensions.append(ExtensionRecipe(.issuingDistributionPoint(point))) }
  }

  /// The recipe with some changes.
  public func with(_ change: (inout RevocationListRecipe) throws -> Void) rethrows -> RevocationListRecipe {
    var copy = self
    try change(&copy)
    return copy
  }

  /// Makes the list and returns its DER.
  func list(by issuer: IssuedCertificate, clock: Timestamp) throws(RecipeError) -> [UInt8] {
    let signer = try RecipeSigner(issuer.key, signatureAlgorithm, faults)
    var revoked: [[UInt8]] = []
    for entry in entries { revoked.append(try entry.der(clock: clock)) }
    // TBSCertList, RFC 5280 5.1.
    let content = DER.sequence(
      version == 1 ? [] : DER.integer(version &- 1), signer.innerAlgorithm, (issuerName ?? issuer.subject).der,
      try thisUpdate.der(by: clock, in: "thisUpdate"), try nextUpdate?.der(by: clock, in: "nextUpdate") ?? [],
      revoked.isEmpty ? [] : DER.sequence(revoked),
      try extensions.isEmpty ? [] : DER.explicit(0, ExtensionWriter(issuer: issuer).list(extensions)))
    return try signer.finish(signer.sign(content))
  }
}

/// One entry of a revocation list to be written.
public struct RevocationEntryRecipe: Sendable {
  /// The content octets of the serial number, two's complement, big endian.
  public var serialNumber: [UInt8]
  /// Since when the certificate is revoked.
  public var date: MomentRecipe
  /// Why; nil leaves the extension out.
  public var reason: RevocationReason?
  /// Since when the key is thought to be compromised; nil leaves the extension out.
  public var invalidityDate: MomentRecipe?
  /// The issuer of this entry's certificate and of those after it, in an indirect list; nil leaves the extension out.
  public var certificateIssuer: NameRecipe?
  /// Further extensions.
  public var extensions: [ExtensionRecipe] = []

  /// An entry of a serial number.
  public init(
    serialNumber: [UInt8], reason: RevocationReason? = nil, date: MomentRecipe = .days(-2),
    certificateIssuer: NameRecipe? = nil
  ) {
    self.serialNumber = serialNumber
    self.reason = reason
    self.date = date
    self.certificateIssuer = certificateIssuer
  }

  /// An entry of a certificate. In an indirect list it names the certificate's issuer.
  public init(
    _ certificate: IssuedCertificate, reason: RevocationReason? = nil, date: MomentRecipe = .days(-2),
    namesIssuer: Bool = false
  ) {
    self.init(
      serialNumber: certificate.serialNumber, reason: reason, date: date,
      certificateIssuer: namesIssuer ? certificate.issuerName : nil)
  }

  fileprivate func der(clock: Timestamp) throws(RecipeError) -> [UInt8] {
    var all: [ExtensionRecipe] = []
    if let reason { all.append(ExtensionRecipe(.raw(.reasonCode, DER.enumerated(reason.rawValue)))) }
    if let invalidityDate {
      let time = try invalidityDate.generalizedDER(by: clock, in: "invalidityDate")
      all.append(ExtensionRecipe(.raw(.invalidityDate, time)))
    }
    if let certificateIssuer {
      // RFC 5280 5.3.3: always critical.
      let names = DER.sequence(DER.explicit(4, certificateIssuer.der))
      all.append(ExtensionRecipe(.raw(.certificateIssuer, names), critical: true))
    }
    all += extensions
    return DER.sequence(
      DER.element(.integer, serialNumber), try date.der(by: clock, in: "revocationDate"),
      try all.isEmpty ? [] : ExtensionWriter().list(all))
  }
}
