// SPDX-License-Identifier: Apache-2.0

/// Takes an OCSP response apart by the ASN.1 of RFC 6960 4.2.1.
struct OCSPResponseParser {
  private var field = "ocspResponse"
  private var unknownCritical: [OID] = []

  mutating func parse(_ der: [UInt8]) throws(RevocationEvidenceError) -> (OCSPResponse.Status, OCSPResponse.Basic?) {
    do {
      return try parseResponse(der)
    } catch {
      throw RevocationEvidenceError(field: field, cause: error)
    }
  }

  private mutating func parseResponse(
    _ der: [UInt8]
  ) throws(DERError) -> (OCSPResponse.Status, OCSPResponse.Basic?) {
    var fields = try DERReader.single(der[...], .sequence).reader()
    field = "responseStatus"
    let element = try fields.read(.enumerated)
    guard let status = OCSPResponse.Status(rawValue: try element.smallInteger()) else {
      throw DERError(.invalidValue("unknown status of a response"), at: element.encoded.startIndex)
    }
    field = "responseBytes"
    let explicit = try fields.readIfPresent(.context(0, constructed: true))
    try fields.finish()
    guard status == .successful else { return (status, nil) }
    guard let explicit else { throw DERError(.truncated, at: fields.offset) }
    var bytes = try DERReader.single(explicit.content, .sequence).reader()
    let type = try bytes.read(.objectIdentifier)
    guard try type.objectIdentifier() == .ocspBasicResponse else {
      throw DERError(.invalidValue("response that is not a basic one"), at: type.encoded.startIndex)
    }
    let response = try bytes.read(.octetString)
    try bytes.finish()
    return (status, try parseBasic(DERReader.single(response.content, .sequence)))
  }

  private mutating func parseBasic(_ element: DERElement) throws(DERError) -> OCSPResponse.Basic {
    field = "basicOCSPResponse"
    var outer = try element.reader()
    let data = try outer.read(.sequence)
    let algorithm = try AlgorithmIdentifier(outer.read(.sequence))
    let signature = try outer.read(.bitString).signatureOctets()
    let certificates = try outer.readIfPresent(.context(0, constructed: true))
    try outer.finish()

    field = "tbsResponseData"
    var fields = try data.reader()
    if let version = try fields.readIfPresent(.context(0, constructed: true)) {
      guard try DERReader.single(version.content, .integer).smallInteger() == 0 else {
        throw DERError(.invalidValue("version that is not 1"), at: version.encoded.startIndex)
      }
    }
    field = "tbsResponseData.responderID"
    let responder = try Self.responder(fields.read())
    field = "tbsResponseData.producedAt"
    let producedAt = try Timestamp(fields.read(.generalizedTime))
    field = "tbsResponseData.responses"
    var answers: [OCSPResponse.Answer] = []
    var list = try fields.read(.sequence).reader()
    while !list.isAtEnd { answers.append(try answer(list.read(.sequence))) }
    field = "tbsResponseData.responseExtensions"
    let extensions = try extensions(&fields, tag: 1)
    try fields.finish()
    let nonce = extensions.first { $0.identifier == .ocspNonce }
    field = "certs"
    return OCSPResponse.Basic(
      signed: SignedBytes(message: data.encoded, algorithm: algorithm, signature: signature), responder: responder,
      producedAt: producedAt, answers: answers, nonce: try nonce.map(Self.nonce), unknownCritical: unknownCritical,
      certificates: try certificates.map(Self.certificates) ?? [])
  }

  private mutating func answer(_ element: DERElement) throws(DERError) -> OCSPResponse.Answer {
    var fields = try element.reader()
    let identifier = try OCSPCertificateID(fields.read(.sequence))
    let status = try Self.status(fields.read())
    let thisUpdate = try Timestamp(fields.read(.generalizedTime))
    let nextUpdate = try fields.readIfPresent(.context(0, constructed: true)).map { explicit throws(DERError) in
      try Timestamp(DERReader.single(explicit.content, .generalizedTime))
    }
    _ = try extensions(&fields, tag: 1)
    try fields.finish()
    return OCSPResponse.Answer(identifier: identifier, status: status, thisUpdate: thisUpdate, nextUpdate: nextUpdate)
  }

  /// Reads extensions under an explicit tag and notes the critical ones that are not understood.
  private mutating func extensions(_ fields: inout DERReader, tag: UInt8) throws(DERError) -> [CertificateExtension] {
    guard let explicit = try fields.readIfPresent(.context(tag, constructed: true)) else { return [] }
    let list = try CertificateExtension.list(DERReader.single(explicit.content, .sequence))
    unknownCritical += list.filter { $0.isCritical && $0.identifier != .ocspNonce }.map(\.identifier)
    return list
  }

  private static func responder(_ element: DERElement) throws(DERError) -> OCSPResponse.ResponderID {
    switch element.tag {
    case .context(1, constructed: true):
      return .name(NameKey(try DistinguishedName(DERReader.single(element.content, .sequence))))
    case .context(2, constructed: true): return .key(try DERReader.single(element.content, .octetString).content)
    default: throw DERError(.invalidValue("unknown kind of responder"), at: element.encoded.startIndex)
    }
  }

  private static func status(_ element: DERElement) throws(DERError) -> OCSPResponse.CertificateStatus {
    switch element.tag {
    case .context(0) where element.content.isEmpty: return .good
    case .context(1, constructed: true):
      var fields = try element.reader()
      let date = try Timestamp(fields.read(.generalizedTime))
      let reason = try fields.readIfPresent(.context(0, constructed: true)).map { explicit throws(DERError) in
        try RevocationReason(DERReader.single(explicit.content, .enumerated))
      }
      try fields.finish()
      return .revoked(date, reason)
    case .context(2) where element.content.isEmpty: return .unknown
    default: throw DERError(.invalidValue("unknown status of a certificate"), at: element.encoded.startIndex)
    }
  }

  /// The nonce inside its OCTET STRING; responders of old put it there without one (RFC 9654 2.1).
  private static func nonce(_ item: CertificateExtension) throws(DERError) -> ArraySlice<UInt8> {
    (try? DERReader.single(item.value, .octetString))?.content ?? item.value
  }

  private static func certificates(_ explicit: DERElement) throws(DERError) -> [Certificate] {
    var list = try DERReader.single(explicit.content, .sequence).reader()
    var certificates: [Certificate] = []
    while !list.isAtEnd {
      let der = Array(try list.read(.sequence).encoded)
      if let certificate = try? Certificate(der: der) { certificates.append(certificate) }
    }
    return certificates
  }
}
