// SPDX-License-Identifier: Apache-2.0

/// The certificates of a server as it sent them: the first is the leaf, the rest is a pool in no promised order.
public struct CertificateChain: Sendable {
  /// A certificate of the chain, or why its bytes are none.
  public enum Element: Sendable {
    /// A certificate.
    case certificate(Certificate)
    /// Bytes that are not a certificate, with the reason.
    case malformed([UInt8], CertificateError)
  }

  /// All elements in the order in which they were sent.
  public let elements: [Element]

  /// The certificates that could be read, in order.
  public let certificates: [Certificate]

  /// What came with the chain, or is at hand, to tell whether its certificates were revoked.
  public var evidence = RevocationEvidence()

  /// A chain of DER values as they came; one that is not a certificate is kept with the reason.
  public init(der: some Sequence<[UInt8]>) {
    elements = der.map { bytes in
      do throws(CertificateError) {
        return .certificate(try Certificate(der: bytes))
      } catch {
        return .malformed(bytes, error)
      }
    }
    certificates = elements.compactMap { element in
      if case .certificate(let certificate) = element { certificate } else { nil }
    }
  }

  /// A chain of certificates, leaf first.
  public init(_ certificates: some Sequence<Certificate>) {
    self.certificates = Array(certificates)
    elements = self.certificates.map { .certificate($0) }
  }
}
