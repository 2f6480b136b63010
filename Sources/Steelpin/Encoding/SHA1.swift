// SPDX-License-Identifier: Apache-2.0

/// SHA-1 (FIPS 180-4), only for names of things: OCSP finds issuers and responders by it (RFC 6960 4.1.1 and 4.2.1).
/// Nothing is trusted because of it.
package enum SHA1 {
  /// The 20 octets of the digest.
  package static func hash(_ bytes: some Collection<UInt8>) -> [UInt8] {
    var message = Array(bytes)
    let bits = UInt64(message.count) * 8
    message.append(0x80)
    while message.count % 64 != 56 { message.append(0) }
    for shift in (0..<8).reversed() { message.append(UInt8(truncatingIfNeeded: bits >> UInt64(8 * shift))) }
    var state: [5 of UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0]
    for start in stride(from: 0, to: message.count, by: 64) { compress(message[start..<start + 64], into: &state) }
    var digest: [UInt8] = []
    for index in state.indices {
      for shift in [24, 16, 8, 0] as [UInt32] { digest.append(UInt8(truncatingIfNeeded: state[index] >> shift)) }
    }
    return digest
  }

  private static func compress(_ block: ArraySlice<UInt8>, into state: inout [5 of UInt32]) {
    var w: [80 of UInt32] = .init(repeating: 0)
    for (index, octet) in block.enumerated() { w[index / 4] = w[index / 4] << 8 | UInt32(octet) }
    for t in 16..<80 { w[t] = rotate(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1) }
    var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
    for t in 0..<80 {
      let (f, k): (UInt32, UInt32) =
        switch t {
        case ..<20: (b & c | ~b & d, 0x5a82_7999)
        case ..<40: (b ^ c ^ d, 0x6ed9_eba1)
        case ..<60: (b & c | b & d | c & d, 0x8f1b_bcdc)
        default: (b ^ c ^ d, 0xca62_c1d6)
        }
      (a, b, c, d, e) = (rotate(a, 5) &+ f &+ e &+ k &+ w[t], a, rotate(b, 30), c, d)
    }
    for (index, value) in [a, b, c, d, e].enumerated() { state[index] &+= value }
  }

  private static func rotate(_ value: UInt32, _ count: UInt32) -> UInt32 { value << count | value >> (32 - count) }
}
