// SPDX-License-Identifier: Apache-2.0

/// The parts of string preparation (RFC 4518) that certificates meet outside ASCII.
enum StringPreparation {
  /// Maps to nothing and to space (2.2) and folds letter case; canonical equivalence is left to String's `==`.
  static func fold(_ text: String) -> String {
    var mapped = String.UnicodeScalarView()
    for scalar in text.lowercased().unicodeScalars {
      switch scalar.value {
      case 0x00AD, 0x034F, 0x1806, 0x180B...0x180D, 0xFE00...0xFE0F, 0xFFFC, 0x200B, 0x200C...0x200F, 0x202A...0x202E,
        0x2060...0x2063, 0x206A...0x206F, 0xFEFF:
        continue
      case 0x09...0x0D, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000:
        mapped.append(" ")
      case 0x00...0x1F, 0x7F...0x9F:
        continue
      default:
        mapped.append(scalar)
      }
    }
    return String(mapped)
  }

  /// Whether no more than 30 combining marks follow each other (UAX #15 section 13). Bringing longer runs into canonical
  /// order takes the square of their length, so that a value with one is compared byte for byte.
  static func isStreamSafe(_ text: String) -> Bool {
    var run = 0
    for scalar in text.unicodeScalars {
      run = scalar.properties.canonicalCombiningClass == .notReordered ? 0 : run + 1
      guard run <= 30 else { return false }
    }
    return true
  }
}
