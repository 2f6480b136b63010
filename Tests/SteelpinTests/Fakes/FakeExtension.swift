// SPDX-License-Identifier: Apache-2.0
import Steelpin

/// An extension that says whatever a test wants.
struct FakeExtension {
  let identifier: OID
  var isCritical = false
  let value: [UInt8]

  var encoded: [UInt8] {
    DER.sequence(
      DER.objectIdentifier(identifier), isCritical ? DER.boolean(true) : [], DER.octetString(value))
  }

  /// The same, critical or not.
  func critical(_ isCritical: Bool = true) -> FakeExtension {
    FakeExtension(identifier: identifier, isCritical: isCritical, value: value)
  }

  static func basicConstraints(isCA: Bool, pathLength: Int? = nil) -> FakeExtension {
    FakeExtension(
      identifier: .basicConstraints, isCritical: true,
      value: DER.sequence(isCA ? DER.boolean(true) : [], pathLength.map { DER.integer($0) } ?? []))
  }

  /// Bit 0 is digitalSignature, 5 keyCertSign, 6 cRLSign.
  static func keyUsage(_ bits: Int...) -> FakeExtension {
    FakeExtension(identifier: .keyUsage, isCritical: true, value: DER.namedBits(bits))
  }

  static func extendedKeyUsage(_ purposes: OID...) -> FakeExtension {
    FakeExtension(identifier: .extendedKeyUsage, value: DER.sequence(purposes.map(DER.objectIdentifier)))
  }

  static func subjectAlternativeName(_ names: [UInt8]...) -> FakeExtension {
    FakeExtension(identifier: .subjectAlternativeName, value: DER.sequence(names))
  }

  static func subjectKeyIdentifier(_ key: String) -> FakeExtension {
    FakeExtension(identifier: .subjectKeyIdentifier, value: DER.octetString(FakeKey.identifier(key)))
  }

  static func authorityKeyIdentifier(_ key: String) -> FakeExtension {
    FakeExtension(
      identifier: .authorityKeyIdentifier,
      value: DER.sequence(DER.element(.context(0), FakeKey.identifier(key))))
  }

  static func nameConstraints(permitted: [[UInt8]] = [], excluded: [[UInt8]] = []) -> FakeExtension {
    func trees(_ number: UInt8, _ bases: [[UInt8]]) -> [UInt8] {
      bases.isEmpty
        ? [] : DER.element(.context(number, constructed: true), Array(bases.map { DER.sequence($0) }.joined()))
    }
    return FakeExtension(
      identifier: .nameConstraints, isCritical: true, value: DER.sequence(trees(0, permitted), trees(1, excluded)))
  }

  static func certificatePolicies(_ policies: OID...) -> FakeExtension {
    FakeExtension(
      identifier: .certificatePolicies, value: DER.sequence(policies.map { DER.sequence(DER.objectIdentifier($0)) }))
  }

  static func policyMappings(_ pairs: (OID, OID)...) -> FakeExtension {
    FakeExtension(
      identifier: .policyMappings, isCritical: true,
      value: DER.sequence(pairs.map { DER.sequence(DER.objectIdentifier($0), DER.objectIdentifier($1)) }))
  }

  static func policyConstraints(requireExplicit: Int? = nil, inhibitMapping: Int? = nil) -> FakeExtension {
    FakeExtension(
      identifier: .policyConstraints, isCritical: true,
      value: DER.sequence(
        requireExplicit.map { DER.implicit(0, DER.integer($0)) } ?? [],
        inhibitMapping.map { DER.implicit(1, DER.integer($0)) } ?? []))
  }

  static func inhibitAnyPolicy(_ skip: Int) -> FakeExtension {
    FakeExtension(identifier: .inhibitAnyPolicy, isCritical: true, value: DER.integer(skip))
  }

  /// An extension of no known kind.
  static func unknown(isCritical: Bool) -> FakeExtension {
    FakeExtension(identifier: OID([0x2B, 6, 1, 4, 1, 0x84, 0x7D]), isCritical: isCritical, value: DER.null)
  }
}

/// General names in DER.
enum FakeGeneralName {
  static func dns(_ text: String) -> [UInt8] { DER.string(.context(2), text) }
  static func email(_ text: String) -> [UInt8] { DER.string(.context(1), text) }
  static func uri(_ text: String) -> [UInt8] { DER.string(.context(6), text) }
  static func ip(_ octets: UInt8...) -> [UInt8] { DER.element(.context(7), octets) }
  static func directory(_ name: [UInt8]) -> [UInt8] { DER.explicit(4, name) }
  static func otherName(_ type: OID, _ text: String) -> [UInt8] {
    DER.element(
      .context(0, constructed: true), DER.objectIdentifier(type) + DER.explicit(0, DER.string(.utf8String, text)))
  }
}
