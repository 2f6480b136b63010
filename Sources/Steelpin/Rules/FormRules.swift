// SPDX-License-Identifier: Apache-2.0

/// The version, the serial number and the signature algorithm as the certificate states them.
extension CertificateRule {
  /// A version that exists, and the one that has extensions if there are any.
  static let version = CertificateRule(
    "version", clause: "RFC 5280 4.1.2.1", codes: .versionMalformed, profiles: .every
  ) { path, _, findings in
    for (depth, certificate) in path.certificates.enumerated() {
      let version = certificate.version
      if !(1...3 ~= version) {
        findings.append(Finding(.versionMalformed, depth: depth, detail: "version \(version) does not exist"))
      } else if version < 3, !certificate.extensions.isEmpty {
        findings.append(
          Finding(.versionMalformed, depth: depth, detail: "version \(version) with extensions, which need version 3"))
      }
    }
  }

  /// Version 3 throughout.
  static let versionThree = CertificateRule(
    "version 3", clause: "CABF BR 7.1.1", codes: .versionMalformed, profiles: [.webPKI]
  ) { path, _, findings in
    for (depth, certificate) in path.certificates.enumerated()
    where certificate.version < 3 && certificate.extensions.isEmpty {
      findings.append(Finding(.versionMalformed, depth: depth, detail: "version \(certificate.version), not 3"))
    }
  }

  /// At most 20 octets of magnitude; the octet that only keeps a number positive is not counted, since issuers that
  /// draw 160 bits at random are many.
  static let serialNumberLength = CertificateRule(
    "serial number of at most 20 octets", clause: "RFC 5280 4.1.2.2", codes: .serialNumberMalformed, profiles: .letter
  ) { path, _, findings in
    for (depth, certificate) in path.untrusted.enumerated() {
      let count = certificate.serialNumber.drop { $0 == 0 }.count
      guard count > 20 else { continue }
      findings.append(
        Finding(.serialNumberMalformed, depth: depth, detail: "a serial number of \(count) octets, not at most 20"))
    }
  }

  /// Greater than zero, of an anchor too if it is the server's own certificate. RFC 5280 asks those who verify to handle
  /// other numbers gracefully, so its profile does.
  static let serialNumberPositive = CertificateRule(
    "positive serial number", clause: "RFC 5280 4.1.2.2, CABF BR 7.1", codes: .serialNumberMalformed,
    profiles: [.webPKI]
  ) { path, _, findings in
    for (depth, certificate) in path.certificates.prefix(max(1, path.untrusted.count)).enumerated() {
      let isNegative = certificate.serialNumber.first.map { $0 >= 0x80 } ?? false
      guard isNegative || certificate.serialNumber.allSatisfy({ $0 == 0 }) else { continue }
      findings.append(
        Finding(
          .serialNumberMalformed, depth: depth,
          detail: "a serial number that is \(isNegative ? "negative" : "zero"), not positive"))
    }
  }

  /// The algorithm inside the signed part is the one outside, octet for octet.
  static let signatureAlgorithmEquality = CertificateRule(
    "signature algorithm equality", clause: "RFC 5280 4.1.1.2", codes: .signatureAlgorithmMismatch, profiles: .every
  ) { path, _, findings in
    for (depth, certificate) in path.untrusted.enumerated()
    where certificate.signatureAlgorithm != certificate.tbsSignatureAlgorithm {
      findings.append(
        Finding(
          .signatureAlgorithmMismatch, depth: depth,
          detail: "signed with \(certificate.signatureAlgorithm.algorithm), but the signed part names "
            + "\(certificate.tbsSignatureAlgorithm.algorithm) or other parameters"))
    }
  }
}
