// SPDX-License-Identifier: Apache-2.0
import Steelpin

/// A certificate that says whatever a test wants. Its "signature" is the name of the key that made it, which only
/// ``FakeBackend`` accepts.
struct FakeCertificate {
  var version = 3
  var serialNumber: [UInt8] = [0x01, 0x02, 0x03]
  var subject: [UInt8]
  var issuer: [UInt8]
  var key: String
  var signer: String
  var validity: [UInt8]
  var innerAlgorithm = FakeAlgorithm.ecdsaWithSHA256
  var outerAlgorithm = FakeAlgorithm.ecdsaWithSHA256
  /// The SubjectPublicKeyInfo; nil for a P-256 key made from the key's name.
  var publicKey: [UInt8]?
  var extensions: [FakeExtension] = []

  /// A certificate with the common names given, in a good period, without extensions.
  init(_ subject: String, by issuer: String, key: String? = nil, signer: String? = nil) {
    self.subject = FakeName.commonName(subject)
    self.issuer = FakeName.commonName(issuer)
    self.key = key ?? subject
    self.signer = signer ?? issuer
    self.validity = Self.period(days: 90)
  }

  /// The certificate; it is well-formed as far as parsing checks.
  func make() throws -> Certificate {
    var fields: [[UInt8]] = []
    if version != 1 { fields.append(DER.explicit(0, DER.integer(version - 1))) }
    fields += [DER.element(.integer, serialNumber), innerAlgorithm, issuer, validity, subject]
    fields.append(publicKey ?? FakeKey.p256(key))
    if !extensions.isEmpty { fields.append(DER.explicit(3, DER.sequence(extensions.map(\.encoded)))) }
    let signature = DER.bitString(FakeKey.signature(by: FakeKey.p256Point(signer)))
    return try Certificate(der: DER.sequence(DER.sequence(fields), outerAlgorithm, signature))
  }

  /// Replaces the extension of the same kind, or adds one; nil takes it away.
  mutating func set(_ identifier: OID, _ item: FakeExtension?) {
    extensions.removeAll { $0.identifier == identifier }
    if let item { extensions.append(item) }
  }

  /// The moment at which all fakes are judged: 2027-01-15.
  static let now = Timestamp(secondsSince1970: 1_800_000_000)

  /// A period that began ten days ago.
  static func period(days: Int64, beginning: Timestamp = now.advanced(byDays: -10)) -> [UInt8] {
    DER.sequence(DER.time(beginning), DER.time(beginning.advanced(byDays: days)))
  }
}

/// Names in DER.
enum FakeName {
  static let empty = DER.sequence()

  static func commonName(_ text: String) -> [UInt8] { attributes((.commonName, text)) }

  static func attributes(_ values: (OID, String)...) -> [UInt8] {
    DER.sequence(
      values.map { type, text in
        DER.setOf([DER.sequence(DER.objectIdentifier(type), DER.string(.utf8String, text))])
      })
  }
}

/// Public keys in DER.
enum FakeKey {
  /// The octets of an uncompressed point, which the name fills.
  static func p256Point(_ name: String) -> [UInt8] {
    [0x04] + SHA256Digest(of: Array(name.utf8)).octets + Array(repeating: 7, count: 32)
  }

  /// What a key makes of any message: two numbers, as in ECDSA.
  static func signature(by key: some Sequence<UInt8>) -> [UInt8] {
    DER.sequence(DER.integer(magnitude: Array(key)), DER.integer(1))
  }

  static func p256(_ name: String) -> [UInt8] { ec(.p256, p256Point(name)) }

  static func ec(_ curve: OID, _ point: [UInt8]) -> [UInt8] {
    spki(DER.sequence(DER.objectIdentifier(.ecPublicKey), DER.objectIdentifier(curve)), point)
  }

  static func explicitCurve(_ name: String) -> [UInt8] {
    spki(DER.sequence(DER.objectIdentifier(.ecPublicKey), DER.sequence(DER.integer(1))), p256Point(name))
  }

  static func rsa(bits: Int, exponent: [UInt8] = DER.integer(65537)) -> [UInt8] {
    var modulus = [UInt8](repeating: 0xA5, count: (bits + 7) / 8)
    if let first = modulus.indices.first { modulus[first] = UInt8(1 << ((bits - 1) % 8)) }
    let key = DER.sequence(DER.integer(magnitude: modulus), exponent)
    return spki(DER.sequence(DER.objectIdentifier(.rsaEncryption), DER.null), key)
  }

  static func ed25519(_ name: String) -> [UInt8] {
    spki(DER.sequence(DER.objectIdentifier(.ed25519)), SHA256Digest(of: Array(name.utf8)).octets)
  }

  private static func spki(_ algorithm: [UInt8], _ key: [UInt8]) -> [UInt8] {
    DER.sequence(algorithm, DER.bitString(key))
  }

  /// The key identifier that fakes use for a name.
  static func identifier(_ name: String) -> [UInt8] { Array(SHA256Digest(of: Array(name.utf8)).octets.prefix(20)) }
}

/// Signature algorithms in DER.
enum FakeAlgorithm {
  static let ecdsaWithSHA256 = DER.sequence(DER.objectIdentifier(.ecdsaWithSHA256))
  static let ecdsaWithSHA1 = DER.sequence(DER.objectIdentifier(.ecdsaWithSHA1))
  static let md5WithRSA = DER.sequence(DER.objectIdentifier(.md5WithRSA), DER.null)
  static let sha1WithRSAOfOIW = DER.sequence(DER.objectIdentifier(OID([0x2B, 0x0E, 3, 2, 29])), DER.null)
  static let sha256WithRSAAndParameters = DER.sequence(DER.objectIdentifier(.sha256WithRSA), DER.integer(1))
  static let rsaPSSWithDefaults = DER.sequence(DER.objectIdentifier(.rsaPSS), DER.sequence())
}
