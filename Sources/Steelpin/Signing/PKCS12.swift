// SPDX-License-Identifier: Apache-2.0

/// A library that opens and makes PKCS#12 files (RFC 7292).
public protocol PKCS12Codec: Sendable {
  /// Decrypts a PFX with a password in UTF-8 and returns what it holds, in the file's order. An empty password stands
  /// for none, too, which some files mean by it.
  func open(pkcs12: [UInt8], password: [UInt8]) throws(PKCS12Error) -> PKCS12Contents

  /// Makes a PFX with AES-256-CBC, PBKDF2 and an HMAC-SHA-256 MAC.
  func seal(_ contents: PKCS12Contents, password: [UInt8]) throws(PKCS12Error) -> [UInt8]
}

/// What a PKCS#12 file holds.
public struct PKCS12Contents: Sendable {
  /// The certificates, each DER.
  public var certificates: [[UInt8]]
  /// The private keys, each unencrypted PKCS#8 DER.
  public var privateKeys: [[UInt8]]
  /// The friendly names (RFC 2985 5.5.1) by the DER of the certificate or the PKCS#8 of the key; what has none is not
  /// here.
  public var friendlyNames: [[UInt8]: String]
  /// Whether RC2, RC4, DES or 3DES protects any of it.
  public var usesLegacyEncryption: Bool

  /// Contents of the given parts.
  public init(
    certificates: [[UInt8]], privateKeys: [[UInt8]], friendlyNames: [[UInt8]: String] = [:],
    usesLegacyEncryption: Bool = false
  ) {
    self.certificates = certificates
    self.privateKeys = privateKeys
    self.friendlyNames = friendlyNames
    self.usesLegacyEncryption = usesLegacyEncryption
  }
}

/// Why a PKCS#12 file could not be opened or made.
public enum PKCS12Error: Error, Hashable, Sendable {
  /// The library failed.
  case backend(BackendError)
  /// The bytes are not a PKCS#12 file, or are damaged.
  case malformed([NativeCode])
  /// The file asks for so many rounds of key derivation that it is made to take time, not to be opened.
  case tooManyIterations(Int64)
  /// The file names an algorithm that the library does not have, be it old, new or damaged.
  case unsupportedAlgorithm([NativeCode])
  /// The MAC, or in a file without one the encryption, does not fit the password.
  case wrongPassword
}

/// How much key derivation a file may ask for. Files in use have 1 to 1,000,000 rounds; each of them costs about a
/// quarter of a microsecond, and a file can ask for 2^31 of them for every item.
package enum PKCS12Rounds {
  /// The most for one key, as in Java's PKCS12KeyStore (MAX_ITERATION_COUNT).
  package static let limit: Int64 = 5_000_000
  /// The most for all keys of a file together.
  package static let total: Int64 = 20_000_000
}

extension PKCS12Contents {
  /// What ties a key to its certificates inside a file: SHA-1 of the SubjectPublicKeyInfo, for those certificates whose
  /// key is among the given ones; nil for others and for what is no certificate.
  package static func keyIdentifier(of certificate: [UInt8], among keys: [[UInt8]]) -> [UInt8]? {
    guard let info = (try? Certificate(der: certificate))?.publicKey.encoded, keys.contains(Array(info)) else {
      return nil
    }
    return keyIdentifier(ofKey: Array(info))
  }

  /// What ties a key to its certificates inside a file, from its SubjectPublicKeyInfo.
  package static func keyIdentifier(ofKey publicKeyInfo: [UInt8]) -> [UInt8] { SHA1.hash(publicKeyInfo) }
}
