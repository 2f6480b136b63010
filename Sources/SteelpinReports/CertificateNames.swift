// SPDX-License-Identifier: Apache-2.0
package import Steelpin

/// The words for what certificates hold.
package enum CertificateNames {
  /// A general name with its kind; a DNS name in A-labels is followed by its U-labels.
  package static func text(_ name: GeneralName) -> String {
    switch name {
    case .dns(let octets): "DNS:" + dnsText(octets)
    case .ip: "IP:" + (name.hostText ?? hex(name))
    case .email(let octets): "email:" + PrintableText.escape(octets: octets)
    case .uri(let octets): "URI:" + PrintableText.escape(octets: octets)
    case .directory(let name): "directory:\(name)"
    case .otherName(let type, let value): "other:\(type):" + Hex.encode(value)
    case .other(let tag, let value): "tag \(tag):" + Hex.encode(value)
    }
  }

  private static func dnsText(_ octets: ArraySlice<UInt8>) -> String {
    let text = PrintableText.escape(octets: octets)
    let isWildcard = text.hasPrefix("*.")
    guard let unicode = try? HostName(isWildcard ? text.dropFirst(2) : text[...]).unicodeText else { return text }
    return "\(text) (\(isWildcard ? "*." : "")\(unicode))"
  }

  private static func hex(_ name: GeneralName) -> String {
    if case .ip(let octets) = name { Hex.encode(octets) } else { "" }
  }

  /// The names of key usage bits.
  package static func usages(_ usage: KeyUsage) -> [String] {
    KeyUsage.names.filter { usage.contains($0.usage) }.map(\.name)
  }

  /// The name of a purpose, or its dotted decimal.
  package static func purpose(_ oid: OID) -> String { purposes[oid] ?? oid.description }

  private static let purposes: [OID: String] = [
    .serverAuth: "serverAuth", .clientAuth: "clientAuth", .codeSigning: "codeSigning",
    .emailProtection: "emailProtection", .timeStamping: "timeStamping", .ocspSigning: "OCSPSigning",
    .anyExtendedKeyUsage: "anyExtendedKeyUsage",
  ]

  /// The name of a signature algorithm, or its dotted decimal.
  package static func signature(_ algorithm: AlgorithmIdentifier) -> String {
    if algorithm.algorithm == .rsaPSS { return "RSASSA-PSS with \(pssHash(algorithm))" }
    return signatures[algorithm.algorithm] ?? algorithm.algorithm.description
  }

  private static let signatures: [OID: String] = [
    .md2WithRSA: "RSA with MD2", .md5WithRSA: "RSA with MD5", .sha1WithRSA: "RSA with SHA-1",
    .sha224WithRSA: "RSA with SHA-224", .sha256WithRSA: "RSA with SHA-256", .sha384WithRSA: "RSA with SHA-384",
    .sha512WithRSA: "RSA with SHA-512", .ecdsaWithSHA1: "ECDSA with SHA-1", .ecdsaWithSHA224: "ECDSA with SHA-224",
    .ecdsaWithSHA256: "ECDSA with SHA-256", .ecdsaWithSHA384: "ECDSA with SHA-384",
    .ecdsaWithSHA512: "ECDSA with SHA-512", .dsaWithSHA1: "DSA with SHA-1", .dsaWithSHA256: "DSA with SHA-256",
    .ed25519: "Ed25519", .ed448: "Ed448",
  ]

  /// The hash of RSASSA-PSS parameters, SHA-1 if they name none (RFC 4055 3.1).
  private static func pssHash(_ algorithm: AlgorithmIdentifier) -> String {
    guard !algorithm.parameters.isEmpty, var fields = try? DERReader.single(algorithm.parameters, .sequence).reader(),
      let explicit = try? fields.readIfPresent(.context(0, constructed: true)),
      let hash = try? AlgorithmIdentifier(DERReader.single(explicit.content, .sequence)).algorithm
    else { return "SHA-1" }
    let names: [OID: String] = [.sha1: "SHA-1", .sha256: "SHA-256", .sha384: "SHA-384", .sha512: "SHA-512"]
    return names[hash] ?? hash.description
  }

  /// What is odd about a certificate by itself, in words.
  package static func notes(_ certificate: Certificate) -> [String] {
    let decoded = certificate.decoded
    var notes: [String] = []
    if certificate.version != 3 { notes.append("version \(certificate.version)") }
    notes += decoded.malformed.map { "extension \($0.extension) is malformed: \($0.cause)" }
    notes += decoded.duplicated.map { "extension \($0) occurs more than once" }
    notes += decoded.unknownCritical.map { "critical extension \($0) is not understood" }
    if certificate.signatureAlgorithm != certificate.tbsSignatureAlgorithm {
      notes.append("the signature algorithm differs inside and outside the signed part")
    }
    if decoded.subjectAlternativeNames == nil, decoded.basicConstraints?.isCA != true {
      notes.append("no subjectAltName: it is for no host, whatever its common name says")
    }
    if decoded.tlsFeatures?.contains(5) == true { notes.append("must-staple: the server has to send an OCSP response") }
    if certificate.subject == certificate.issuer { notes.append("self-issued: issuer and subject are the same") }
    return notes
  }
}
