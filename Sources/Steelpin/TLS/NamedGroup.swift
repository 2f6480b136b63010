// SPDX-License-Identifier: Apache-2.0

/// Names of IANA's "TLS Supported Groups" registry.
package enum NamedGroup {
  /// The name of the group with a number; nil if it is not one that a library here can negotiate.
  package static func name(of code: UInt16) -> String? {
    for (number, name) in names where number == code { return name }
    return nil
  }

  /// The name of the finite-field group with a prime, as TLS 1.2 sends it in full; nil if it is none of RFC 7919.
  package static func name(ofPrime prime: ArraySlice<UInt8>) -> String? {
    let digest = SHA256Digest(of: prime.drop { $0 == 0 }).hex
    for (hash, name) in primes where hash == digest { return name }
    return nil
  }

  private static let names: [(UInt16, String)] = [
    (19, "secp192r1"), (21, "secp224r1"), (23, "secp256r1"), (24, "secp384r1"), (25, "secp521r1"),
    (26, "brainpoolP256r1"), (27, "brainpoolP384r1"), (28, "brainpoolP512r1"), (29, "x25519"), (30, "x448"),
    (256, "ffdhe2048"), (257, "ffdhe3072"), (258, "ffdhe4096"), (259, "ffdhe6144"), (260, "ffdhe8192"),
    (4587, "SecP256r1MLKEM768"), (4588, "X25519MLKEM768"), (4589, "SecP384r1MLKEM1024"),
  ]

  /// The primes of RFC 7919 appendix A by the SHA-256 of their bytes.
  private static let primes: [(String, String)] = [
    ("9cd3b7f336872f46c09428d1bbc19877a4d440512cda8d1c1cf0cd6e33698966", "ffdhe2048"),
    ("0eaf67db3a839156d5013494a5318a772b5697d270d721f37f092efc69ea5a17", "ffdhe3072"),
    ("4648414224ac881b3d0dc59b466f96d06a558278776807797ecf1f66ff397b3e", "ffdhe4096"),
    ("227ac9066b3ddd9e193670cda2388fa884f65ba0cf98b742d1fe77a6687c79c7", "ffdhe6144"),
    ("770b14efaf6f049929c523113b3fa99a8d11dab1b18af3609590122075d19833", "ffdhe8192"),
  ]
}
