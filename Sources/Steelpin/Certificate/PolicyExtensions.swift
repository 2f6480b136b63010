// SPDX-License-Identifier: Apache-2.0

/// One entry of certificatePolicies (RFC 5280 4.2.1.4).
public struct PolicyInformation: Hashable, Sendable {
  /// The policy.
  public let identifier: OID
  /// The DER of its qualifiers; empty if there are none.
  public let qualifiers: ArraySlice<UInt8>

  package static func list(_ element: DERElement) throws(DERError) -> [PolicyInformation] {
    var list: [PolicyInformation] = []
    var seen = Set<OID>()
    for child in try element.elements() {
      guard child.tag == .sequence else {
        throw DERError(.unexpectedTag(expected: .sequence, found: child.tag), at: child.encoded.startIndex)
      }
      var fields = try child.reader()
      let identifier = try fields.read(.objectIdentifier).objectIdentifier()
      let qualifiers = try fields.readIfPresent(.sequence)?.encoded ?? []
      try fields.finish()
      guard seen.insert(identifier).inserted else {
        throw DERError(.invalidValue("policy listed twice"), at: child.encoded.startIndex)
      }
      list.append(PolicyInformation(identifier: identifier, qualifiers: qualifiers))
    }
    guard !list.isEmpty else {
      throw DERError(.invalidValue("empty list of policies"), at: element.encoded.startIndex)
    }
    return list
  }
}

/// One pair of policyMappings (RFC 5280 4.2.1.5).
public struct PolicyMapping: Hashable, Sendable {
  /// The policy of the issuer's domain.
  public let issuerDomain: OID
  /// The policy of the subject's domain that is equivalent to it.
  public let subjectDomain: OID

  package static func list(_ element: DERElement) throws(DERError) -> [PolicyMapping] {
    var list: [PolicyMapping] = []
    for child in try element.elements() {
      var fields = try child.reader()
      let issuerDomain = try fields.read(.objectIdentifier).objectIdentifier()
      let subjectDomain = try fields.read(.objectIdentifier).objectIdentifier()
      try fields.finish()
      list.append(PolicyMapping(issuerDomain: issuerDomain, subjectDomain: subjectDomain))
    }
    guard !list.isEmpty else {
      throw DERError(.invalidValue("empty list of policy mappings"), at: element.encoded.startIndex)
    }
    return list
  }
}

/// policyConstraints (RFC 5280 4.2.1.11).
public struct PolicyConstraints: Hashable, Sendable {
  /// After how many certificates an explicit policy is required; nil if absent.
  public let requireExplicitPolicy: Int?
  /// After how many certificates mapping is no longer allowed; nil if absent.
  public let inhibitPolicyMapping: Int?

  init(_ element: DERElement) throws(DERError) {
    var fields = try element.reader()
    self.requireExplicitPolicy = try fields.readIfPresent(.context(0))?.smallInteger()
    self.inhibitPolicyMapping = try fields.readIfPresent(.context(1))?.smallInteger()
    try fields.finish()
    guard requireExplicitPolicy != nil || inhibitPolicyMapping != nil else {
      throw DERError(.invalidValue("empty policy constraints"), at: element.encoded.startIndex)
    }
  }
}

/// One entry of authorityInfoAccess (RFC 5280 4.2.2.1).
public struct AccessDescription: Hashable, Sendable {
  /// What is found there: OCSP or the issuer's certificates.
  public let method: OID
  /// Where it is found.
  public let location: GeneralName

  static func list(_ element: DERElement) throws(DERError) -> [AccessDescription] {
    var list: [AccessDescription] = []
    for child in try element.elements() {
      var fields = try child.reader()
      let method = try fields.read(.objectIdentifier).objectIdentifier()
      list.append(AccessDescription(method: method, location: try GeneralName(fields.read())))
      try fields.finish()
    }
    return list
  }
}

/// One entry of cRLDistributionPoints (RFC 5280 4.2.1.13).
public struct DistributionPoint: Hashable, Sendable {
  /// The full names of the point; empty if absent.
  public let fullName: [GeneralName]
  /// The DER content of nameRelativeToCRLIssuer, a set of attributes; nil if absent.
  public let relativeName: ArraySlice<UInt8>?
  /// The reasons that the point covers, as the octets of a BIT STRING; nil for all reasons.
  public let reasons: ArraySlice<UInt8>?
  /// Who signs the list if not the certificate's issuer; empty if absent.
  public let crlIssuer: [GeneralName]

  static func list(_ element: DERElement) throws(DERError) -> [DistributionPoint] {
    var list: [DistributionPoint] = []
    for child in try element.elements() { list.append(try DistributionPoint(child)) }
    guard !list.isEmpty else {
      throw DERError(.invalidValue("empty list of distribution points"), at: element.encoded.startIndex)
    }
    return list
  }

  private init(_ element: DERElement) throws(DERError) {
    var fields = try element.reader()
    var fullName: [GeneralName] = []
    var relativeName: ArraySlice<UInt8>?
    if let choice = try fields.readIfPresent(.context(0, constructed: true)) {
      var name = try choice.reader()
      let chosen = try name.read()
      try name.finish()
      switch chosen.tag {
      case .context(0, constructed: true): fullName = try GeneralName.list(chosen)
      case .context(1, constructed: true): relativeName = chosen.content
      default: throw DERError(.invalidValue("unknown kind of distribution point"), at: chosen.encoded.startIndex)
      }
    }
    self.fullName = fullName
    self.relativeName = relativeName
    self.reasons = try fields.readIfPresent(.context(1))?.bitString().octets
    self.crlIssuer = try fields.readIfPresent(.context(2, constructed: true)).map(GeneralName.list) ?? []
    try fields.finish()
  }
}
