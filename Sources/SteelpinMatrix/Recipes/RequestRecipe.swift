// SPDX-License-Identifier: Apache-2.0
public import Steelpin

/// How to make a certificate request (PKCS#10, RFC 2986).
public struct RequestRecipe: Sendable {
  /// The key that is to be certified, and that signs the request.
  public var key: KeyRecipe
  /// The subject's name.
  public var subject: NameRecipe
  /// The extensions that are asked for (RFC 2985 5.4.2); none leaves the attribute out.
  public var extensions: [ExtensionRecipe]
  /// The algorithm of the signature; nil for the usual one of the key.
  public var signatureAlgorithm: SignatureAlgorithm?
  /// What is wrong with the encoding or the signature.
  public var faults: [RecipeFault] = []

  /// A request of the given parts.
  public init(subject: NameRecipe, key: KeyRecipe = KeyRecipe(), extensions: [ExtensionRecipe] = []) {
    self.subject = subject
    self.key = key
    self.extensions = extensions
  }

  /// A request for a TLS server of the given names.
  public init(names: [GeneralNameRecipe], key: KeyRecipe = KeyRecipe()) {
    self.init(subject: .empty, key: key, extensions: [ExtensionRecipe(.subjectAlternativeNames(names))])
  }

  /// Makes the request with the keys of a ring and returns its DER.
  ///
  /// Throws ``RecipeError`` if a value cannot be written, a patch finds nothing, or the library cannot sign.
  public func request(keys: KeyRing) throws(RecipeError) -> [UInt8] {
    try request(key: keys.key(key))
  }

  /// Makes the request for a key that exists already and returns its DER.
  ///
  /// Throws ``RecipeError`` if a value cannot be written, a patch finds nothing, or the library cannot sign.
  public func request(key: any PrivateKey) throws(RecipeError) -> [UInt8] {
    let signer = try RecipeSigner(key, signatureAlgorithm, faults)
    let writer = ExtensionWriter(subjectPublicKeyInfo: key.publicKeyInfo)
    var attributes: [[UInt8]] = []
    if !extensions.isEmpty {
      attributes.append(
        DER.sequence(DER.objectIdentifier(.extensionRequest), DER.setOf([try writer.list(extensions)])))
    }
    // CertificationRequestInfo, RFC 2986 4.1; the attributes are there even if there are none.
    let content = DER.sequence(
      DER.integer(0), subject.der, key.publicKeyInfo, DER.implicit(0, DER.setOf(attributes)))
    return try signer.finish(signer.sign(content))
  }
}
