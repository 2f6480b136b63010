// SPDX-License-Identifier: Apache-2.0
public import Steelpin

/// How to make an OCSP response (RFC 6960 4.2). Nothing is checked, so that every response that somebody might meet can
/// be made; a ``Lab`` makes it, signed by whomever it is told, the issuer, a delegate or a stranger.
public struct OCSPResponseRecipe: Sendable {
  /// How a responder names itself.
  public enum ResponderID: Sendable, Hashable {
    /// By SHA-1 of the signer's key.
    case key
    /// By the given name.
    case name(NameRecipe)
    /// By the signer's subject name.
    case subject
  }

  /// Whether the responder answers at all; of any but `successful` nothing else is written.
  public var status: OCSPResponse.Status = .successful
  /// What is said of certificates.
  public var answers: [OCSPAnswerRecipe]
  /// How the responder names itself.
  public var responderID: ResponderID = .subject
  /// When the response is signed.
  public var producedAt: MomentRecipe = .seconds(-3600)
  /// The nonce that it repeats; nil leaves it out.
  public var nonce: [UInt8]?
  /// Further extensions.
  public var extensions: [ExtensionRecipe] = []
  /// The certificates that come along, DER; a delegate's must.
  public var certificates: [[UInt8]] = []
  /// The algorithm of the signature; nil for the usual one of the signer's key.
  public var signatureAlgorithm: SignatureAlgorithm?
  /// What is wrong with the encoding or the signature; the signed part is ResponseData, the whole OCSPResponse.
  public var faults: [RecipeFault] = []

  /// A response with the given answers.
  public init(_ answers: [OCSPAnswerRecipe]) { self.answers = answers }

  /// A response about one certificate.
  public init(
    _ certificate: IssuedCertificate, issuedBy issuer: IssuedCertificate, _ status: OCSPStatusRecipe = .good
  ) {
    self.init([OCSPAnswerRecipe(certificate, issuedBy: issuer, status)])
  }

  /// A response that says only why there is no answer.
  public init(failure: OCSPResponse.Status) {
    self.init([])
    self.status = failure
  }

  /// The recipe with some changes.
  public func with(_ change: (inout OCSPResponseRecipe) throws -> Void) rethrows -> OCSPResponseRecipe {
    var copy = self
    try change(&copy)
    return copy
  }

  /// Makes the response and returns its DER.
  func response(by signer: IssuedCertificate, clock: Timestamp) throws(RecipeError) -> [UInt8] {
    let recipeSigner = try RecipeSigner(signer.key, signatureAlgorithm, faults)
    let status = DER.enumerated(self.status.rawValue)
    guard self.status == .successful else { return try recipeSigner.finish(DER.sequence(status)) }

    var list: [[UInt8]] = []
    for answer in answers { list.append(try answer.der(clock: clock)) }
    let nonce = self.nonce.map { [ExtensionRecipe(.raw(.ocspNonce, DER.octetString($0)))] } ?? []
    let extensions = nonce + self.extensions
    // ResponseData and BasicOCSPResponse, RFC 6960 4.2.1.
    let data = DER.sequence(
      responder(signer), try producedAt.generalizedDER(by: clock, in: "producedAt"), DER.sequence(list),
      try extensions.isEmpty ? [] : DER.explicit(1, ExtensionWriter(issuer: signer).list(extensions)))
    let certificates = self.certificates.isEmpty ? [] : DER.explicit(0, DER.sequence(self.certificates))
    let basic = try recipeSigner.sign(data, followedBy: certificates)
    let bytes = DER.sequence(DER.objectIdentifier(.ocspBasicResponse), DER.octetString(basic))
    return try recipeSigner.finish(DER.sequence(status, DER.explicit(0, bytes)))
  }

  private func responder(_ signer: IssuedCertificate) -> [UInt8] {
    switch responderID {
    case .key: DER.explicit(2, DER.octetString(ExtensionWriter.keyIdentifier(of: signer.publicKeyInfo)))
    case .name(let name): DER.explicit(1, name.der)
    case .subject: DER.explicit(1, signer.subject.der)
    }
  }
}

/// What an OCSP response to be written says of one certificate.
public struct OCSPAnswerRecipe: Sendable {
  /// The hash by which the certificate's issuer is named.
  public enum Hash: Sendable, Hashable {
    /// SHA-1, which every client knows.
    case sha1
    /// SHA-256.
    case sha256
  }

  /// The certificate.
  public var certificate: IssuedCertificate
  /// Its issuer.
  public var issuer: IssuedCertificate
  /// What is said of it.
  public var status: OCSPStatusRecipe
  /// The moment at which the status is known to be right.
  public var thisUpdate: MomentRecipe = .seconds(-3600)
  /// By when newer information is available; nil leaves the field out.
  public var nextUpdate: MomentRecipe? = .days(1)
  /// The hash by which the issuer is named.
  public var hash: Hash = .sha1
  /// Extensions of this answer.
  public var extensions: [ExtensionRecipe] = []

  /// An answer about a certificate.
  public init(
    _ certificate: IssuedCertificate, issuedBy issuer: IssuedCertificate, _ status: OCSPStatusRecipe = .good
  ) {
    self.certificate = certificate
    self.issuer = issuer
    self.status = status
  }

  fileprivate func der(clock: Timestamp) throws(RecipeError) -> [UInt8] {
    var next: [UInt8] = []
    if let nextUpdate { next = DER.explicit(0, try nextUpdate.generalizedDER(by: clock, in: "nextUpdate")) }
    return DER.sequence(
      identifier, try status.der(clock: clock), try thisUpdate.generalizedDER(by: clock, in: "thisUpdate"), next,
      try extensions.isEmpty ? [] : DER.explicit(1, ExtensionWriter(issuer: issuer).list(extensions)))
  }

  /// CertID, RFC 6960 4.1.1: by the issuer's name in the certificate and the issuer's key.
  private var identifier: [UInt8] {
    let key = (try? PublicKeyInfo(der: issuer.publicKeyInfo))?.key ?? []
    let name = certificate.issuerName.der
    let (oid, nameHash, keyHash) =
      switch hash {
      case .sha1: (OID.sha1, SHA1.hash(name), SHA1.hash(key))
      case .sha256: (OID.sha256, Array(SHA256Digest(of: name).octets), Array(SHA256Digest(of: key).octets))
      }
    return DER.sequence(
      DER.sequence(DER.objectIdentifier(oid), DER.null), DER.octetString(nameHash), DER.octetString(keyHash),
      DER.element(.integer, certificate.serialNumber))
  }
}

/// The status of a certificate in an OCSP response to be written.
public enum OCSPStatusRecipe: Sendable, Hashable {
  /// Not revoked, as far as the responder knows.
  case good
  /// Revoked since a moment, perhaps with a reason.
  case revoked(MomentRecipe, RevocationReason?)
  /// The responder does not know the certificate.
  case unknown

  /// Revoked two days ago, without a reason.
  public static let revoked = revoked(.days(-2), nil)

  fileprivate func der(clock: Timestamp) throws(RecipeError) -> [UInt8] {
    switch self {
    case .good: return DER.implicit(0, DER.null)
    case .revoked(let date, let reason):
      return DER.implicit(
        1,
        DER.sequence(
          try date.generalizedDER(by: clock, in: "revocationTime"),
          reason.map { DER.explicit(0, DER.enumerated($0.rawValue)) } ?? []))
    case .unknown: return DER.implicit(2, DER.null)
    }
  }
}
