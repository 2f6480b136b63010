// SPDX-License-Identifier: Apache-2.0

/// Decodes full lines of PEM. It goes over every byte of a bundle, so that it checks its bounds once a line and not once
/// a character; that is why it may use pointers.
enum Base64Line {
  /// The characters of a full line (RFC 7468 section 3).
  static let width = 64
  /// The octets that they stand for.
  static let octetCount = 48

  /// Decodes the full line at `start` to `target`; false if a character is outside the alphabet, padding included.
  static func decode(
    _ text: Span<UInt8>, at start: Int, into output: inout [UInt8], at target: Int
  ) -> Bool {
    guard start >= 0, text.count - start >= width, target >= 0, output.count - target >= octetCount else {
      return false
    }
    var faults: UInt32 = 0
    unsafe text.withUnsafeBufferPointer { text in
      unsafe output.withUnsafeMutableBufferPointer { output in
        unsafe tables.withUnsafeBufferPointer { tables in
          guard var source = unsafe text.baseAddress?.advanced(by: start),
            var sink = unsafe output.baseAddress?.advanced(by: target), let table = tables.baseAddress
          else { return }
          for _ in 0..<width / 4 {
            let group =
              unsafe table[Int(source[0])] | table[256 + Int(source[1])] | table[512 + Int(source[2])]
              | table[768 + Int(source[3])]
            faults |= group
            unsafe sink[0] = UInt8(truncatingIfNeeded: group >> 16)
            unsafe sink[1] = UInt8(truncatingIfNeeded: group >> 8)
            unsafe sink[2] = UInt8(truncatingIfNeeded: group)
            unsafe source += 4
            unsafe sink += 3
          }
        }
      }
    }
    return faults & fault == 0
  }

  /// Set in the value of a character that is outside the alphabet.
  private static let fault: UInt32 = 1 << 31

  /// What each character stands for as the first, second, third and fourth of its group.
  private static let tables: [UInt32] = (0..<4).flatMap { place in
    (0..<256).map { character in
      let value = Base64Values.table[character]
      return value == 255 ? fault : UInt32(value) << UInt32(18 - 6 * place)
    }
  }
}
