// SPDX-License-Identifier: Apache-2.0

/// Takes a certificate apart by the ASN.1 of RFC 5280 4.1 without decoding more than it must.
struct CertificateParser {
  private let der: [UInt8]
  private var field = "certificate"

  init(_ der: [UInt8]) { self.der = der }

  mutating func parse() throws(CertificateError) -> CertificateContents {
    do {
      return try parseFields()
    } catch {
      throw CertificateError(field: field, cause: error)
    }
  }

  private mutating func parseFields() throws(DERError) -> CertificateContents {
    var outer = try DERReader.single(der[...], .sequence).reader()
    field = "tbsCertificate"
    let tbs = try outer.read(.sequence)
    field = "signatureAlgorithm"
    let outerAlgorithm = try AlgorithmIdentifier(outer.read(.sequence))
    field = "signatureValue"
    let signature = try outer.read(.bitString).signatureOctets()
    try outer.finish()

    var fields = try tbs.reader()
    field = "tbsCertificate.version"
    var version = 1
    if let explicit = try fields.readIfPresent(.context(0, constructed: true)) {
      version = try DERReader.single(explicit.content, .integer).smallInteger() &+ 1
    }
    field = "tbsCertificate.serialNumber"
    let serialNumber = try fields.read(.integer).integer()
    field = "tbsCertificate.signature"
    let innerAlgorithm = try AlgorithmIdentifier(fields.read(.sequence))
    field = "tbsCertificate.issuer"
    let issuer = try DistinguishedName(fields.read(.sequence))
    field = "tbsCertificate.validity"
    let validity = try Validity(fields.read(.sequence))
    field = "tbsCertificate.subject"
    let subject = try DistinguishedName(fields.read(.sequence))
    field = "tbsCertificate.subjectPublicKeyInfo"
    let publicKey = try PublicKeyInfo(fields.read(.sequence))
    field = "tbsCertificate.issuerUniqueID"
    _ = try fields.readIfPresent(.context(1))?.bitString()
    field = "tbsCertificate.subjectUniqueID"
    _ = try fields.readIfPresent(.context(2))?.bitString()
    field = "tbsCertificate.extensions"
    var extensions: [CertificateExtension] = []
    if let explicit = try fields.readIfPresent(.context(3, constructed: true)) {
      var list = try DERReader.single(explicit.content, .sequence).reader()
      while !list.isAtEnd {
        guard extensions.count < Self.maximumExtensions else {
          throw DERError(.invalidValue("more than \(Self.maximumExtensions) extensions"), at: list.offset)
        }
        extensions.append(try CertificateExtension(list.read(.sequence)))
      }
    }
    field = "tbsCertificate"
    try fields.finish()
    return CertificateContents(
      der: der, tbsCertificate: tbs.encoded, version: version, serialNumber: serialNumber,
      innerAlgorithm: innerAlgorithm, issuer: issuer, validity: validity, subject: subject, publicKey: publicKey,
      extensions: extensions, outerAlgorithm: outerAlgorithm, signature: signature)
  }

  /// Real certificates have some twenty; every rule may look at each.
  static let maximumExtensions = 128
}

/// An algorithm with its parameters (RFC 5280 4.1.1.2).
public struct AlgorithmIdentifier: Hashable, Sendable {
  /// The algorithm.
  public let algorithm: OID
  /// The whole encoding of the parameters; empty if there are none.
  public let parameters: ArraySlice<UInt8>
  /// The whole encoding of the AlgorithmIdentifier.
  public let encoded: ArraySlice<UInt8>

  package init(_ element: DERElement) throws(DERError) {
    var fields = try element.reader()
    self.algorithm = try fields.read(.objectIdentifier).objectIdentifier()
    self.parameters = try fields.isAtEnd ? [] : fields.read().encoded
    try fields.finish()
    self.encoded = element.encoded
  }

  /// Equality of the encodings.
  public static func == (left: AlgorithmIdentifier, right: AlgorithmIdentifier) -> Bool {
    left.encoded == right.encoded
  }

  /// Hashes the encoding.
  public func hash(into hasher: inout Hasher) { hasher.combine(encoded) }
}

/// The validity period of a certificate (RFC 5280 4.1.2.5); both bounds belong to it.
public struct Validity: Hashable, Sendable {
  /// The first moment; nil if the field is not a time that RFC 5280 allows.
  public let notBefore: Timestamp?
  /// The last moment; nil if the field is not a time that RFC 5280 allows.
  public let notAfter: Timestamp?
  /// Whether each date up to 2049 is UTCTime and each later one GeneralizedTime, as RFC 5280 4.1.2.5 wants.
  public let usesPrescribedForms: Bool

  package init(_ element: DERElement) throws(DERError) {
    var fields = try element.reader()
    let (first, last) = (try fields.read(), try fields.read())
    try fields.finish()
    self.notBefore = try? Timestamp(first)
    self.notAfter = try? Timestamp(last)
    self.usesPrescribedForms = Self.isPrescribed(notBefore, first.tag) && Self.isPrescribed(notAfter, last.tag)
  }

  private static func isPrescribed(_ time: Timestamp?, _ form: DERTag) -> Bool {
    guard let time else { return false }
    return (time.secondsSince1970 < startOf2050) == (form == .utcTime)
  }

  /// 2050-01-01T00:00:00Z.
  private static let startOf2050: Int64 = 2_524_608_000
}

/// One extension of a certificate or CRL (RFC 5280 4.2), not decoded.
public struct CertificateExtension: Hashable, Sendable {
  /// The kind of extension.
  public let identifier: OID
  /// Whether a verifier that does not know it must refuse the certificate.
  public let isCritical: Bool
  /// The DER inside the OCTET STRING.
  public let value: ArraySlice<UInt8>

  package init(_ element: DERElement) throws(DERError) {
    var fields = try element.reader()
    self.identifier = try fields.read(.objectIdentifier).objectIdentifier()
    self.isCritical = try fields.readIfPresent(.boolean)?.boolean() ?? false
    self.value = try fields.read(.octetString).content
    try fields.finish()
  }
}
