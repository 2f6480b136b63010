// SPDX-License-Identifier: Apache-2.0
import Steelpin

/// A revocation list to be made, good unless a test says otherwise.
struct ListRecipe {
  /// One entry.
  struct Entry {
    var serial: Int
    var reason: Int? = nil
    /// The issuer's common name, in indirect lists.
    var issuer: String? = nil
    var others: [[UInt8]] = []
  }

  /// The content of issuingDistributionPoint.
  struct Scope {
    var point: [UInt8]? = nil
    var onlyUsers = false
    var onlyAuthorities = false
    var reasons: [Int]? = nil
    var isIndirect = false
    var onlyAttributes = false

    var encoded: [UInt8] {
      var fields: [[UInt8]] = []
      if let point { fields.append(DER.explicit(0, point)) }
      if onlyUsers { fields.append(DER.implicit(1, DER.boolean(true))) }
      if onlyAuthorities { fields.append(DER.implicit(2, DER.boolean(true))) }
      if let reasons { fields.append(DER.implicit(3, DER.namedBits(reasons))) }
      if isIndirect { fields.append(DER.implicit(4, DER.boolean(true))) }
      if onlyAttributes { fields.append(DER.implicit(5, DER.boolean(true))) }
      return DER.sequence(fields)
    }
  }

  var entries: [Entry] = []
  var number: Int? = 1
  var isNumberCritical = false
  var base: Int? = nil
  var scope: Scope? = nil
  var thisUpdate = Authority.clock.advanced(byDays: -1)
  var nextUpdate: Timestamp? = Authority.clock.advanced(byDays: 1)
  var others: [[UInt8]] = []
  /// Left out in version 1.
  var isVersionTwo = true

  init(_ serials: Int...) { entries = serials.map { Entry(serial: $0) } }

  func der(by signer: Authority, named name: [UInt8]? = nil) throws -> [UInt8] {
    let revoked = entries.map { entry in
      var extensions = entry.others
      if let reason = entry.reason { extensions.append(Authority.encode(.reasonCode, DER.enumerated(reason))) }
      if let issuer = entry.issuer {
        let name = DER.explicit(4, Authority.name(issuer))
        extensions.append(Authority.encode(.certificateIssuer, isCritical: true, DER.sequence(name)))
      }
      return DER.sequence(
        DER.integer(entry.serial), DER.time(thisUpdate), extensions.isEmpty ? [] : DER.sequence(extensions))
    }
    var extensions = [
      Authority.encode(
        .authorityKeyIdentifier, DER.sequence(DER.implicit(0, DER.octetString(signer.keyIdentifier))))
    ]
    if let number {
      extensions.append(Authority.encode(.crlNumber, isCritical: isNumberCritical, DER.integer(number)))
    }
    if let base { extensions.append(Authority.encode(.deltaCRLIndicator, isCritical: true, DER.integer(base))) }
    if let scope { extensions.append(Authority.encode(.issuingDistributionPoint, isCritical: true, scope.encoded)) }
    return try signer.sign(
      DER.sequence(
        isVersionTwo ? DER.integer(1) : [], Authority.algorithm, name ?? signer.name, DER.time(thisUpdate),
        nextUpdate.map(DER.time) ?? [], revoked.isEmpty ? [] : DER.sequence(revoked),
        isVersionTwo ? DER.explicit(0, DER.sequence(extensions + others)) : []))
  }

  func list(by signer: Authority, named name: [UInt8]? = nil) throws -> CertificateRevocationList {
    try CertificateRevocationList(der: der(by: signer, named: name))
  }

  /// The DER of a distribution point's name with one URL.
  static func url(_ text: String) -> [UInt8] { DER.explicit(0, DER.implicit(6, DER.string(.ia5String, text))) }

  /// The DER of a distribution point's name with one directory name.
  static func directory(_ name: String) -> [UInt8] { DER.explicit(0, DER.explicit(4, Authority.name(name))) }

  /// The DER of a distribution point's name that continues the issuer's.
  static func relative(_ text: String) -> [UInt8] {
    let attribute = DER.sequence(DER.objectIdentifier(.commonName), DER.string(.utf8String, text))
    return DER.implicit(1, DER.setOf([attribute]))
  }

  /// The extension cRLDistributionPoints with points of a name, reasons and the common name of another issuer each.
  static func points(_ points: (name: [UInt8]?, reasons: [Int]?, issuer: String?)...) -> [UInt8] {
    let list = points.map { point in
      DER.sequence(
        point.name.map { DER.explicit(0, $0) } ?? [], point.reasons.map { DER.implicit(1, DER.namedBits($0)) } ?? [],
        point.issuer.map { DER.explicit(2, DER.explicit(4, Authority.name($0))) } ?? [])
    }
    return Authority.encode(.crlDistributionPoints, DER.sequence(list))
  }
}
