// SPDX-License-Identifier: Apache-2.0

/// Reads the presentation language of RFC 8446 section 3 from a message; every function is nil at a truncation.
struct HandshakeReader {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  /// An unsigned integer of one to three octets.
  mutating func integer(octets: Int) -> Int? {
    guard let bytes = take(octets) else { return nil }
    return bytes.reduce(0) { $0 << 8 | Int($1) }
  }

  /// An unsigned integer of two octets.
  mutating func uint16() -> UInt16? { integer(octets: 2).flatMap(UInt16.init(exactly:)) }

  /// The content of a vector whose length has one to three octets.
  mutating func vector(lengthOctets: Int) -> ArraySlice<UInt8>? {
    guard let count = integer(octets: lengthOctets) else { return nil }
    return take(count)
  }

  /// The next octets.
  mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  /// A list of extensions by type, RFC 8446 section 4.2; the first of a type counts.
  mutating func extensions() -> [UInt16: ArraySlice<UInt8>]? {
    guard let list = vector(lengthOctets: 2) else { return nil }
    var reader = HandshakeReader(list)
    var found: [UInt16: ArraySlice<UInt8>] = [:]
    while !reader.rest.isEmpty {
      guard let type = reader.uint16(), let data = reader.vector(lengthOctets: 2) else { return nil }
      if found[type] == nil { found[type] = data }
    }
    return found
  }
}
