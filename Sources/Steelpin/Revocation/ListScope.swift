// SPDX-License-Identifier: Apache-2.0

/// A place where the revocation of a certificate is published: one of its distribution points, or the implied one.
struct PointOfList {
  let name: DistributionPointName?
  let reasons: ReasonSet?
  let crlIssuer: [GeneralName]

  /// The name as full names; a relative one continues the name of who signs the list.
  func names(for certificate: Certificate) -> [GeneralName]? {
    name?.names(relativeTo: crlIssuer.firstDirectoryName ?? certificate.issuer)
  }
}

extension Certificate {
  /// The distribution points, and then the one that every certificate has: all lists of its own issuer, of every reason
  /// (RFC 5280 6.3.3, after (l)).
  var pointsOfLists: [PointOfList] {
    let points = (decoded.crlDistributionPoints ?? []).map { point in
      PointOfList(name: point.name, reasons: point.reasons.map(ReasonSet.init(octets:)), crlIssuer: point.crlIssuer)
    }
    return points + [PointOfList(name: .full([.directory(issuer)]), reasons: nil, crlIssuer: [])]
  }
}

extension CertificateRevocationList {
  /// Whether it is a list of that point that covers the certificate (RFC 5280 6.3.3 (b)).
  func covers(_ certificate: Certificate, at point: PointOfList) -> Bool {
    let scope = contents.scope
    if point.crlIssuer.isEmpty {
      guard contents.issuerKey == certificate.contents.issuerKey else { return false }
    } else {
      guard point.crlIssuer.contains(.directory(issuer)), scope?.isIndirect == true else { return false }
    }
    guard let scope else { return true }
    if let name = scope.name {
      let names = name.names(relativeTo: issuer)
      guard (point.names(for: certificate) ?? point.crlIssuer).contains(where: names.contains) else { return false }
    }
    let isCA = certificate.decoded.basicConstraints?.isCA ?? false
    return !(scope.onlyUserCertificates && isCA) && !(scope.onlyCACertificates && !isCA)
      && !scope.onlyAttributeCertificates
  }
}

extension [GeneralName] {
  /// The first name of a directory; nil if there is none.
  fileprivate var firstDirectoryName: DistinguishedName? {
    for case .directory(let name) in self { return name }
    return nil
  }
}
