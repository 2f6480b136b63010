// SPDX-License-Identifier: Apache-2.0

/// An OCSP response (RFC 6960 4.2) over its own DER.
///
/// Reading it checks its form only; who signed it, and whether it is current and about a certificate, is judged when the
/// certificate's status is asked.
public struct OCSPResponse: Sendable {
  /// Whether the responder answered at all.
  @nonexhaustive
  public enum Status: Int, Sendable, Hashable, Codable {
    /// There is an answer.
    case successful = 0
    /// The request could not be read.
    case malformedRequest = 1
    /// The responder failed.
    case internalError = 2
    /// The responder cannot answer now.
    case tryLater = 3
    /// The request must be signed.
    case sigRequired = 5
    /// The responder does not answer this client, or not about this certificate.
    case unauthorized = 6
  }

  /// What is said of one certificate.
  public struct Answer: Sendable {
    let identifier: OCSPCertificateID
    /// The status.
    public let status: CertificateStatus
    /// The moment at which the status is known to be right.
    public let thisUpdate: Timestamp
    /// By when newer information will be available; nil if it always is.
    public let nextUpdate: Timestamp?

    /// The content octets of the certificate's serial number.
    public var serialNumber: ArraySlice<UInt8> { identifier.serialNumber }
  }

  /// The status of a certificate.
  public enum CertificateStatus: Sendable, Hashable {
    /// Not revoked, as far as the responder knows.
    case good
    /// Revoked since a moment, perhaps with a reason.
    case revoked(Timestamp, RevocationReason?)
    /// The responder does not know the certificate.
    case unknown
  }

  /// The responder as it names itself.
  enum ResponderID: Sendable {
    /// SHA-1 of its key.
    case key(ArraySlice<UInt8>)
    case name(NameKey)
  }

  /// The signed part of a successful response.
  struct Basic: Sendable {
    let signed: SignedBytes
    let responder: ResponderID
    let producedAt: Timestamp
    let answers: [Answer]
    /// The nonce that it repeats; nil if it has none.
    let nonce: ArraySlice<UInt8>?
    /// Critical extensions that nothing here understands.
    let unknownCritical: [OID]
    /// The certificates that came along; what cannot be read is left out.
    let certificates: [Certificate]
  }

  /// Whether the responder answered.
  public let status: Status
  let basic: Basic?

  /// When the response was signed; nil if the responder did not answer.
  public var producedAt: Timestamp? { basic?.producedAt }

  /// What it says, certificate by certificate; empty if the responder did not answer.
  public var answers: [Answer] { basic?.answers ?? [] }

  /// Parses exactly one DER response.
  ///
  /// Throws ``RevocationEvidenceError`` if the bytes are not one, or if anything follows it.
  public init(der: [UInt8]) throws(RevocationEvidenceError) {
    var parser = OCSPResponseParser()
    (self.status, self.basic) = try parser.parse(der)
  }
}
