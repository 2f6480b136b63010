// SPDX-License-Identifier: Apache-2.0

/// A certificate revocation list (RFC 5280 section 5) over its own DER, complete or delta.
///
/// Reading it checks its form only. Whether its signer may sign it, whether it is current and which certificates it
/// covers is judged when a certificate's status is asked.
public struct CertificateRevocationList: Sendable {
  let contents: RevocationListContents

  /// Parses exactly one DER list.
  ///
  /// Throws ``RevocationEvidenceError`` if the bytes are not one, or if anything follows it.
  public init(der: [UInt8]) throws(RevocationEvidenceError) {
    var parser = RevocationListParser(der)
    self.contents = try parser.parse()
  }

  /// The DER, byte for byte as it was read.
  public var der: [UInt8] { contents.der }

  /// The name of who signed it.
  public var issuer: DistinguishedName { contents.issuer }

  /// When it was issued.
  public var thisUpdate: Timestamp { contents.thisUpdate }

  /// By when a newer one will be issued; nil if it does not say, which RFC 5280 5.1.2.5 forbids.
  public var nextUpdate: Timestamp? { contents.nextUpdate }

  /// The octets of its number, big endian without sign; nil if it has none or a negative one.
  public var number: ArraySlice<UInt8>? { contents.number?.magnitude }

  /// Whether it lists only the changes since an earlier list (RFC 5280 5.2.4).
  public var isDelta: Bool { contents.baseNumber != nil }

  /// How many certificates it lists.
  public var count: Int { contents.entries.count }
}

extension CertificateRevocationList: Hashable {
  /// Equality of the DER.
  public static func == (left: Self, right: Self) -> Bool {
    left.contents === right.contents || left.contents.der == right.contents.der
  }

  /// Hashes the length and the end of the signature, which differ between lists.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(contents.der.count)
    for octet in contents.der.suffix(24) { hasher.combine(octet) }
  }
}

/// The parts of a list, shared by all copies of the value.
final class RevocationListContents: Sendable {
  let der: [UInt8]
  let signed: SignedBytes
  let issuer: DistinguishedName
  let issuerKey: NameKey
  let thisUpdate: Timestamp
  let nextUpdate: Timestamp?
  let entries: [RevocationListEntry]
  let number: RevocationListNumber?
  /// The number of the list that this one is the delta to; nil for a complete list.
  let baseNumber: RevocationListNumber?
  let scope: IssuingDistributionPoint?
  let authorityKeyIdentifier: AuthorityKeyIdentifier?
  /// Where deltas to this list are found; empty if it does not say.
  let freshest: [DistributionPoint]
  /// Critical extensions, of the list or of an entry, that nothing here understands: it must not be used at all
  /// (RFC 5280 5.2 and 5.3).
  let unknownCritical: [OID]
  /// What RFC 5280 wants otherwise, in words: such a list still proves that a certificate is revoked, but not that one
  /// is good.
  let formFaults: [String]

  init(
    der: [UInt8], signed: SignedBytes, issuer: DistinguishedName, thisUpdate: Timestamp, nextUpdate: Timestamp?,
    entries: [RevocationListEntry], extensions: RevocationListExtensions, unknownCritical: [OID], formFaults: [String]
  ) {
    self.der = der
    self.signed = signed
    self.issuer = issuer
    self.issuerKey = NameKey(issuer)
    self.thisUpdate = thisUpdate
    self.nextUpdate = nextUpdate
    self.entries = entries
    self.number = extensions.number
    self.baseNumber = extensions.baseNumber
    self.scope = extensions.scope
    self.authorityKeyIdentifier = extensions.authorityKeyIdentifier
    self.freshest = extensions.freshest
    self.unknownCritical = unknownCritical
    self.formFaults = formFaults
  }

  /// The last entry for a certificate; nil if it is not listed. Entries name the issuer of their certificates only in
  /// indirect lists (RFC 5280 5.3.3); otherwise it is the list's.
  func entry(for certificate: Certificate) -> RevocationListEntry? {
    let serial = SerialNumber.normalized(certificate.serialNumber)
    return entries.last { entry in
      entry.serialNumber == serial && (entry.issuer ?? issuerKey) == certificate.contents.issuerKey
    }
  }
}

/// One entry of a list.
struct RevocationListEntry: Sendable {
  let serialNumber: ArraySlice<UInt8>
  let date: Timestamp
  let reason: RevocationReason
  /// The issuer of the certificate; nil if it is that of the list.
  let issuer: NameKey?
}

/// What was signed, by what algorithm, and the signature.
struct SignedBytes: Sendable {
  let message: ArraySlice<UInt8>
  let algorithm: AlgorithmIdentifier
  let signature: ArraySlice<UInt8>
}

/// The number of a list, of any length (RFC 5280 5.2.3).
struct RevocationListNumber: Hashable, Comparable, Sendable {
  /// Big endian without leading zeros.
  let magnitude: ArraySlice<UInt8>

  init(_ element: DERElement) throws(DERError) {
    let octets = try element.integer()
    guard octets.first.map({ $0 < 0x80 }) ?? false else {
      throw DERError(.invalidValue("negative number of a list"), at: element.encoded.startIndex)
    }
    self.magnitude = octets.drop { $0 == 0 }
  }

  static func < (left: Self, right: Self) -> Bool {
    left.magnitude.count == right.magnitude.count
      ? left.magnitude.lexicographicallyPrecedes(right.magnitude) : left.magnitude.count < right.magnitude.count
  }
}

/// Serial numbers are compared as integers, so that one that was not written in its shortest form is found too.
enum SerialNumber {
  /// The content octets without what is redundant in two's complement.
  static func normalized(_ octets: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var octets = octets
    while octets.count > 1, let first = octets.first {
      let second = octets[octets.startIndex + 1]
      guard first == 0x00 && second < 0x80 || first == 0xFF && second >= 0x80 else { break }
      octets = octets.dropFirst()
    }
    return octets
  }
}

/// Why bytes are not evidence of revocation.
public struct RevocationEvidenceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The field of the ASN.1 of RFC 5280 or RFC 6960 that is wrong, as in `tbsCertList.revokedCertificates`.
  public let field: String
  /// What is wrong with its DER.
  public let cause: DERError

  /// Field and cause.
  public var description: String { "\(field): \(cause)" }
}
