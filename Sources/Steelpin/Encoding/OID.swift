// SPDX-License-Identifier: Apache-2.0

/// An object identifier, kept as the content octets of its DER encoding.
public struct OID: Hashable, Sendable {
  /// The content octets, without tag and length.
  public let content: ArraySlice<UInt8>

  package init(content: ArraySlice<UInt8>) { self.content = content }

  /// Parses dotted decimal, as in `1.3.6.1.5.5.7.3.1`; nil if it is not an object identifier.
  public init?(_ dotted: some StringProtocol) {
    let parts = dotted.split(separator: ".", omittingEmptySubsequences: false)
    let arcs = parts.compactMap { part in part.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? UInt(part) : nil }
    guard arcs.count == parts.count, arcs.count >= 2, arcs[0] <= 2, arcs[0] == 2 || arcs[1] < 40,
      arcs[1] <= UInt.max - 80
    else { return nil }
    var content: [UInt8] = []
    for arc in [arcs[0] * 40 + arcs[1]] + arcs.dropFirst(2) {
      var groups = [UInt8(arc & 0x7F)]
      var rest = arc >> 7
      while rest > 0 {
        groups.append(UInt8(rest & 0x7F) | 0x80)
        rest >>= 7
      }
      content += groups.reversed()
    }
    self.content = content[...]
  }

  package init(_ content: [UInt8]) { self.content = content[...] }

  /// Equality of the octets; every extension of every certificate is compared with all that are known.
  public static func == (left: OID, right: OID) -> Bool {
    let (left, right) = (left.content.span, right.content.span)
    guard left.count == right.count else { return false }
    // The arcs of one owner differ at their end.
    for index in left.indices.reversed() where left[index] != right[index] { return false }
    return true
  }
}

extension OID: CustomStringConvertible {
  /// Dotted decimal.
  public var description: String {
    var arcs: [String] = []
    var arc: UInt = 0
    for octet in content {
      guard arc <= UInt.max >> 7 else { return "oid-" + Hex.encode(content) }
      arc = arc << 7 | UInt(octet & 0x7F)
      guard octet & 0x80 == 0 else { continue }
      if arcs.isEmpty {
        let first = min(arc / 40, 2)
        arcs = ["\(first)", "\(arc - first * 40)"]
      } else {
        arcs.append("\(arc)")
      }
      arc = 0
    }
    return arcs.joined(separator: ".")
  }
}

/// The object identifiers that the product knows, by their names in the standards.
extension OID {
  /// `2.5.29.x`, the arc of RFC 5280's certificate extensions.
  private static func ce(_ arc: UInt8) -> OID { OID([0x55, 0x1D, arc]) }
  /// `1.3.6.1.5.5.7.x.y`, the arc of PKIX.
  private static func pkix(_ arc: UInt8, _ leaf: UInt8) -> OID { OID([0x2B, 6, 1, 5, 5, 7, arc, leaf]) }

  package static let subjectDirectoryAttributes = ce(9)
  package static let subjectKeyIdentifier = ce(14)
  package static let keyUsage = ce(15)
  package static let subjectAlternativeName = ce(17)
  package static let issuerAlternativeName = ce(18)
  package static let netscapeCertificateType = OID([0x60, 0x86, 0x48, 0x01, 0x86, 0xF8, 0x42, 1, 1])
  package static let basicConstraints = ce(19)
  package static let crlNumber = ce(20)
  package static let reasonCode = ce(21)
  package static let invalidityDate = ce(24)
  package static let deltaCRLIndicator = ce(27)
  package static let issuingDistributionPoint = ce(28)
  package static let certificateIssuer = ce(29)
  package static let nameConstraints = ce(30)
  package static let crlDistributionPoints = ce(31)
  package static let certificatePolicies = ce(32)
  package static let policyMappings = ce(33)
  package static let authorityKeyIdentifier = ce(35)
  package static let policyConstraints = ce(36)
  package static let extendedKeyUsage = ce(37)
  package static let freshestCRL = ce(46)
  package static let inhibitAnyPolicy = ce(54)
  /// anyPolicy of certificatePolicies (RFC 5280 4.2.1.4).
  public static let anyPolicy = OID([0x55, 0x1D, 32, 0])
  /// anyExtendedKeyUsage (RFC 5280 4.2.1.12).
  public static let anyExtendedKeyUsage = OID([0x55, 0x1D, 37, 0])

