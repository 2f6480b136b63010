// SPDX-License-Identifier: Apache-2.0

/// Keys and signatures that are too weak, or of a kind that a profile does not know.
extension CertificateRule {
  /// Keys are what their algorithm makes them, elliptic curves are named, and points are not compressed.
  static let keyEncoding = CertificateRule(
    "well-formed keys", clause: "RFC 3279 2.3.1, RFC 5480 2.1.1 and 2.2, RFC 8410 4", codes: .keyWeak,
    profiles: .every, each: .all
  ) { certificate, faults in
    let key = certificate.publicKey
    if case .ec(curve: nil) = key.kind {
      faults.add(.keyWeak, "the key's curve is not given by its name")
    } else if !key.isWellFormed {
      faults.add(
        .keyWeak, "the key (\(key.kind)) is not encoded as its algorithm wants it, or longer than libraries read")
    }
  }

  /// RSA keys of 2048 bits or more, elliptic curves of 256 bits or more from those that browsers know, no DSA.
  static let keyStrength = CertificateRule(
    "key strength", clause: "CABF BR 6.1.5, Apple HT210176", codes: .keyWeak, profiles: [.apple, .standard, .webPKI],
    each: .all, when: { $0.profile != .apple || $0.asksForPurpose }
  ) { certificate, faults in
    let kind = certificate.publicKey.kind
    let isStrong =
      switch kind {
      case .rsa(let bits), .rsaPSS(let bits): bits.map { $0 >= 2048 } ?? false
      case .ec(let curve): curve.map { strongCurves.contains($0) } ?? true
      case .ed25519, .ed448: true
      case .dsa, .other: false
      }
    if !isStrong {
      faults.add(.keyWeak, "\(kind) is less than RSA 2048 or a curve of 256 bits, or not a kind in use")
    }
  }

  /// RSA moduli of whole octets, and exponents that are odd and at least 3.
  static let keyForm = CertificateRule(
    "form of RSA keys", clause: "CABF BR 6.1.5 and 6.1.6", codes: .keyWeak, profiles: [.standard, .webPKI], each: .all
  ) { certificate, faults in
    switch certificate.publicKey.kind {
    case .rsa(let bits?), .rsaPSS(let bits?):
      if !bits.isMultiple(of: 8) { faults.add(.keyWeak, "an RSA modulus of \(bits) bits, not a multiple of 8") }
      let exponent = certificate.publicKey.rsaExponent ?? []
      guard let last = exponent.last, !last.isMultiple(of: 2), exponent.count > 1 || last >= 3 else {
        return faults.add(.keyWeak, "an RSA exponent that is even or less than 3")
      }
    default: return
    }
  }

  /// Neither Ed25519 nor Ed448.
  static let edwardsKeys = CertificateRule(
    "no EdDSA keys", clause: "CABF BR 6.1.5, Apple SecKey", codes: .keyWeak, profiles: [.apple, .webPKI], each: .all
  ) { certificate, faults in
    let kind = certificate.publicKey.kind
    guard kind == .ed25519 || kind == .ed448 else { return }
    faults.add(.keyWeak, "\(kind) is not a kind of key that the profile knows")
  }

  /// Signatures that hold: no MD5 or SHA-1. An anchor's own signature proves nothing and is not judged. Apple's
  /// plain X.509 policy still takes SHA-1.
  static let signatureStrength = CertificateRule(
    "signature strength", clause: "CABF BR 7.1.3.2, RFC 9155", codes: .signatureAlgorithmWeak,
    profiles: [.apple, .standard, .webPKI],
    concerning: { certificate, _ in certificate.signatureAlgorithm.weakDigest != nil }
  ) { path, context, findings in
    for (depth, certificate) in path.untrusted.enumerated() {
      guard let name = certificate.signatureAlgorithm.weakDigest else { continue }
      if context.profile == .apple, !context.asksForPurpose, name == "SHA-1" { continue }
      findings.append(
        Finding(.signatureAlgorithmWeak, depth: depth, detail: "signed with \(name), which no longer holds"))
    }
  }

  /// Signatures by algorithms that every library checks, in parameters as well as in name, and by keys that make them.
  static let signatureInUse = CertificateRule(
    "signature algorithm in use", clause: "RFC 5280 4.1.1.2", codes: .signatureUnsupported, profiles: .every,
    concerning: { certificate, isLeaf in
      !certificate.signatureAlgorithm.isInUse || !isLeaf && !certificate.publicKey.isInUse
    }
  ) { path, _, findings in
    for (depth, issuer) in path.issuers.enumerated() {
      let algorithm = path.certificates[depth].signatureAlgorithm
      guard !algorithm.isInUse || !issuer.publicKey.isInUse else { continue }
      findings.append(
        Finding(
          .signatureUnsupported, depth: depth,
          detail:
            "the signature's algorithm (\(algorithm.algorithm)) is not supported, with these parameters or this key"))
    }
  }

  private static let strongCurves: [OID] = [.p256, .p384, .p521]
}

extension AlgorithmIdentifier {
  /// The name of the digest if it is one that forgers can collide; nil for a sound or unknown one.
  var weakDigest: String? {
    switch algorithm {
    case .md5WithRSA: "MD5"
    case .sha1WithRSA, .dsaWithSHA1, .ecdsaWithSHA1: "SHA-1"
    default: nil
    }
  }
}
