// SPDX-License-Identifier: Apache-2.0

/// A directory name (RFC 5280 4.1.2.4): a sequence of sets of attributes, kept as its DER.
///
/// `==` compares by the rules of RFC 5280 7.1, not the bytes.
public struct DistinguishedName: Sendable {
  /// The whole encoding of the Name.
  public let encoded: ArraySlice<UInt8>
  private let content: ArraySlice<UInt8>

  package init(_ element: DERElement) throws(DERError) {
    self.encoded = element.encoded
    self.content = element.content
    // Every attribute is read once here, so that reading them later cannot fail.
    try Self.forEachAttribute(content) { (_, _) in }
  }

  /// Parses the DER of a Name and nothing else.
  package init(der: ArraySlice<UInt8>) throws(DERError) { try self.init(DERReader.single(der, .sequence)) }

  /// Whether the name has no attributes at all.
  public var isEmpty: Bool { content.isEmpty }

  /// The relative distinguished names, each with its attributes, in the order of the encoding.
  public var relativeNames: [[NameAttribute]] {
    var names: [[NameAttribute]] = []
    // The initialiser has already read the same bytes.
    try? Self.forEachAttribute(content) { attribute, isFirst in
      if isFirst { names.append([]) }
      names[names.count - 1].append(attribute)
    }
    return names
  }

  /// The values of an attribute, in the order of the encoding.
  package func values(of type: OID) -> [NameAttribute] {
    var values: [NameAttribute] = []
    try? Self.forEachAttribute(content) { attribute, _ in if attribute.type == type { values.append(attribute) } }
    return values
  }

  /// The last common name, the one nearest to the subject; nil if there is none.
  public var commonName: String? { values(of: .commonName).last?.text }

  /// Calls `body` with every attribute, and whether it is the first of its relative name.
  private static func forEachAttribute(
    _ content: ArraySlice<UInt8>, _ body: (NameAttribute, Bool) -> Void
  ) throws(DERError) {
    var reader = DERReader(content)
    while !reader.isAtEnd {
      let set = try reader.read(.set)
      var attributes = try set.reader()
      guard !attributes.isAtEnd else {
        throw DERError(.invalidValue("relative distinguished name without attributes"), at: set.encoded.startIndex)
      }
      var count = 0
      while !attributes.isAtEnd {
        guard count < DERElement.maximumElements else {
          throw DERError(.invalidValue("list of more than \(count) elements"), at: set.encoded.startIndex)
        }
        body(try NameAttribute(attributes.read()), count == 0)
        count += 1
      }
    }
  }
}

extension DistinguishedName: Hashable {
  /// Equality by RFC 5280 7.1: letter case and runs of white space do not count in text.
  public static func == (left: DistinguishedName, right: DistinguishedName) -> Bool {
    left.encoded == right.encoded || NameKey(left) == NameKey(right)
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(NameKey(self)) }
}

/// One attribute of a name: its type, its string type, and its value.
public struct NameAttribute: Sendable {
  /// The type, as in 2.5.4.3 for commonName.
  public let type: OID
  package let tag: DERTag
  /// The content octets of the value, in the encoding of its string type.
  public let value: ArraySlice<UInt8>

  init(_ element: DERElement) throws(DERError) {
    guard element.tag == .sequence else {
      throw DERError(.unexpectedTag(expected: .sequence, found: element.tag), at: element.encoded.startIndex)
    }
    var fields = try element.reader()
    self.type = try fields.read(.objectIdentifier).objectIdentifier()
    let value = try fields.read()
    try fields.finish()
    self.tag = value.tag
    self.value = value.content
  }

  /// The value as text; nil if it is not one of the string types or its bytes are not valid in it.
  public var text: String? {
    switch tag {
    case .utf8String: String(validating: value, as: UTF8.self)
    case .printableString, .ia5String, .numericString, .visibleString:
      value.allSatisfy { $0 < 0x80 } ? String(decoding: value, as: UTF8.self) : nil
    // Latin-1 is what issuers put into TeletexString, whatever T.61 says.
    case .teletexString: String(String.UnicodeScalarView(value.map { Unicode.Scalar($0) }))
    case .bmpString: text(unitSize: 2)
    case .universalString: text(unitSize: 4)
    default: nil
    }
  }

  private func text(unitSize: Int) -> String? {
    guard value.count.isMultiple(of: unitSize) else { return nil }
    let octets = Array(value)
    let units = stride(from: 0, to: octets.count, by: unitSize).map { start in
      octets[start..<start + unitSize].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    if unitSize == 2 { return String(validating: units.map { UInt16(truncatingIfNeeded: $0) }, as: UTF16.self) }
    return String(validating: units, as: UTF32.self)
  }
}
