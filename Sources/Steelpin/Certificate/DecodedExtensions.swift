// SPDX-License-Identifier: Apache-2.0

/// The extensions that Steelpin understands (RFC 5280 4.2.1, RFC 7633), decoded.
///
/// One that is present but malformed is nil here and listed in ``malformed``, which the rules refuse.
public struct DecodedExtensions: Sendable {
  /// subjectAltName; nil if absent.
  public private(set) var subjectAlternativeNames: [GeneralName]?
  /// basicConstraints; nil if absent.
  public private(set) var basicConstraints: BasicConstraints?
  /// keyUsage; nil if absent.
  public private(set) var keyUsage: KeyUsage?
  /// extKeyUsage; nil if absent.
  public private(set) var extendedKeyUsage: [OID]?
  /// nameConstraints; nil if absent.
  public private(set) var nameConstraints: NameConstraints?
  /// subjectKeyIdentifier; nil if absent.
  public private(set) var subjectKeyIdentifier: ArraySlice<UInt8>?
  /// authorityKeyIdentifier; nil if absent.
  public private(set) var authorityKeyIdentifier: AuthorityKeyIdentifier?
  /// certificatePolicies; nil if absent.
  public private(set) var certificatePolicies: [PolicyInformation]?
  /// policyMappings; nil if absent.
  public private(set) var policyMappings: [PolicyMapping]?
  /// policyConstraints; nil if absent.
  public private(set) var policyConstraints: PolicyConstraints?
  /// inhibitAnyPolicy's skipCerts; nil if absent.
  public private(set) var inhibitAnyPolicy: Int?
  /// authorityInfoAccess; nil if absent.
  public private(set) var authorityInformationAccess: [AccessDescription]?
  /// cRLDistributionPoints; nil if absent.
  public private(set) var crlDistributionPoints: [DistributionPoint]?
  /// The TLS features that the server must offer (RFC 7633); 5 is status_request, "must-staple". Nil if absent.
  public private(set) var tlsFeatures: [Int]?
  /// How many signed certificate timestamps (RFC 6962 3.3) are embedded; nil if there is no list.
  public private(set) var signedCertificateTimestampCount: Int?
  /// Understood extensions whose value is not the DER that it should be, with the reason.
  public private(set) var malformed: [(extension: OID, cause: DERError)] = []
  /// Extensions that occur more than once (forbidden by RFC 5280 4.2).
  public private(set) var duplicated: [OID] = []
  /// Critical extensions that nothing here understands.
  public private(set) var unknownCritical: [OID] = []

  init(_ extensions: [CertificateExtension]) {
    for (index, item) in extensions.enumerated() {
      if extensions[..<index].contains(where: { $0.identifier == item.identifier }) {
        if !duplicated.contains(item.identifier) { duplicated.append(item.identifier) }
        continue
      }
      do {
        let isUnderstood = try decode(item)
        if !isUnderstood && item.isCritical { unknownCritical.append(item.identifier) }
      } catch {
        malformed.append((item.identifier, error))
      }
    }
  }

  private mutating func decode(_ item: CertificateExtension) throws(DERError) -> Bool {
    let value = item.value
    switch item.identifier {
    case .subjectAlternativeName:
      subjectAlternativeNames = try GeneralName.list(DERReader.single(value, .sequence))
    case .basicConstraints: basicConstraints = try BasicConstraints(DERReader.single(value, .sequence))
    case .keyUsage: keyUsage = try KeyUsage(DERReader.single(value, .bitString))
    case .extendedKeyUsage: extendedKeyUsage = try Self.objectIdentifiers(value)
    case .nameConstraints: nameConstraints = try NameConstraints(DERReader.single(value, .sequence))
    case .subjectKeyIdentifier: subjectKeyIdentifier = try DERReader.single(value, .octetString).content
    case .authorityKeyIdentifier:
      authorityKeyIdentifier = try AuthorityKeyIdentifier(DERReader.single(value, .sequence))
    case .certificatePolicies: certificatePolicies = try PolicyInformation.list(DERReader.single(value, .sequence))
    case .policyMappings: policyMappings = try PolicyMapping.list(DERReader.single(value, .sequence))
    case .policyConstraints: policyConstraints = try PolicyConstraints(DERReader.single(value, .sequence))
    case .inhibitAnyPolicy: inhibitAnyPolicy = try DERReader.single(value, .integer).smallInteger()
    case .authorityInformationAccess:
      authorityInformationAccess = try AccessDescription.list(DERReader.single(value, .sequence))
    case .crlDistributionPoints: crlDistributionPoints = try DistributionPoint.list(DERReader.single(value, .sequence))
    case .tlsFeature: tlsFeatures = try Self.integers(value)
    case .signedCertificateTimestamps:
      signedCertificateTimestampCount = try Self.timestampCount(DERReader.single(value, .octetString))
    case .issuerAlternativeName:
      // Nothing depends on it, but libraries refuse one that they cannot read.
      _ = try GeneralName.list(DERReader.single(value, .sequence))
      return false
    case .netscapeCertificateType:
      _ = try DERReader.single(value, .bitString).bitString()
      return false
    default: return false
    }
    return true
  }

  private static func objectIdentifiers(_ value: ArraySlice<UInt8>) throws(DERError) -> [OID] {
    var list: [OID] = []
    let sequence = try DERReader.single(value, .sequence)
    for element in try sequence.elements() {
      guard element.tag == .objectIdentifier else {
        throw DERError(.unexpectedTag(expected: .objectIdentifier, found: element.tag), at: element.encoded.startIndex)
      }
      list.append(try element.objectIdentifier())
    }
    guard !list.isEmpty else {
      throw DERError(.invalidValue("empty list of key purposes"), at: sequence.encoded.startIndex)
    }
    return list
  }

  private static func integers(_ value: ArraySlice<UInt8>) throws(DERError) -> [Int] {
    var list: [Int] = []
    var reader = try DERReader.single(value, .sequence).reader()
    while !reader.isAtEnd { list.append(try reader.read(.integer).smallInteger()) }
    return list
  }

  /// Counts the entries of a SignedCertificateTimestampList, whose lengths are two octets each (RFC 6962 3.3).
  private static func timestampCount(_ element: DERElement) throws(DERError) -> Int {
    func entry(_ rest: inout ArraySlice<UInt8>) throws(DERError) -> ArraySlice<UInt8> {
      let length = rest.prefix(2).reduce(0) { $0 << 8 | Int($1) }
      guard rest.count >= 2 + length else {
        throw DERError(.invalidValue("list of certificate timestamps cut short"), at: rest.startIndex)
      }
      defer { rest = rest.dropFirst(2 + length) }
      return rest.dropFirst(2).prefix(length)
    }
    var all = element.content
    var list = try entry(&all)
    var count = 0
    while !list.isEmpty {
      _ = try entry(&list)
      count += 1
    }
    return count
  }
}
