// SPDX-License-Identifier: Apache-2.0
public import Steelpin

/// A certificate that was made, with its private key, so that it can issue others or serve TLS.
public struct IssuedCertificate: Sendable {
  /// The certificate, DER; if the recipe had faults, perhaps bytes that are no certificate.
  public let der: [UInt8]
  /// The private key.
  public let key: any PrivateKey
  /// The content octets of the serial number.
  public let serialNumber: [UInt8]
  /// The subject's name, which the certificates that it issues repeat.
  public let subject: NameRecipe
  /// The issuer's name as the certificate states it.
  public let issuerName: NameRecipe
  let keyIdentifier: [UInt8]
  /// The SubjectPublicKeyInfo as the certificate states it.
  let publicKeyInfo: [UInt8]

  /// The certificate, parsed.
  ///
  /// Throws `CertificateError` if the recipe's faults made it something else.
  public var certificate: Certificate {
    get throws(CertificateError) { try Certificate(der: der) }
  }

  /// A certificate that exists already, with its private key.
  public init(_ certificate: Certificate, key: any PrivateKey) {
    self.der = certificate.der
    self.key = key
    self.subject = NameRecipe(certificate.subject)
    self.issuerName = NameRecipe(certificate.issuer)
    self.serialNumber = Array(certificate.serialNumber)
    self.publicKeyInfo = Array(certificate.publicKey.encoded)
    self.keyIdentifier = Array(
      certificate.decoded.subjectKeyIdentifier
        ?? ExtensionWriter.keyIdentifier(of: publicKeyInfo)[...])
  }

  /// Follows a recipe; without an issuer the certificate signs itself.
  init(
    _ recipe: CertificateRecipe, key: any PrivateKey, issuer: IssuedCertificate?, clock: Timestamp
  ) throws(RecipeError) {
    self.key = key
    self.subject = recipe.subject
    self.issuerName = recipe.issuerName ?? issuer?.subject ?? recipe.subject
    self.publicKeyInfo = recipe.subjectPublicKeyInfo ?? key.publicKeyInfo
    self.keyIdentifier = recipe.keyIdentifier ?? ExtensionWriter.keyIdentifier(of: publicKeyInfo)

    let signer = try RecipeSigner(issuer?.key ?? key, recipe.signatureAlgorithm, recipe.faults)
    let writer = ExtensionWriter(subjectPublicKeyInfo: publicKeyInfo, issuer: issuer)
    let extensions = try recipe.extensions.isEmpty ? [] : DER.explicit(3, writer.list(recipe.extensions))
    let validity = DER.sequence(
      try recipe.validity.notBefore.der(by: clock, in: "notBefore"),
      try recipe.validity.notAfter.der(by: clock, in: "notAfter"))
    // TBSCertificate, RFC 5280 4.1, in two parts around which the serial number is chosen.
    let version = recipe.version == 1 ? [] : DER.explicit(0, DER.integer(recipe.version &- 1))
    let rest =
      signer.innerAlgorithm + issuerName.der + validity + recipe.subject.der + publicKeyInfo + extensions
    self.serialNumber = recipe.serialNumber ?? Self.serialNumber(for: rest)
    let content = DER.sequence(version, DER.element(.integer, serialNumber), rest)
    self.der = try signer.finish(signer.sign(content))
  }

  /// A positive number of 16 octets that depends on the rest of a certificate.
  private static func serialNumber(for rest: [UInt8]) -> [UInt8] {
    var octets = SHA256Digest(of: rest).octets.prefix(16)
    // Neither negative nor with leading zeros, so that it is DER as it stands.
    octets[octets.startIndex] = octets[octets.startIndex] & 0x3F | 0x40
    return Array(octets)
  }
}

extension CertificateRecipe {
  /// The subjectKeyIdentifier that the recipe states itself.
  fileprivate var keyIdentifier: [UInt8]? {
    for item in extensions {
      if case .subjectKeyIdentifier(let octets) = item.value { return octets }
    }
    return nil
  }
}

extension CertificateChain {
  /// A chain of certificates that were made, leaf first.
  public init(_ issued: IssuedCertificate...) { self.init(der: issued.map(\.der)) }
}
