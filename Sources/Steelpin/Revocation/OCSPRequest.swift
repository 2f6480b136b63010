// SPDX-License-Identifier: Apache-2.0

/// An OCSP request about one certificate (RFC 6960 4.1), not signed.
public struct OCSPRequest: Sendable, Hashable {
  /// The DER to send, with the media type `application/ocsp-request`.
  public let der: [UInt8]

  /// A request about a certificate that was issued by another. An empty nonce is left out; RFC 9654 wants 1 to 128
  /// octets, best 32.
  public init(for certificate: Certificate, issuedBy issuer: Certificate, nonce: [UInt8] = []) {
    let identifier = OCSPCertificateID.encode(certificate, issuedBy: issuer)
    var fields = [DER.sequence(DER.sequence(identifier))]
    if !nonce.isEmpty {
      let value = DER.octetString(DER.octetString(nonce))
      let list = DER.sequence(DER.sequence(DER.objectIdentifier(.ocspNonce), value))
      fields.append(DER.explicit(2, list))
    }
    self.der = DER.sequence(DER.sequence(fields))
  }
}

/// The name by which OCSP knows a certificate (CertID, RFC 6960 4.1.1).
struct OCSPCertificateID: Hashable, Sendable {
  private let hash: OID
  private let issuerNameHash: ArraySlice<UInt8>
  private let issuerKeyHash: ArraySlice<UInt8>
  let serialNumber: ArraySlice<UInt8>

  init(_ element: DERElement) throws(DERError) {
    var fields = try element.reader()
    self.hash = try AlgorithmIdentifier(fields.read(.sequence)).algorithm
    self.issuerNameHash = try fields.read(.octetString).content
    self.issuerKeyHash = try fields.read(.octetString).content
    self.serialNumber = SerialNumber.normalized(try fields.read(.integer).content)
    try fields.finish()
  }

  /// Whether it names the certificate. Responders know issuers by SHA-1, some by SHA-256; by another hash nothing is
  /// found.
  func names(_ certificate: Certificate, issuedBy issuer: Certificate) -> Bool {
    guard serialNumber == SerialNumber.normalized(certificate.serialNumber) else { return false }
    return Self.hash(issuer.publicKey.key, by: hash) == issuerKeyHash
      && [certificate.issuer, issuer.subject].contains { Self.hash($0.encoded, by: hash) == issuerNameHash }
  }

  /// The encoding with SHA-1, which every responder knows.
  static func encode(_ certificate: Certificate, issuedBy issuer: Certificate) -> [UInt8] {
    DER.sequence(
      DER.sequence(DER.objectIdentifier(.sha1), DER.null), DER.octetString(SHA1.hash(certificate.issuer.encoded)),
      DER.octetString(SHA1.hash(issuer.publicKey.key)), DER.element(.integer, certificate.serialNumber))
  }

  private static func hash(_ bytes: ArraySlice<UInt8>, by hash: OID) -> ArraySlice<UInt8>? {
    switch hash {
    case .sha1: SHA1.hash(bytes)[...]
    case .sha256: SHA256Digest(of: bytes).octets[...]
    default: nil
    }
  }
}
