// SPDX-License-Identifier: Apache-2.0
import Steelpin

/// An OCSP response to be made, good unless a test says otherwise.
struct ResponseRecipe {
  enum Status {
    case good
    case revoked(reason: Int?)
    case unknown
  }

  var status = Status.good
  var thisUpdate = Authority.clock.advanced(byDays: -1)
  var nextUpdate: Timestamp? = Authority.clock.advanced(byDays: 1)
  var producedAt = Authority.clock.advanced(byDays: -1)
  /// The certificate that is answered for; nil for the one that was asked about.
  var subject: Certificate? = nil
  var usesSHA256 = false
  var namesResponderByKey = false
  var nonce: [UInt8]? = nil
  var certificates: [Authority] = []
  var others: [[UInt8]] = []

  func der(for certificate: Certificate, issuedBy issuer: Certificate, by signer: Authority) throws -> [UInt8] {
    let subject = self.subject ?? certificate
    func hash(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
      DER.octetString(usesSHA256 ? SHA256Digest(of: bytes).octets : SHA1.hash(bytes))
    }
    let identifier = DER.sequence(
      DER.sequence(DER.objectIdentifier(usesSHA256 ? .sha256 : .sha1), DER.null), hash(subject.issuer.encoded),
      hash(issuer.publicKey.key), DER.element(.integer, subject.serialNumber))
    let status =
      switch self.status {
      case .good: DER.implicit(0, DER.null)
      case .revoked(let reason):
        DER.implicit(
          1,
          DER.sequence(
            DER.generalizedTime(thisUpdate), reason.map { DER.explicit(0, DER.enumerated($0)) } ?? []))
      case .unknown: DER.implicit(2, DER.null)
      }
    let answer = DER.sequence(
      identifier, status, DER.generalizedTime(thisUpdate),
      nextUpdate.map { DER.explicit(0, DER.generalizedTime($0)) } ?? [])
    let responder =
      namesResponderByKey
      ? DER.explicit(2, DER.octetString(signer.keyIdentifier)) : DER.explicit(1, signer.name)
    var extensions = others
    if let nonce { extensions.append(Authority.encode(.ocspNonce, DER.octetString(nonce))) }
    let data = DER.sequence(
      responder, DER.generalizedTime(producedAt), DER.sequence(answer),
      extensions.isEmpty ? [] : DER.explicit(1, DER.sequence(extensions)))
    let carried = certificates.map(\.certificate.der)
    let basic = try signer.sign(data, more: carried.isEmpty ? [] : DER.explicit(0, DER.sequence(carried)))
    return DER.sequence(
      DER.enumerated(0),
      DER.explicit(0, DER.sequence(DER.objectIdentifier(.ocspBasicResponse), DER.octetString(basic))))
  }
}
