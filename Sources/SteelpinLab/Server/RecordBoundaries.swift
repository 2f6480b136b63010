// SPDX-License-Identifier: Apache-2.0

/// Follows the records of a client without reading them, to see when it stops to speak TLS.
struct RecordBoundaries {
  private var header: [UInt8] = []
  /// The octets of the record that are still to come.
  private var rest = 0

  /// Takes what came next; false if a record begins with what is no type of a record (RFC 8446 section 5.1).
  mutating func take(_ bytes: [UInt8]) -> Bool {
    for byte in bytes {
      if rest > 0 {
        rest -= 1
      } else {
        header.append(byte)
        guard 20...23 ~= header[0] else {
          header = []
          return false
        }
        if header.count == 5 {
          rest = Int(header[3]) << 8 | Int(header[4])
          header = []
        }
      }
    }
    return true
  }
}
