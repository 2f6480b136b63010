// SPDX-License-Identifier: Apache-2.0

/// The extensions of a list that decide what it covers (RFC 5280 5.2).
struct RevocationListExtensions {
  private(set) var number: RevocationListNumber?
  private(set) var baseNumber: RevocationListNumber?
  private(set) var scope: IssuingDistributionPoint?
  private(set) var authorityKeyIdentifier: AuthorityKeyIdentifier?
  private(set) var freshest: [DistributionPoint] = []

  mutating func decode(
    _ list: [CertificateExtension], unknownCritical: inout [OID], formFaults: inout [String]
  ) throws(DERError) {
    for item in list {
      let value = item.value
      switch item.identifier {
      case .crlNumber:
        number = try RevocationListNumber(DERReader.single(value, .integer))
        if item.isCritical { formFaults.append("its number is critical (RFC 5280 5.2.3)") }
      case .deltaCRLIndicator: baseNumber = try RevocationListNumber(DERReader.single(value, .integer))
      case .issuingDistributionPoint: scope = try IssuingDistributionPoint(DERReader.single(value, .sequence))
      case .authorityKeyIdentifier:
        authorityKeyIdentifier = try AuthorityKeyIdentifier(DERReader.single(value, .sequence))
      case .freshestCRL: freshest = try DistributionPoint.list(DERReader.single(value, .sequence))
      case .issuerAlternativeName: _ = try GeneralName.list(DERReader.single(value, .sequence))
      default: if item.isCritical { unknownCritical.append(item.identifier) }
      }
    }
  }
}

/// issuingDistributionPoint (RFC 5280 5.2.5): which certificates and reasons a list covers.
struct IssuingDistributionPoint: Hashable, Sendable {
  let name: DistributionPointName?
  let onlyUserCertificates: Bool
  let onlyCACertificates: Bool
  let onlyAttributeCertificates: Bool
  let isIndirect: Bool
  /// The reasons that it covers; nil for all.
  let onlySomeReasons: ReasonSet?

  init(_ element: DERElement) throws(DERError) {
    var fields = try element.reader()
    self.name = try fields.readIfPresent(.context(0, constructed: true)).map(DistributionPointName.init)
    self.onlyUserCertificates = try fields.readIfPresent(.context(1))?.boolean() ?? false
    self.onlyCACertificates = try fields.readIfPresent(.context(2))?.boolean() ?? false
    self.onlySomeReasons = try fields.readIfPresent(.context(3)).map { element throws(DERError) in
      ReasonSet(octets: try element.bitString().octets)
    }
    self.isIndirect = try fields.readIfPresent(.context(4))?.boolean() ?? false
    self.onlyAttributeCertificates = try fields.readIfPresent(.context(5))?.boolean() ?? false
    try fields.finish()
    guard [onlyUserCertificates, onlyCACertificates, onlyAttributeCertificates].count(where: { $0 }) <= 1 else {
      throw DERError(.invalidValue("list only for several kinds of certificate"), at: element.encoded.startIndex)
    }
  }
}

/// DistributionPointName (RFC 5280 4.2.1.13).
enum DistributionPointName: Hashable, Sendable {
  case full([GeneralName])
  /// The content of a set of attributes.
  case relative(ArraySlice<UInt8>)

  init(_ element: DERElement) throws(DERError) {
    var fields = try element.reader()
    let chosen = try fields.read()
    try fields.finish()
    switch chosen.tag {
    case .context(0, constructed: true): self = .full(try GeneralName.list(chosen))
    case .context(1, constructed: true): self = .relative(chosen.content)
    default: throw DERError(.invalidValue("unknown kind of distribution point"), at: chosen.encoded.startIndex)
    }
  }

  /// The full names that it stands for; a relative one continues the name of the list's issuer.
  func names(relativeTo issuer: DistinguishedName) -> [GeneralName] {
    switch self {
    case .full(let names): return names
    case .relative(let attributes):
      guard let base = try? DERReader.single(issuer.encoded, .sequence) else { return [] }
      let der = DER.element(.sequence, Array(base.content) + DER.element(.set, attributes))
      guard let element = try? DERReader.single(der[...], .sequence), let name = try? DistinguishedName(element) else {
        return []
      }
      return [.directory(name)]
    }
  }
}

extension DistributionPoint {
  /// The name of the point; nil if it has none.
  var name: DistributionPointName? {
    if let relativeName { return .relative(relativeName) }
    return fullName.isEmpty ? nil : .full(fullName)
  }

  /// The `http` and `https` URLs where its list is found.
  var urls: [String] { fullName.compactMap(\.webURL) }
}

extension GeneralName {
  /// The URL, if it is one of HTTP.
  var webURL: String? {
    guard case .uri(let octets) = self else { return nil }
    let text = String(decoding: octets, as: UTF8.self)
    let lower = text.lowercased()
    return lower.hasPrefix("http://") || lower.hasPrefix("https://") ? text : nil
  }
}
