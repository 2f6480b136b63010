// SPDX-License-Identifier: Apache-2.0

/// basicConstraints (RFC 5280 4.2.1.9).
public struct BasicConstraints: Hashable, Sendable {
  /// Whether the subject may issue certificates.
  public let isCA: Bool
  /// How many intermediate certificates that are not self-issued may follow; nil if there is no limit.
  public let pathLength: Int?

  init(_ element: DERElement) throws(DERError) {
    var fields = try element.reader()
    self.isCA = try fields.readIfPresent(.boolean)?.boolean() ?? false
    self.pathLength = try fields.readIfPresent(.integer)?.smallInteger()
    try fields.finish()
  }
}

/// keyUsage (RFC 5280 4.2.1.3).
public struct KeyUsage: OptionSet, Hashable, Sendable {
  /// Bit n of the BIT STRING is 1 shifted left by n.
  public let rawValue: UInt16

  /// Usages from their bits.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// digitalSignature.
  public static let digitalSignature = KeyUsage(rawValue: 1 << 0)
  /// nonRepudiation, also called contentCommitment.
  public static let nonRepudiation = KeyUsage(rawValue: 1 << 1)
  /// keyEncipherment.
  public static let keyEncipherment = KeyUsage(rawValue: 1 << 2)
  /// dataEncipherment.
  public static let dataEncipherment = KeyUsage(rawValue: 1 << 3)
  /// keyAgreement.
  public static let keyAgreement = KeyUsage(rawValue: 1 << 4)
  /// keyCertSign: the key verifies signatures on certificates.
  public static let keyCertSign = KeyUsage(rawValue: 1 << 5)
  /// cRLSign: the key verifies signatures on revocation lists.
  public static let cRLSign = KeyUsage(rawValue: 1 << 6)
  /// encipherOnly.
  public static let encipherOnly = KeyUsage(rawValue: 1 << 7)
  /// decipherOnly.
  public static let decipherOnly = KeyUsage(rawValue: 1 << 8)

  /// The names of RFC 5280, in the order of the bits.
  public static let names: [(usage: KeyUsage, name: String)] = [
    (.digitalSignature, "digitalSignature"), (.nonRepudiation, "nonRepudiation"),
    (.keyEncipherment, "keyEncipherment"), (.dataEncipherment, "dataEncipherment"), (.keyAgreement, "keyAgreement"),
    (.keyCertSign, "keyCertSign"), (.cRLSign, "cRLSign"), (.encipherOnly, "encipherOnly"),
    (.decipherOnly, "decipherOnly"),
  ]

  init(_ element: DERElement) throws(DERError) {
    let octets = try element.bitString().octets
    guard octets.count <= 2 else {
      throw DERError(.invalidValue("key usage of more than two octets"), at: element.encoded.startIndex)
    }
    var bits: UInt16 = 0
    for (index, octet) in octets.enumerated() {
      for bit in 0..<8 where octet & (0x80 >> UInt8(bit)) != 0 { bits |= 1 << UInt16(index * 8 + bit) }
    }
    guard bits != 0 else { throw DERError(.invalidValue("key usage without a bit"), at: element.encoded.startIndex) }
    self.init(rawValue: bits)
  }
}

/// nameConstraints (RFC 5280 4.2.1.10).
public struct NameConstraints: Hashable, Sendable {
  /// Names of these kinds must lie in one of these subtrees; empty if the field is absent.
  public let permitted: [GeneralName]
  /// Names must lie in none of these subtrees; empty if the field is absent.
  public let excluded: [GeneralName]

  init(_ element: DERElement) throws(DERError) {
    var fields = try element.reader()
    self.permitted = try fields.readIfPresent(.context(0, constructed: true)).map(Self.subtrees) ?? []
    self.excluded = try fields.readIfPresent(.context(1, constructed: true)).map(Self.subtrees) ?? []
    try fields.finish()
    guard !permitted.isEmpty || !excluded.isEmpty else {
      throw DERError(.invalidValue("name constraints without a subtree"), at: element.encoded.startIndex)
    }
  }

  private static func subtrees(_ element: DERElement) throws(DERError) -> [GeneralName] {
    var bases: [GeneralName] = []
    for subtree in try element.elements() {
      guard subtree.tag == .sequence else {
        throw DERError(.unexpectedTag(expected: .sequence, found: subtree.tag), at: subtree.encoded.startIndex)
      }
      var fields = try subtree.reader()
      bases.append(try GeneralName(fields.read(), isSubtree: true))
      // RFC 5280 4.2.1.10: minimum is zero, so DER omits it, and maximum is absent.
      try fields.finish()
    }
    guard !bases.isEmpty else {
      throw DERError(.invalidValue("empty list of subtrees"), at: element.encoded.startIndex)
    }
    return bases
  }
}

/// authorityKeyIdentifier (RFC 5280 4.2.1.1).
public struct AuthorityKeyIdentifier: Hashable, Sendable {
  /// The subjectKeyIdentifier of the issuer; nil if absent.
  public let keyIdentifier: ArraySlice<UInt8>?
  /// The issuer's issuer; nil if absent.
  public let issuer: [GeneralName]?
  /// The content octets of the issuer's serial number; nil if absent.
  public let serialNumber: ArraySlice<UInt8>?

  init(_ element: DERElement) throws(DERError) {
    var fields = try element.reader()
    self.keyIdentifier = try fields.readIfPresent(.context(0))?.content
    self.issuer = try fields.readIfPresent(.context(1, constructed: true)).map(GeneralName.list)
    self.serialNumber = try fields.readIfPresent(.context(2))?.integer()
    try fields.finish()
    guard (issuer == nil) == (serialNumber == nil) else {
      throw DERError(.invalidValue("authority key identifier with half a name"), at: element.encoded.startIndex)
    }
  }
}
