// SPDX-License-Identifier: Apache-2.0

/// A GeneralName (RFC 5280 4.2.1.6); text is kept as its octets, which need not be valid in any encoding.
public enum GeneralName: Hashable, Sendable {
  /// directoryName.
  case directory(DistinguishedName)
  /// dNSName.
  case dns(ArraySlice<UInt8>)
  /// rfc822Name.
  case email(ArraySlice<UInt8>)
  /// iPAddress: 4 or 16 octets, in name constraints 8 or 32.
  case ip(ArraySlice<UInt8>)
  /// x400Address, ediPartyName or registeredID with their tag number and content.
  case other(tag: UInt8, ArraySlice<UInt8>)
  /// otherName with its type and the DER of its value.
  case otherName(OID, ArraySlice<UInt8>)
  /// uniformResourceIdentifier.
  case uri(ArraySlice<UInt8>)

  /// A name, or the base of a subtree, whose address has a mask of the same length.
  package init(_ element: DERElement, isSubtree: Bool = false) throws(DERError) {
    switch element.tag {
    case .context(0, constructed: true):
      var fields = try element.reader()
      let type = try fields.read(.objectIdentifier).objectIdentifier()
      self = .otherName(type, try fields.read(.context(0, constructed: true)).content)
      try fields.finish()
    case .context(1): self = .email(try Self.ia5(element))
    case .context(2): self = .dns(try Self.ia5(element))
    case .context(4, constructed: true):
      self = .directory(try DistinguishedName(DERReader.single(element.content, .sequence)))
    case .context(6): self = .uri(try Self.ia5(element))
    case .context(7):
      let lengths = isSubtree ? [8, 32] : [4, 16]
      guard lengths.contains(element.content.count) else {
        throw DERError(
          .invalidValue("iPAddress of \(element.content.count) octets, not \(lengths[0]) or \(lengths[1]),"),
          at: element.encoded.startIndex)
      }
      self = .ip(element.content)
    case .context(3, constructed: true), .context(5, constructed: true), .context(8):
      self = .other(tag: element.tag.octet & 0x1F, element.content)
    default: throw DERError(.invalidValue("unknown kind of general name"), at: element.encoded.startIndex)
    }
  }

  /// GeneralNames, a sequence that must not be empty.
  package static func list(_ element: DERElement) throws(DERError) -> [GeneralName] {
    var names: [GeneralName] = []
    for child in try element.elements() { names.append(try GeneralName(child)) }
    guard !names.isEmpty else {
      throw DERError(.invalidValue("empty list of general names"), at: element.encoded.startIndex)
    }
    return names
  }

  private static func ia5(_ element: DERElement) throws(DERError) -> ArraySlice<UInt8> {
    guard element.content.allSatisfy({ $0 < 0x80 }) else {
      throw DERError(.invalidValue("IA5String with a character outside ASCII"), at: element.encoded.startIndex)
    }
    return element.content
  }
}
