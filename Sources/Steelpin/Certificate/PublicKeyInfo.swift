// SPDX-License-Identifier: Apache-2.0

/// A SubjectPublicKeyInfo (RFC 5280 4.1.2.7) as its DER: the bytes that a public-key pin hashes.
public struct PublicKeyInfo: Hashable, Sendable {
  /// The whole encoding, algorithm and key.
  public let encoded: ArraySlice<UInt8>
  /// The key's algorithm with its parameters.
  public let algorithm: AlgorithmIdentifier
  /// The octets of the key itself.
  public let key: ArraySlice<UInt8>
  /// The kind of the key and its size.
  public let kind: PublicKeyKind

  package init(_ element: DERElement) throws(DERError) {
    var fields = try element.reader()
    self.encoded = element.encoded
    self.algorithm = try AlgorithmIdentifier(fields.read(.sequence))
    self.key = try fields.read(.bitString).octetAlignedBitString()
    try fields.finish()
    self.kind = Self.kind(of: key, algorithm)
  }

  /// Parses the DER of a SubjectPublicKeyInfo, as in a `PUBLIC KEY` PEM block.
  ///
  /// Throws ``DERError`` if the bytes are not one, or if anything follows it.
  public init(der: [UInt8]) throws(DERError) { try self.init(DERReader.single(der[...], .sequence)) }

  /// Equality of the encodings.
  public static func == (left: PublicKeyInfo, right: PublicKeyInfo) -> Bool { left.encoded == right.encoded }

  /// Hashes the encoding.
  public func hash(into hasher: inout Hasher) { hasher.combine(encoded) }

  /// SHA-256 of the encoding, which is what a public-key pin names.
  public var sha256: SHA256Digest { SHA256Digest(of: encoded) }
}

/// What kind of key a SubjectPublicKeyInfo holds.
@nonexhaustive
public enum PublicKeyKind: Hashable, Sendable {
  /// DSA with a prime of that many bits; nil if its parameters cannot be read.
  case dsa(bits: Int?)
  /// A key on the named curve; nil for explicit or missing parameters.
  case ec(curve: OID?)
  /// Ed25519, RFC 8410.
  case ed25519
  /// Ed448, RFC 8410.
  case ed448
  /// Any other algorithm.
  case other(OID)
  /// RSA with a modulus of that many bits; nil if the key cannot be read.
  case rsa(bits: Int?)
  /// RSA restricted to PSS (id-RSASSA-PSS) with a modulus of that many bits; nil if the key cannot be read.
  case rsaPSS(bits: Int?)
}

extension PublicKeyInfo {
  private static func kind(of key: ArraySlice<UInt8>, _ algorithm: AlgorithmIdentifier) -> PublicKeyKind {
    switch algorithm.algorithm {
    case .rsaEncryption: .rsa(bits: bits(ofFirstIntegerIn: key))
    case .rsaPSS: .rsaPSS(bits: bits(ofFirstIntegerIn: key))
    case .ecPublicKey: .ec(curve: try? DERReader.single(algorithm.parameters, .objectIdentifier).objectIdentifier())
    case .ed25519: .ed25519
    case .ed448: .ed448
    case .dsa: .dsa(bits: bits(ofFirstIntegerIn: algorithm.parameters))
    default: .other(algorithm.algorithm)
    }
  }

  /// The public exponent of an RSA key, big endian without leading zeros; nil for another or a broken key, or a negative
  /// number.
  package var rsaExponent: ArraySlice<UInt8>? {
    guard var fields = try? DERReader.single(key, .sequence).reader(),
      (try? fields.read(.integer).integer()) != nil, let exponent = try? fields.read(.integer).integer(),
      fields.isAtEnd
    else { return nil }
    return exponent.first.map { $0 < 0x80 } == true ? exponent.drop { $0 == 0 } : nil
  }

  private static func bits(ofFirstIntegerIn der: ArraySlice<UInt8>) -> Int? {
    guard var fields = try? DERReader.single(der, .sequence).reader(),
      let octets = try? fields.read(.integer).integer(), let first = octets.first, first < 0x80
    else { return nil }
    let significant = octets.drop { $0 == 0 }
    return significant.first.map { significant.count * 8 - $0.leadingZeroBitCount } ?? 0
  }
}

extension PublicKeyKind: CustomStringConvertible {
  /// The kind in a person's words, as in `RSA 2048` or `ECDSA P-256`.
  public var description: String {
    switch self {
    case .dsa(let bits): "DSA" + Self.size(bits)
    case .ec(let curve): "ECDSA " + (curve.map(Self.name) ?? "with unnamed curve")
    case .ed25519: "Ed25519"
    case .ed448: "Ed448"
    case .other(let oid): oid.description
    case .rsa(let bits): "RSA" + Self.size(bits)
    case .rsaPSS(let bits): "RSA-PSS" + Self.size(bits)
    }
  }

  private static func size(_ bits: Int?) -> String { bits.map { " \($0)" } ?? " of unreadable size" }

  private static func name(_ curve: OID) -> String {
    switch curve {
    case .p192: "P-192"
    case .p224: "P-224"
    case .p256: "P-256"
    case .p384: "P-384"
    case .p521: "P-521"
    case .secp256k1: "secp256k1"
    default: "curve \(curve)"
    }
  }
}