  package static let authorityInformationAccess = pkix(1, 1)
  package static let tlsFeature = pkix(1, 24)
  /// id-kp-serverAuth: a TLS server (RFC 5280 4.2.1.12).
  public static let serverAuth = pkix(3, 1)
  /// id-kp-clientAuth: a TLS client (RFC 5280 4.2.1.12).
  public static let clientAuth = pkix(3, 2)
  /// id-kp-codeSigning (RFC 5280 4.2.1.12).
  public static let codeSigning = pkix(3, 3)
  /// id-kp-emailProtection (RFC 5280 4.2.1.12).
  public static let emailProtection = pkix(3, 4)
  /// id-kp-timeStamping (RFC 5280 4.2.1.12).
  public static let timeStamping = pkix(3, 8)
  /// id-kp-OCSPSigning (RFC 6960 4.2.2.2).
  public static let ocspSigning = pkix(3, 9)
  /// The purpose of certificates that sign precertificates (RFC 6962 3.1).
  package static let precertificateSigning = OID([0x2B, 6, 1, 4, 1, 0xD6, 0x79, 2, 4, 4])
  package static let ocsp = pkix(48, 1)
  package static let caIssuers = pkix(48, 2)
  package static let ocspBasicResponse = OID([0x2B, 6, 1, 5, 5, 7, 48, 1, 1])
  package static let ocspNonce = OID([0x2B, 6, 1, 5, 5, 7, 48, 1, 2])
  package static let ocspNoCheck = OID([0x2B, 6, 1, 5, 5, 7, 48, 1, 5])
  package static let signedCertificateTimestamps = OID([0x2B, 6, 1, 4, 1, 0xD6, 0x79, 2, 4, 2])

  package static let commonName = OID([0x55, 4, 3])
  package static let emailAddress = OID([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 1])
  package static let extensionRequest = OID([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 9, 14])
  package static let domainComponent = OID([0x09, 0x92, 0x26, 0x89, 0x93, 0xF2, 0x2C, 0x64, 1, 25])

  /// `1.2.840.113549.1.1.x`, the arc of PKCS#1.
  private static func pkcs1(_ leaf: UInt8) -> OID { OID([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, leaf]) }

  package static let rsaEncryption = pkcs1(1)
  package static let md2WithRSA = pkcs1(2)
  package static let md5WithRSA = pkcs1(4)
  package static let sha1WithRSA = pkcs1(5)
  package static let mgf1 = pkcs1(8)
  package static let rsaPSS = pkcs1(10)
  package static let sha256WithRSA = pkcs1(11)
  package static let sha384WithRSA = pkcs1(12)
  package static let sha512WithRSA = pkcs1(13)
  package static let sha224WithRSA = pkcs1(14)
  package static let sha1 = OID([0x2B, 0x0E, 3, 2, 26])
  package static let sha256 = OID([0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1])
  package static let sha384 = OID([0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 2])
  package static let sha512 = OID([0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 3])
  package static let dsa = OID([0x2A, 0x86, 0x48, 0xCE, 0x38, 4, 1])
  package static let dsaWithSHA1 = OID([0x2A, 0x86, 0x48, 0xCE, 0x38, 4, 3])
  package static let dsaWithSHA256 = OID([0x60, 0x86, 0x48, 1, 0x65, 3, 4, 3, 2])
  package static let ecPublicKey = OID([0x2A, 0x86, 0x48, 0xCE, 0x3D, 2, 1])
  package static let ecdsaWithSHA1 = OID([0x2A, 0x86, 0x48, 0xCE, 0x3D, 4, 1])
  package static let ecdsaWithSHA224 = OID([0x2A, 0x86, 0x48, 0xCE, 0x3D, 4, 3, 1])
  package static let ecdsaWithSHA256 = OID([0x2A, 0x86, 0x48, 0xCE, 0x3D, 4, 3, 2])
  package static let ecdsaWithSHA384 = OID([0x2A, 0x86, 0x48, 0xCE, 0x3D, 4, 3, 3])
  package static let ecdsaWithSHA512 = OID([0x2A, 0x86, 0x48, 0xCE, 0x3D, 4, 3, 4])
  package static let p192 = OID([0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 1])
  package static let p224 = OID([0x2B, 0x81, 0x04, 0, 33])
  package static let p256 = OID([0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 7])
  package static let p384 = OID([0x2B, 0x81, 0x04, 0, 34])
  package static let p521 = OID([0x2B, 0x81, 0x04, 0, 35])
  package static let secp256k1 = OID([0x2B, 0x81, 0x04, 0, 10])
  package static let ed25519 = OID([0x2B, 0x65, 112])
  package static let ed448 = OID([0x2B, 0x65, 113])
}
