// SPDX-License-Identifier: Apache-2.0

/// SHA-1 (FIPS 180-4), to recognise old pins; nothing is trusted because of it alone.
enum SHA1 {
  static func hash(_ bytes: some Collection<UInt8>) -> [UInt8] {
    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    let message = MerkleDamgard.pad(bytes, block: 64)
    for start in stride(from: 0, to: message.count, by: 64) {
      var words = (0..<16).map { MerkleDamgard.word32(message, start + 4 * $0) }
      for index in 16..<80 {
        words.append(rotate(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], 1))
      }
      var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
      for index in 0..<80 {
        let (f, k): (UInt32, UInt32) =
          switch index {
          case ..<20: (b & c | ~b & d, 0x5A82_7999)
          case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
          case ..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
          default: (b ^ c ^ d, 0xCA62_C1D6)
          }
        (a, b, c, d, e) = (rotate(a, 5) &+ f &+ e &+ k &+ words[index], a, rotate(b, 30), c, d)
      }
      for (index, value) in [a, b, c, d, e].enumerated() { state[index] &+= value }
    }
    return state.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * UInt32($0))) } }
  }

  private static func rotate(_ value: UInt32, _ count: UInt32) -> UInt32 { value << count | value >> (32 - count) }
}

/// What the SHA family of hash functions has in common.
enum MerkleDamgard {
  /// The message with its padding and its length in bits, in whole blocks of 64 or 128 octets; the length takes an
  /// eighth of a block, of which the last eight octets are enough.
  static func pad(_ bytes: some Collection<UInt8>, block: Int) -> [UInt8] {
    var message = Array(bytes)
    let length = UInt64(message.count) &* 8
    message.append(0x80)
    while message.count % block != block - block / 8 { message.append(0) }
    message += [UInt8](repeating: 0, count: block / 8 - 8)
    for shift in (0..<8 as Range<UInt64>).reversed().map({ $0 * 8 }) {
      message.append(UInt8(truncatingIfNeeded: length >> shift))
    }
    return message
  }

  static func word32(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 << 8 | UInt32(bytes[offset + $1]) }
  }

  static func word64(_ bytes: [UInt8], _ offset: Int) -> UInt64 {
    (0..<8).reduce(0) { $0 << 8 | UInt64(bytes[offset + $1]) }
  }
}
