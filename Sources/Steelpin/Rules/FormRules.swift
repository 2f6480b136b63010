// SPDX-License-Identifier: Apache-2.0

/// The version, the serial number and the signature algorithm as the certificate states them.
extension CertificateRule {
  /// A version that exists, and the one that has extensions if there are any.
  static let version = CertificateRule(
    "version", clause: "RFC 5280 4.1.2.1", codes: .versionMalformed, profiles: .every, each: .all
  ) { certificate, faults in
    let version = certificate.version
    if !(1...3 ~= version) {
      faults.add(.versionMalformed, "version \(version) does not exist")
    } else if version < 3, !certificate.extensions.isEmpty {
      faults.add(.versionMalformed, "version \(version) with extensions, which need version 3")
    }
  }

  /// Version 3 throughout.
  static let versionThree = CertificateRule(
    "version 3", clause: "CABF BR 7.1.1", codes: .versionMalformed, profiles: [.webPKI], each: .all
  ) { certificate, faults in
    if certificate.version < 3, certificate.extensions.isEmpty {
      faults.add(.versionMalformed, "version \(certificate.version), not 3")
    }
  }

  /// At most 20 octets of magnitude, as browsers insist too; the octet that only keeps a number positive is not counted,
  /// since issuers that draw 160 bits at random are many.
  static let serialNumberLength = CertificateRule(
    "serial number of at most 20 octets", clause: "RFC 5280 4.1.2.2", codes: .serialNumberMalformed,
    profiles: [.rfc5280, .standard, .webPKI], each: .untrusted
  ) { certificate, faults in
    let count = certificate.serialNumber.drop { $0 == 0 }.count
    if count > 20 { faults.add(.serialNumberMalformed, "a serial number of \(count) octets, not at most 20") }
  }

  /// Greater than zero, of an anchor too if it is the server's own certificate. RFC 5280 asks those who verify to handle
  /// other numbers gracefully, so its profile does.
  static let serialNumberPositive = CertificateRule(
    "positive serial number", clause: "RFC 5280 4.1.2.2, CABF BR 7.1", codes: .serialNumberMalformed,
    profiles: [.webPKI], each: .untrustedAndLeaf
  ) { certificate, faults in
    let isNegative = certificate.serialNumber.first.map { $0 >= 0x80 } ?? false
    guard isNegative || certificate.serialNumber.allSatisfy({ $0 == 0 }) else { return }
    faults.add(.serialNumberMalformed, "a serial number that is \(isNegative ? "negative" : "zero"), not positive")
  }

  /// The algorithm inside the signed part is the one outside, octet for octet; of an anchor too, which some libraries
  /// would not read otherwise.
  static let signatureAlgorithmEquality = CertificateRule(
    "signature algorithm equality", clause: "RFC 5280 4.1.1.2", codes: .signatureAlgorithmMismatch, profiles: .every,
    each: .all
  ) { certificate, faults in
    guard certificate.signatureAlgorithm != certificate.tbsSignatureAlgorithm else { return }
    faults.add(
      .signatureAlgorithmMismatch,
      "signed with \(certificate.signatureAlgorithm.algorithm), but the signed part names "
        + "\(certificate.tbsSignatureAlgorithm.algorithm) or other parameters")
  }
}
