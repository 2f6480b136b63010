// SPDX-License-Identifier: Apache-2.0

/// SHA-256 (FIPS 180-4). Here because a pin must be computable without any backend.
public struct SHA256Digest: Hashable, Sendable {
  /// The 32 octets of the digest.
  public let octets: [UInt8]

  /// A digest from its 32 octets; nil for another length.
  public init?(octets: some Collection<UInt8>) {
    guard octets.count == 32 else { return nil }
    self.octets = Array(octets)
  }

  /// The digest of the bytes.
  public init(of bytes: some Collection<UInt8>) {
    self.octets = SHA256.hash(Array(bytes).span)
  }

  /// Hashes all octets at once.
  public func hash(into hasher: inout Hasher) { hasher.combine(octets: octets) }

  /// The digest as base64 with padding, 44 characters.
  public var base64: String { Base64.encode(octets) }

  /// The digest as 64 lower-case hexadecimal digits.
  public var hex: String { Hex.encode(octets) }
}

/// The compression of whole messages; the bytes are all there whenever something is hashed.
private struct SHA256 {
  private var state: [8 of UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]

  static func hash(_ message: Span<UInt8>) -> [UInt8] {
    var hash = SHA256()
    var start = 0
    while message.count - start >= 64 {
      hash.compress(message.extracting(start..<start + 64))
      start += 64
    }
    // What is left, one set bit, zeros, and the number of bits: one block or two.
    var tail = [128 of UInt8](repeating: 0)
    let rest = message.count - start
    for index in 0..<rest { tail[index] = message[start + index] }
    tail[rest] = 0x80
    let end = rest < 56 ? 64 : 128
    let bits = UInt64(message.count) &* 8
    for index in 0..<8 { tail[end - 1 - index] = UInt8(truncatingIfNeeded: bits >> UInt64(8 * index)) }
    for block in stride(from: 0, to: end, by: 64) { hash.compress(tail.span.extracting(block..<block + 64)) }
    return hash.octets
  }

  private var octets: [UInt8] {
    var octets: [UInt8] = []
    octets.reserveCapacity(32)
    for index in 0..<32 { octets.append(UInt8(truncatingIfNeeded: state[index / 4] >> UInt32(24 - index % 4 * 8))) }
    return octets
  }

  private mutating func compress(_ block: Span<UInt8>) {
    var w = [64 of UInt32](repeating: 0)
    for i in 0..<16 {
      w[i] =
        UInt32(block[4 * i]) << 24 | UInt32(block[4 * i + 1]) << 16 | UInt32(block[4 * i + 2]) << 8
        | UInt32(block[4 * i + 3])
    }
    for i in 16..<64 {
      let s0 = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3
      let s1 = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10
      w[i] = w[i - 16] &+ s0 &+ w[i - 7] &+ s1
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    // Eight at a time, so that each variable is back in its place and none has to be moved.
    for i in stride(from: 0, to: 64, by: 8) {
      round(a, b, c, &d, e, f, g, &h, roundConstants[i] &+ w[i])
      round(h, a, b, &c, d, e, f, &g, roundConstants[i + 1] &+ w[i + 1])
      round(g, h, a, &b, c, d, e, &f, roundConstants[i + 2] &+ w[i + 2])
      round(f, g, h, &a, b, c, d, &e, roundConstants[i + 3] &+ w[i + 3])
      round(e, f, g, &h, a, b, c, &d, roundConstants[i + 4] &+ w[i + 4])
      round(d, e, f, &g, h, a, b, &c, roundConstants[i + 5] &+ w[i + 5])
      round(c, d, e, &f, g, h, a, &b, roundConstants[i + 6] &+ w[i + 6])
      round(b, c, d, &e, f, g, h, &a, roundConstants[i + 7] &+ w[i + 7])
    }
    state[0] &+= a
    state[1] &+= b
    state[2] &+= c
    state[3] &+= d
    state[4] &+= e
    state[5] &+= f
    state[6] &+= g
    state[7] &+= h
  }

  @inline(__always)
  private func round(
    _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32, _ e: UInt32, _ f: UInt32, _ g: UInt32,
    _ h: inout UInt32, _ word: UInt32
  ) {
    let s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    let t1 = h &+ s1 &+ (g ^ e & (f ^ g)) &+ word
    let s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    d &+= t1
    h = t1 &+ s0 &+ (a & b | c & (a | b))
  }

  @inline(__always)
  private func rotate(_ value: UInt32, _ count: UInt32) -> UInt32 { value &>> count | value &<< (32 &- count) }
}

private let roundConstants: [64 of UInt32] = [
  0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
  0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
  0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
  0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
  0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
  0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
  0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
  0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
]
