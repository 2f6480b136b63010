// SPDX-License-Identifier: Apache-2.0

/// A library that opens and makes PKCS#12 files (RFC 7292).
public protocol PKCS12Codec: Sendable {
  /// Decrypts a PFX with a password in UTF-8 and returns what it holds, in the file's order.
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
  /// Whether RC2, RC4, DES or 3DES protects any of it.
  public var usesLegacyEncryption: Bool

  /// Contents of the given parts.
  public init(certificates: [[UInt8]], privateKeys: [[UInt8]], usesLegacyEncryption: Bool = false) {
    self.certificates = certificates
    self.privateKeys = privateKeys
    self.usesLegacyEncryption = usesLegacyEncryption
  }
}

/// Why a PKCS#12 file could not be opened or made.
public enum PKCS12Error: Error, Hashable, Sendable {
  /// The library failed.
  case backend(BackendError)
  /// The bytes are not a PKCS#12 file, or are damaged.
  case malformed([NativeCode])
  /// The MAC does not fit the password.
  case wrongPassword
}
