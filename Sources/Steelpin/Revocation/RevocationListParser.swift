// SPDX-License-Identifier: Apache-2.0

/// Takes a list apart by the ASN.1 of RFC 5280 5.1.
struct RevocationListParser {
  private let der: [UInt8]
  private var field = "certificateList"
  private var unknownCritical: [OID] = []
  private var formFaults: [String] = []

  init(_ der: [UInt8]) { self.der = der }

  mutating func parse() throws(RevocationEvidenceError) -> RevocationListContents {
    do {
      return try parseFields()
    } catch {
      throw RevocationEvidenceError(field: field, cause: error)
    }
  }

  private mutating func parseFields() throws(DERError) -> RevocationListContents {
    var outer = try DERReader.single(der[...], .sequence).reader()
    field = "tbsCertList"
    let tbs = try outer.read(.sequence)
    field = "signatureAlgorithm"
    let algorithm = try AlgorithmIdentifier(outer.read(.sequence))
    field = "signatureValue"
    let signature = try outer.read(.bitString).signatureOctets()
    try outer.finish()

    var fields = try tbs.reader()
    field = "tbsCertList.version"
    let version = try fields.readIfPresent(.integer)
    if let version, try version.smallInteger() != 1 {
      throw DERError(.invalidValue("version that is not 2"), at: version.encoded.startIndex)
    }
    if version == nil { formFaults.append("it is of version 1 (RFC 5280 5.1.2.1)") }
    field = "tbsCertList.signature"
    let innerAlgorithm = try fields.read(.sequence)
    guard innerAlgorithm.encoded == algorithm.encoded else {
      throw DERError(
        .invalidValue("algorithm that differs from the one outside the signed part"),
        at: innerAlgorithm.encoded.startIndex)
    }
    field = "tbsCertList.issuer"
    let issuer = try DistinguishedName(fields.read(.sequence))
    field = "tbsCertList.thisUpdate"
    let thisUpdate = try Timestamp(fields.read())
    field = "tbsCertList.nextUpdate"
    var nextUpdate: Timestamp?
    if fields.nextTag == .utcTime || fields.nextTag == .generalizedTime { nextUpdate = try Timestamp(fields.read()) }
    field = "tbsCertList.revokedCertificates"
    let revoked = try fields.readIfPresent(.sequence)
    // Whether entries may name issuers stands in the extensions, after the entries.
    field = "tbsCertList.crlExtensions"
    var extensions = RevocationListExtensions()
    if let explicit = try fields.readIfPresent(.context(0, constructed: true)) {
      guard version != nil else {
        throw DERError(.invalidValue("extensions in a list of version 1"), at: explicit.encoded.startIndex)
      }
      let list = try CertificateExtension.list(DERReader.single(explicit.content, .sequence))
      try extensions.decode(list, unknownCritical: &unknownCritical, formFaults: &formFaults)
    }
    field = "tbsCertList"
    try fields.finish()
    if version != nil, extensions.number == nil { formFaults.append("it has no number (RFC 5280 5.2.3)") }
    field = "tbsCertList.revokedCertificates"
    let entries = try revoked.map { element throws(DERError) in
      try parseEntries(element, isIndirect: extensions.scope?.isIndirect ?? false, hasVersion: version != nil)
    }
    return RevocationListContents(
      der: der, signed: SignedBytes(message: tbs.encoded, algorithm: algorithm, signature: signature), issuer: issuer,
      thisUpdate: thisUpdate, nextUpdate: nextUpdate, entries: entries ?? [], extensions: extensions,
      unknownCritical: unknownCritical, formFaults: formFaults)
  }

  private mutating func parseEntries(
    _ list: DERElement, isIndirect: Bool, hasVersion: Bool
  ) throws(DERError) -> [RevocationListEntry] {
    var entries: [RevocationListEntry] = []
    // An entry without certificateIssuer is of the same issuer as the one before it (RFC 5280 5.3.3).
    var issuer: NameKey?
    var reader = try list.reader()
    while !reader.isAtEnd {
      var fields = try reader.read(.sequence).reader()
      let serialNumber = SerialNumber.normalized(try fields.read(.integer).content)
      let date = try Timestamp(fields.read())
      var reason = RevocationReason.unspecified
      if let element = try fields.readIfPresent(.sequence) {
        guard hasVersion else {
          throw DERError(.invalidValue("entry extensions in a list of version 1"), at: element.encoded.startIndex)
        }
        for item in try CertificateExtension.list(element) {
          switch item.identifier {
          case .reasonCode: reason = try RevocationReason(DERReader.single(item.value, .enumerated))
          case .invalidityDate: _ = try Timestamp(DERReader.single(item.value, .generalizedTime))
          case .certificateIssuer: issuer = try Self.issuer(item, isIndirect: isIndirect)
          default:
            if item.isCritical, unknownCritical.isEmpty { unknownCritical.append(item.identifier) }
          }
        }
      }
      try fields.finish()
      entries.append(RevocationListEntry(serialNumber: serialNumber, date: date, reason: reason, issuer: issuer))
    }
    return entries
  }

  private static func issuer(_ item: CertificateExtension, isIndirect: Bool) throws(DERError) -> NameKey {
    for case .directory(let name) in try GeneralName.list(DERReader.single(item.value, .sequence)) {
      guard isIndirect else {
        throw DERError(.invalidValue("issuer of an entry in a list that is not indirect"), at: item.value.startIndex)
      }
      return NameKey(name)
    }
    throw DERError(.invalidValue("issuer of an entry without a directory name"), at: item.value.startIndex)
  }
}

extension CertificateExtension {
  /// Extensions, each kind once (RFC 5280 4.2).
  static func list(_ element: DERElement) throws(DERError) -> [CertificateExtension] {
    var list: [CertificateExtension] = []
    var seen = Set<OID>()
    var reader = try element.reader()
    while !reader.isAtEnd {
      let item = try CertificateExtension(reader.read(.sequence))
      guard seen.insert(item.identifier).inserted else {
        throw DERError(.invalidValue("extension \(item.identifier) twice"), at: element.encoded.startIndex)
      }
      list.append(item)
    }
    return list
  }
}
