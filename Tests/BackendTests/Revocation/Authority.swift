// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinTestSupport
import Testing

/// A certificate with its key, which issues others, lists and responses for tests of revocation.
struct Authority {
  let name: [UInt8]
  let key: any PrivateKey
  let certificate: Certificate

  /// The moment at which the tests judge, 2026-06-01T00:00:00Z; everything is made around it.
  static let clock = Timestamp(secondsSince1970: 1_780_272_000)

  /// A self-signed root.
  static func root(_ name: String) throws -> Authority {
    let key = try newKey()
    return try issue(name, serial: 1, key, by: nil, Extensions(isCA: true))
  }

  /// A certificate that this one issues, with a new key unless one is given.
  func issue(
    _ name: String, serial: Int, _ extensions: Extensions = Extensions(), key: (any PrivateKey)? = nil,
    days: ClosedRange<Int64> = -100...100
  ) throws -> Authority {
    try Self.issue(name, serial: serial, key ?? Self.newKey(), by: self, extensions, days: days)
  }

  /// The extensions of a certificate.
  struct Extensions {
    var isCA = false
    /// Bits of keyUsage; nil leaves the extension out.
    var usage: [Int]? = nil
    var purposes: [OID] = []
    /// Further extensions, each its whole encoding.
    var others: [[UInt8]] = []
  }

  /// A new key; making one of P-256 takes well under a millisecond.
  static func newKey() throws -> any PrivateKey {
    try #require(keyProviders.first).value.generateKey(.ecdsa(bits: 256))
  }

  /// The DER of a name with one common name.
  static func name(_ text: String) -> [UInt8] {
    let attribute = DER.sequence(DER.objectIdentifier(.commonName), DER.string(.utf8String, text))
    return DER.sequence(DER.setOf([attribute]))
  }

  /// The DER of an extension.
  static func encode(_ oid: OID, isCritical: Bool = false, _ value: [UInt8]) -> [UInt8] {
    DER.sequence(DER.objectIdentifier(oid), isCritical ? DER.boolean(true) : [], DER.octetString(value))
  }

  /// Signs a structure of the kind `SEQUENCE { signed, algorithm, signature, more }`.
  func sign(_ message: [UInt8], more: [UInt8] = []) throws -> [UInt8] {
    let signature = try key.sign(message, .ecdsa(.sha256))
    return DER.sequence(message, Self.algorithm, DER.bitString(signature), more)
  }

  static let algorithm = DER.sequence(DER.objectIdentifier(.ecdsaWithSHA256))

  /// The identifier of the key, as subjectKeyIdentifier has it.
  var keyIdentifier: [UInt8] { SHA1.hash(certificate.publicKey.key) }

  private static func issue(
    _ name: String, serial: Int, _ key: any PrivateKey, by issuer: Authority?, _ extensions: Extensions,
    days: ClosedRange<Int64> = -100...100
  ) throws -> Authority {
    let subject = Self.name(name)
    let info = try PublicKeyInfo(der: key.publicKeyInfo)
    var list = [
      encode(.subjectKeyIdentifier, DER.octetString(SHA1.hash(info.key))),
      encode(
        .authorityKeyIdentifier,
        DER.sequence(DER.implicit(0, DER.octetString(issuer?.keyIdentifier ?? SHA1.hash(info.key))))),
    ]
    if extensions.isCA {
      list.append(encode(.basicConstraints, isCritical: true, DER.sequence(DER.boolean(true))))
    }
    if let usage = extensions.usage ?? (extensions.isCA ? [5, 6] : nil) {
      list.append(encode(.keyUsage, isCritical: true, DER.namedBits(usage)))
    }
    if !extensions.purposes.isEmpty {
      list.append(encode(.extendedKeyUsage, DER.sequence(extensions.purposes.map(DER.objectIdentifier))))
    }
    let tbs = DER.sequence(
      DER.explicit(0, DER.integer(2)), DER.integer(serial), algorithm, issuer?.name ?? subject,
      DER.sequence(
        DER.time(clock.advanced(byDays: days.lowerBound)), DER.time(clock.advanced(byDays: days.upperBound))),
      subject, key.publicKeyInfo, DER.explicit(3, DER.sequence(list + extensions.others)))
    let signature = try (issuer?.key ?? key).sign(tbs, .ecdsa(.sha256))
    let der = DER.sequence(tbs, algorithm, DER.bitString(signature))
    return Authority(name: subject, key: key, certificate: try Certificate(der: der))
  }
}
