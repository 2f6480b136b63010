// SPDX-License-Identifier: Apache-2.0
package import Steelpin

/// What the name of a certificate's file tells of it.
package struct CertificateLabel: Hashable, Sendable {
  /// Whether it may issue certificates (RFC 5280 4.2.1.9).
  package let isAuthority: Bool
  /// Whether issuer and subject are the same; false for what is no authority.
  package let isRoot: Bool
  /// A part of a file name.
  package let name: String

  /// The label of a certificate.
  package init(_ certificate: Certificate) {
    self.init(
      isAuthority: certificate.decoded.basicConstraints?.isCA == true, isSelfIssued: certificate.isSelfIssued,
      name: CertificateDescription.name(of: certificate))
  }

  /// The same of a certificate of a bundle, which is parsed only if its outline does not say all.
  package init(_ item: BundleStream.Item) throws(CertificateError) {
    let der = item.der
    guard let outline = item.outline, let subject = try? DistinguishedName(der: der[outline.subject]),
      let issuer = try? DistinguishedName(der: der[outline.issuer]), let commonName = subject.commonName
    else {
      self.init(try item.certificate())
      return
    }
    self.init(
      isAuthority: outline.basicConstraints(in: der)?.isCA == true, isSelfIssued: subject == issuer,
      name: PrintableText.escape(commonName))
  }

  private init(isAuthority: Bool, isSelfIssued: @autoclosure () -> Bool, name: String) {
    self.isAuthority = isAuthority
    self.isRoot = isAuthority && isSelfIssued()
    self.name = CertificateDescription.fileName(name)
  }
}
