// SPDX-License-Identifier: Apache-2.0
private import Synchronization

/// An X.509 certificate (RFC 5280) over its own DER; every part is a slice of those bytes.
///
/// Parsing checks the structure only. What a certificate says wrongly (a negative serial number, a malformed
/// extension) is kept and judged by the rules of a ``TrustPolicy``, so that such a certificate can still be shown.
public struct Certificate: Sendable {
  package let contents: CertificateContents

  /// Parses exactly one DER certificate.
  ///
  /// Throws ``CertificateError`` if the bytes are not one, or if anything follows it.
  public init(der: [UInt8]) throws(CertificateError) {
    var parser = CertificateParser(der)
    self.contents = try parser.parse()
  }

  /// The DER, byte for byte as it was read.
  public var der: [UInt8] { contents.der }

  /// The bytes that the issuer signed: the whole encoding of TBSCertificate.
  public var tbsCertificate: ArraySlice<UInt8> { contents.tbsCertificate }

  /// The version as people say it: 1, 2 or 3; other numbers are possible in a broken certificate.
  public var version: Int { contents.version }

  /// The content octets of the serial number, two's complement, big endian.
  public var serialNumber: ArraySlice<UInt8> { contents.serialNumber }

  /// The issuer's name.
  public var issuer: DistinguishedName { contents.issuer }

  /// The subject's name, possibly empty.
  public var subject: DistinguishedName { contents.subject }

  /// The period in which the issuer vouches for the certificate.
  public var validity: Validity { contents.validity }

  /// The subject's public key.
  public var publicKey: PublicKeyInfo { contents.publicKey }

  /// The signature algorithm as it stands outside the signed part.
  public var signatureAlgorithm: AlgorithmIdentifier { contents.outerAlgorithm }

  /// The signature algorithm as it stands inside the signed part; RFC 5280 4.1.1.2 wants the same.
  public var tbsSignatureAlgorithm: AlgorithmIdentifier { contents.innerAlgorithm }

  /// The signature's octets; empty if it is not of whole octets, as no signature is.
  public var signature: ArraySlice<UInt8> { contents.signature }

  /// All extensions, in order, not decoded.
  public var extensions: [CertificateExtension] { contents.extensions }

  /// The extensions that Steelpin understands, decoded.
  public var decoded: DecodedExtensions { contents.decoded }

  /// SHA-256 of the SubjectPublicKeyInfo, which is what a public-key pin names (RFC 7469 2.4).
  public var publicKeySHA256: SHA256Digest {
    contents.publicKeyDigest.value { SHA256Digest(of: contents.publicKey.encoded) }
  }

  /// SHA-256 of the DER, the certificate's fingerprint.
  public var sha256: SHA256Digest { contents.certificateDigest.value { SHA256Digest(of: contents.der[...]) } }

  /// Whether issuer and subject are the same name (RFC 5280 7.1); no signature is checked.
  public var isSelfIssued: Bool { contents.issuerKey == contents.subjectKey }
}

extension Certificate: Hashable {
  /// Equality of the DER, byte for byte.
  public static func == (left: Certificate, right: Certificate) -> Bool {
    left.contents === right.contents || left.contents.der == right.contents.der
  }

  /// Hashes the DER, by a hash of it that is made once.
  public func hash(into hasher: inout Hasher) { hasher.combine(contents.hash) }
}

/// The parts of a certificate, shared by all copies of the value.
package final class CertificateContents: Sendable {
  package let der: [UInt8]
  package let tbsCertificate: ArraySlice<UInt8>
  package let version: Int
  package let serialNumber: ArraySlice<UInt8>
  package let innerAlgorithm: AlgorithmIdentifier
  package let issuer: DistinguishedName
  package let validity: Validity
  package let subject: DistinguishedName
  package let publicKey: PublicKeyInfo
  package let extensions: [CertificateExtension]
  package let decoded: DecodedExtensions
  package let outerAlgorithm: AlgorithmIdentifier
  package let signature: ArraySlice<UInt8>
  fileprivate let publicKeyDigest = Lazy<SHA256Digest>()
  fileprivate let certificateDigest = Lazy<SHA256Digest>()
  private let knownHash = Atomic(0)
  private let preparedIssuer = Lazy<NameKey>()
  private let preparedSubject = Lazy<NameKey>()
  let rulesAsLeaf = ConcernedRules()
  let rulesAsIssuer = ConcernedRules()

  package init(
    der: [UInt8], tbsCertificate: ArraySlice<UInt8>, version: Int, serialNumber: ArraySlice<UInt8>,
    innerAlgorithm: AlgorithmIdentifier, issuer: DistinguishedName, validity: Validity, subject: DistinguishedName,
    publicKey: PublicKeyInfo, extensions: [CertificateExtension], outerAlgorithm: AlgorithmIdentifier,
    signature: ArraySlice<UInt8>
  ) {
    self.der = der
    self.tbsCertificate = tbsCertificate
    self.version = version
    self.serialNumber = serialNumber
    self.innerAlgorithm = innerAlgorithm
    self.issuer = issuer
    self.validity = validity
    self.subject = subject
    self.publicKey = publicKey
    self.extensions = extensions
    self.decoded = DecodedExtensions(extensions)
    self.outerAlgorithm = outerAlgorithm
    self.signature = signature
  }
}

extension CertificateContents {
  /// Of all of the DER, and seeded in each process, so that nobody can make certificates that collide.
  fileprivate var hash: Int {
    let known = knownHash.load(ordering: .relaxed)
    guard known == 0 else { return known }
    var hasher = Hasher()
    hasher.combine(octets: der)
    let hash = hasher.finalize()
    knownHash.store(hash, ordering: .relaxed)
    return hash
  }

  /// The issuer's name in the form in which names are compared.
  package var issuerKey: NameKey { preparedIssuer.value { NameKey(issuer) } }

  /// The subject's name in the form in which names are compared.
  package var subjectKey: NameKey {
    preparedSubject.value { issuer.encoded == subject.encoded ? issuerKey : NameKey(subject) }
  }
}

/// A value that is computed when first asked for, by whichever thread comes first.
private struct Lazy<Value: Sendable>: ~Copyable, Sendable {
  private final class Box: Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
  }

  private let box = AtomicLazyReference<Box>()

  borrowing func value(_ make: () -> Value) -> Value {
    if let box = box.load() { return box.value }
    return box.storeIfNil(Box(make())).value
  }
}

/// Why bytes are not a certificate.
public struct CertificateError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The field of RFC 5280's ASN.1 that is wrong, as in `tbsCertificate.validity`.
  public let field: String
  /// What is wrong with its DER.
  public let cause: DERError

  /// Field and cause.
  public var description: String { "\(field): \(cause)" }
}
