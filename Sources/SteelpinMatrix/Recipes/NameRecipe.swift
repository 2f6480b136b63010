// SPDX-License-Identifier: Apache-2.0
public import Steelpin

/// A distinguished name to be written. A string literal is a name of one common name.
public struct NameRecipe: Sendable, Hashable {
  /// The string types of attribute values; the octets are those of the text in UTF-8, whatever the type allows, except
  /// for BMPString.
  public enum StringKind: Sendable, Hashable {
    /// BMPString: UTF-16, big endian.
    case bmp
    /// IA5String.
    case ia5
    /// PrintableString.
    case printable
    /// TeletexString.
    case teletex
    /// UTF8String, what RFC 5280 4.1.2.4 wants.
    case utf8
  }

  /// One attribute of a name.
  public struct Attribute: Sendable, Hashable {
    /// Its type.
    public var type: OID
    /// Its value.
    public var text: String
    /// The string type of its value.
    public var kind: StringKind

    /// An attribute of a type.
    public init(_ type: OID, _ text: String, as kind: StringKind = .utf8) {
      self.type = type
      self.text = text
      self.kind = kind
    }

    /// commonName.
    public static func commonName(_ text: String, as kind: StringKind = .utf8) -> Self {
      Attribute(.commonName, text, as: kind)
    }

    /// countryName, a PrintableString of two letters.
    public static func country(_ text: String) -> Self { Attribute(OID([0x55, 4, 6]), text, as: .printable) }

    /// domainComponent, an IA5String (RFC 4519 2.4).
    public static func domainComponent(_ text: String) -> Self { Attribute(.domainComponent, text, as: .ia5) }

    /// emailAddress, an IA5String (RFC 5280 appendix A.1).
    public static func email(_ text: String) -> Self { Attribute(.emailAddress, text, as: .ia5) }

    /// organizationName.
    public static func organization(_ text: String, as kind: StringKind = .utf8) -> Self {
      Attribute(OID([0x55, 4, 10]), text, as: kind)
    }

    /// organizationalUnitName.
    public static func organizationalUnit(_ text: String, as kind: StringKind = .utf8) -> Self {
      Attribute(OID([0x55, 4, 11]), text, as: kind)
    }

    fileprivate var der: [UInt8] { DER.sequence(DER.objectIdentifier(type), value) }

    private var value: [UInt8] {
      switch kind {
      case .bmp:
        DER.element(.bmpString, text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] })
      case .ia5: DER.string(.ia5String, text)
      case .printable: DER.string(.printableString, text)
      case .teletex: DER.string(.teletexString, text)
      case .utf8: DER.string(.utf8String, text)
      }
    }
  }

  /// The DER of the Name.
  package let der: [UInt8]

  /// A name of one attribute per relative distinguished name, the most general first. None at all is the empty name.
  public init(_ attributes: Attribute...) { self.init(relativeNames: attributes.map { [$0] }) }

  /// A name of relative distinguished names, each of one or more attributes, the most general first.
  public init(relativeNames: [[Attribute]]) {
    self.der = DER.sequence(relativeNames.map { DER.setOf($0.map(\.der)) })
  }

  /// A name as it stands in a certificate, byte for byte.
  public init(_ name: DistinguishedName) { self.der = Array(name.encoded) }

  /// The empty name.
  public static let empty = NameRecipe()
}

extension NameRecipe: ExpressibleByStringLiteral {
  /// A name of one common name.
  public init(stringLiteral text: String) { self.init(.commonName(text)) }
}
