// SPDX-License-Identifier: Apache-2.0

/// A library that makes private keys and signs with them: for certificate requests with backup pins, and for test
/// certificates.
public protocol KeyProvider: Sendable {
  /// Generates a new key.
  func generateKey(_ kind: KeyKind) throws(BackendError) -> any PrivateKey

  /// Reads an unencrypted PKCS#8 key (RFC 5958), DER.
  func importKey(pkcs8: [UInt8]) throws(BackendError) -> any PrivateKey
}

/// A private key inside a library.
public protocol PrivateKey: Sendable {
  /// The SubjectPublicKeyInfo of the key, DER, as a certificate carries it.
  var publicKeyInfo: [UInt8] { get }

  /// The key as unencrypted PKCS#8, DER.
  func pkcs8() throws(BackendError) -> [UInt8]

  /// Signs a message; the result is the content of a certificate's signatureValue (for ECDSA, DER of `Ecdsa-Sig-Value`).
  func sign(_ message: [UInt8], _ algorithm: SignatureAlgorithm) throws(BackendError) -> [UInt8]
}

/// The kinds of key that can be generated.
public enum KeyKind: Hashable, Sendable {
  /// ECDSA on NIST P-256, P-384 or P-521 (`256`, `384`, `521`).
  case ecdsa(bits: Int)
  /// Ed25519, RFC 8410.
  case ed25519
  /// Ed448, RFC 8410.
  case ed448
  /// RSA with rsaEncryption and a modulus of that many bits.
  case rsa(bits: Int)
  /// RSA with an id-RSASSA-PSS SubjectPublicKeyInfo without parameters.
  case rsaPSS(bits: Int)

  /// The sizes of RSA moduli that are generated: OpenSSL refuses fewer bits, GnuTLS's nettle aborts the process for
  /// very few, and more bits take either library hours.
  package static let rsaSizes = 512...16384
}

/// The hash functions of signatures.
public enum SignatureHash: Hashable, Sendable {
  /// SHA-1, for certificates that must be refused.
  case sha1
  /// SHA-256.
  case sha256
  /// SHA-384.
  case sha384
  /// SHA-512.
  case sha512
}

/// The signature algorithms that can be made; verification knows whatever its library knows.
public enum SignatureAlgorithm: Hashable, Sendable {
  /// ECDSA with a hash, RFC 5758.
  case ecdsa(SignatureHash)
  /// Ed25519, RFC 8410.
  case ed25519
  /// Ed448, RFC 8410.
  case ed448
  /// RSASSA-PKCS1-v1_5 with a hash, RFC 4055.
  case rsaPKCS1(SignatureHash)
  /// RSASSA-PSS with a hash, MGF1 with the same hash and a salt of the hash's length, RFC 4055.
  case rsaPSS(SignatureHash)
}
