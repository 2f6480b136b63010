// SPDX-License-Identifier: Apache-2.0

/// Typed values of DER elements, each checked against its own encoding rules (X.690 clauses 8 and 11).
extension DERElement {
  /// BOOLEAN: one octet, 0x00 or 0xFF (X.690 11.1).
  package func boolean() throws(DERError) -> Bool {
    guard content.count == 1, let octet = content.first, octet == 0x00 || octet == 0xFF else {
      throw DERError(.invalidValue("boolean that is neither 0x00 nor 0xFF"), at: encoded.startIndex)
    }
    return octet == 0xFF
  }

  /// The content octets of an INTEGER or ENUMERATED in their shortest form (X.690 8.3.2), two's complement, big endian.
  package func integer() throws(DERError) -> ArraySlice<UInt8> {
    guard let first = content.first else { throw DERError(.invalidValue("empty integer"), at: encoded.startIndex) }
    if content.count > 1 {
      let second = content[content.startIndex + 1]
      guard !(first == 0x00 && second < 0x80), !(first == 0xFF && second >= 0x80) else {
        throw DERError(.invalidValue("integer not in its shortest form"), at: encoded.startIndex)
      }
    }
    return content
  }

  /// An INTEGER that is not negative and fits an Int.
  package func smallInteger() throws(DERError) -> Int {
    let octets = try integer()
    guard octets.first.map({ $0 < 0x80 }) ?? false else {
      throw DERError(.invalidValue("negative integer"), at: encoded.startIndex)
    }
    guard octets.count <= 8 else { throw DERError(.invalidValue("integer too large"), at: encoded.startIndex) }
    return octets.reduce(0) { $0 << 8 | Int($1) }
  }

  /// BIT STRING: the octets, and how many bits of the last are unused; those must be zero (X.690 11.2.1).
  package func bitString() throws(DERError) -> (octets: ArraySlice<UInt8>, unusedBits: Int) {
    guard let unused = content.first, unused < 8 else {
      throw DERError(.invalidValue("bit string without a count of unused bits"), at: encoded.startIndex)
    }
    let octets = content.dropFirst()
    if unused > 0 {
      guard let last = octets.last, last & (1 << unused - 1) == 0 else {
        throw DERError(.invalidValue("bit string with unused bits set"), at: encoded.startIndex)
      }
    }
    return (octets, Int(unused))
  }

  /// BIT STRING that holds whole octets, as keys and signatures do.
  package func octetAlignedBitString() throws(DERError) -> ArraySlice<UInt8> {
    let (octets, unused) = try bitString()
    guard unused == 0 else {
      throw DERError(.invalidValue("bit string that is not whole octets"), at: encoded.startIndex)
    }
    return octets
  }

  /// BIT STRING of a signature. Every signature is of whole octets; one that is not belongs to something that can still
  /// be shown, so it is not an error here but empty, and whoever checks signatures takes an empty one for a wrong one.
  package func signatureOctets() throws(DERError) -> ArraySlice<UInt8> {
    guard let unused = content.first, unused < 8, unused == 0 || content.count > 1 else {
      throw DERError(.invalidValue("bit string with a wrong count of unused bits"), at: encoded.startIndex)
    }
    return unused == 0 ? content.dropFirst() : []
  }

  /// OBJECT IDENTIFIER: complete arcs in their shortest form (X.690 8.19.2).
  package func objectIdentifier() throws(DERError) -> OID {
    guard let last = content.last, last & 0x80 == 0 else {
      throw DERError(.invalidValue("object identifier cut short"), at: encoded.startIndex)
    }
    var startsArc = true
    for octet in content {
      guard !(startsArc && octet == 0x80) else {
        throw DERError(.invalidValue("object identifier not in its shortest form"), at: encoded.startIndex)
      }
      startsArc = octet & 0x80 == 0
    }
    return OID(content: content)
  }

  /// All elements inside, in order; an error if there are more than `maximum`, so that a list of empty elements does not
  /// take a hundred times its own size.
  package func elements(atMost maximum: Int = Self.maximumElements) throws(DERError) -> [DERElement] {
    var reader = try reader()
    var elements: [DERElement] = []
    while !reader.isAtEnd {
      guard elements.count < maximum else {
        throw DERError(.invalidValue("list of more than \(maximum) elements"), at: encoded.startIndex)
      }
      elements.append(try reader.read())
    }
    return elements
  }

  /// How many elements a list in a certificate may have; the longest in use have some thousands.
  package static let maximumElements = 1 << 14
}
