// SPDX-License-Identifier: Apache-2.0
public import Steelpin

/// How to make a certificate: what each field says, and what is wrong with it. Nothing is checked, so that every
/// certificate that somebody might meet can be made; a ``Lab`` makes it.
public struct CertificateRecipe: Sendable {
  /// The key that the certificate is for.
  public var key: KeyRecipe
  /// The subject's name.
  public var subject: NameRecipe
  /// When it is valid.
  public var validity = ValidityRecipe.current
  /// The content octets of the serial number, two's complement, big endian; nil for a positive number of 16 octets that
  /// depends on everything else the certificate says.
  public var serialNumber: [UInt8]?
  /// The version as people say it: 3 for a certificate with extensions; 1 leaves the field out.
  public var version = 3
  /// The SubjectPublicKeyInfo, DER, if it is not that of the key.
  public var subjectPublicKeyInfo: [UInt8]?
  /// The extensions in their order; none leaves the field out.
  public var extensions: [ExtensionRecipe]
  /// The name of the issuer, if it is not that of the certificate that issues.
  public var issuerName: NameRecipe?
  /// The algorithm of the signature; nil for the usual one of the issuer's key.
  public var signatureAlgorithm: SignatureAlgorithm?
  /// What is wrong with the encoding or the signature.
  public var faults: [RecipeFault] = []

  /// A certificate of the given parts; ``leaf(_:key:)``, ``root(_:key:)`` and the like give the usual ones.
  public init(subject: NameRecipe, key: KeyRecipe, extensions: [ExtensionRecipe] = []) {
    self.subject = subject
    self.key = key
    self.extensions = extensions
  }

  /// A TLS server of the given names; the first that is a DNS name is the common name, too.
  public static func leaf(_ names: [GeneralNameRecipe], key: KeyRecipe = KeyRecipe()) -> Self {
    let commonNames = names.compactMap { name in
      if case .dns(let text) = name { text } else { nil }
    }
    return CertificateRecipe(
      subject: NameRecipe(.commonName(commonNames.first ?? "server")), key: key,
      extensions: [
        ExtensionRecipe(.basicConstraints(isCA: false, pathLength: nil)),
        ExtensionRecipe(.keyUsage(.digitalSignature)), ExtensionRecipe(.extendedKeyUsage([.serverAuth])),
        ExtensionRecipe(.subjectAlternativeNames(names)), ExtensionRecipe(.subjectKeyIdentifier(nil)),
        ExtensionRecipe(.authorityKeyIdentifier(.keyOfIssuer)),
      ])
  }

  /// An authority that another one vouches for. Its key is labelled with its name unless a key is given.
  public static func intermediate(_ commonName: String, pathLength: Int? = nil, key: KeyRecipe? = nil) -> Self {
    var recipe = root(commonName, key: key)
    recipe.setExtension(.basicConstraints(isCA: true, pathLength: pathLength))
    recipe.extensions.append(ExtensionRecipe(.authorityKeyIdentifier(.keyOfIssuer)))
    return recipe
  }

  /// An authority that vouches for itself. Its key is labelled with its name unless a key is given.
  public static func root(_ commonName: String, key: KeyRecipe? = nil) -> Self {
    var recipe = CertificateRecipe(
      subject: NameRecipe(.commonName(commonName)), key: key ?? KeyRecipe(label: commonName),
      extensions: [
        ExtensionRecipe(.basicConstraints(isCA: true, pathLength: nil)),
        ExtensionRecipe(.keyUsage([.keyCertSign, .cRLSign])), ExtensionRecipe(.subjectKeyIdentifier(nil)),
      ])
    recipe.validity = .authority
    return recipe
  }

  /// A responder that answers OCSP requests in its issuer's name (RFC 6960 4.2.2.2).
  public static func ocspResponder(_ commonName: String = "Responder") -> Self {
    CertificateRecipe(
      subject: NameRecipe(.commonName(commonName)), key: KeyRecipe(label: commonName),
      extensions: [
        ExtensionRecipe(.keyUsage(.digitalSignature)), ExtensionRecipe(.extendedKeyUsage([.ocspSigning])),
        ExtensionRecipe(.ocspNoCheck), ExtensionRecipe(.subjectKeyIdentifier(nil)),
        ExtensionRecipe(.authorityKeyIdentifier(.keyOfIssuer)),
      ])
  }

  /// Puts an extension in the place of those with its identifier, or at the end if there is none.
  public mutating func setExtension(_ value: ExtensionValue, critical: Bool? = nil) {
    let recipe = ExtensionRecipe(value, critical: critical)
    let index = extensions.firstIndex { $0.value.identifier == value.identifier }
    extensions.removeAll { $0.value.identifier == value.identifier }
    extensions.insert(recipe, at: index ?? extensions.endIndex)
  }

  /// Leaves out all extensions with an identifier, as in `OID("2.5.29.17")` for subjectAltName.
  public mutating func removeExtension(_ identifier: OID?) {
    extensions.removeAll { $0.value.identifier == identifier }
  }

  /// Repeats the first extension with an identifier at the end, which RFC 5280 4.2 forbids.
  public mutating func duplicateExtension(_ identifier: OID?) {
    extensions += extensions.filter { $0.value.identifier == identifier }.prefix(1)
  }

  /// The recipe with some changes.
  public func with(_ change: (inout CertificateRecipe) throws -> Void) rethrows -> CertificateRecipe {
    var copy = self
    try change(&copy)
    return copy
  }
}
