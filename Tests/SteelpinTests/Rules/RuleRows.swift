// SPDX-License-Identifier: Apache-2.0
import Steelpin

/// The table of faults: every rule of the registry but those of names and policies, which have tests of their own.
enum RuleRows {
  static let all = form + extensions + issuing + purpose + strength + profiles

  private static let form: [RuleRow] = [
    RuleRow("host name", "another name", .all, "host-mismatch@0") {
      $0.leaf.set(.subjectAlternativeName, .subjectAlternativeName(FakeGeneralName.dns("other.example.com")))
      $0.leaf.subject = FakeName.commonName("other.example.com")
    },
    RuleRow("host name", "only a common name", .all, "host-mismatch@0") {
      $0.leaf.set(.subjectAlternativeName, .subjectAlternativeName(FakeGeneralName.dns("other.example.com")))
      $0.leaf.subject = FakeName.attributes((.commonName, "other.example.com"))
    },
    RuleRow("validity period", "not yet valid", .all, "not-yet-valid@0") {
      $0.leaf.validity = FakeCertificate.period(days: 9, beginning: FakeCertificate.now.advanced(by: 1))
    },
    RuleRow("validity period", "expired a second ago", .all, "expired@0") {
      $0.leaf.validity = FakeCertificate.period(
        days: 9, beginning: FakeCertificate.now.advanced(byDays: -9).advanced(by: -1))
    },
    RuleRow("validity period", "valid until this second", []) {
      $0.leaf.validity = FakeCertificate.period(days: 9, beginning: FakeCertificate.now.advanced(byDays: -9))
    },
    RuleRow("validity period", "valid from this second", []) {
      $0.leaf.validity = FakeCertificate.period(days: 9, beginning: FakeCertificate.now)
    },
    RuleRow("validity period", "an expired anchor", .all, "expired@2") {
      $0.root.validity = FakeCertificate.period(days: 5)
    },
    RuleRow("validity period", "a date that is none", .all, "validity-malformed@0") {
      $0.leaf.validity = DER.sequence(DER.string(.utcTime, "261332000000Z"), DER.string(.utcTime, "270401000000Z"))
    },
    RuleRow(
      "validity in the prescribed form", "GeneralizedTime before 2050", [.standard, .webPKI], "validity-malformed@0"
    ) {
      $0.leaf.validity = DER.sequence(
        DER.generalizedTime(FakeCertificate.now.advanced(byDays: -10)),
        DER.utcTime(FakeCertificate.now.advanced(byDays: 80)))
    },
    RuleRow("version", "version 2 with extensions", .all, "version-malformed@0") { $0.leaf.version = 2 },
    RuleRow("version", "version 4", .all, "version-malformed@0") { $0.leaf.version = 4 },
    RuleRow("version 3", "an anchor of version 1", [.webPKI], "version-malformed@2") {
      $0.root.version = 1
      $0.root.extensions = []
    },
    RuleRow("serial number of at most 20 octets", "21 octets", .strict, "serial-number-malformed@0") {
      $0.leaf.serialNumber = [0x01] + Array(repeating: 0xAA, count: 20)
    },
    RuleRow("serial number of at most 20 octets", "20 octets and a sign", []) {
      $0.leaf.serialNumber = [0x00] + Array(repeating: 0xAA, count: 20)
    },
    RuleRow("positive serial number", "negative", [.webPKI], "serial-number-malformed@0") {
      $0.leaf.serialNumber = [0xFF]
    },
    RuleRow("positive serial number", "zero", [.webPKI], "serial-number-malformed@1") {
      $0.intermediate.serialNumber = [0x00]
    },
    RuleRow("signature algorithm equality", "of the anchor", .all, "signature-algorithm-mismatch@2") {
      $0.root.innerAlgorithm = DER.sequence(DER.objectIdentifier(.ecdsaWithSHA384))
    },
    RuleRow("signature algorithm equality", "two algorithms", .all, "signature-algorithm-mismatch@0") {
      $0.leaf.innerAlgorithm = DER.sequence(DER.objectIdentifier(.ecdsaWithSHA384))
    },
    RuleRow("issuer not empty", "empty names", .all, "name-malformed@0", "name-malformed@1") {
      $0.leaf.issuer = FakeName.empty
      $0.intermediate.subject = FakeName.empty
    },
    RuleRow("subject of an issuer not empty", "an anchor without a name", .all, "name-malformed@1", "name-malformed@2")
    {
      $0.intermediate.issuer = FakeName.empty
      $0.root.subject = FakeName.empty
      $0.root.issuer = FakeName.empty
    },
    RuleRow(
      "empty subject only with critical subjectAltName", "not critical", .letter, "extension-misplaced@0"
    ) { $0.leaf.subject = FakeName.empty },
    RuleRow("empty subject only with critical subjectAltName", "critical", []) {
      $0.leaf.subject = FakeName.empty
      $0.leaf.set(
        .subjectAlternativeName, .subjectAlternativeName(FakeGeneralName.dns("www.example.com")).critical())
    },
    RuleRow("form of alternative names", "a dNSName with an underscore", .letter, "name-malformed@0") {
      $0.leaf.set(
        .subjectAlternativeName,
        .subjectAlternativeName(FakeGeneralName.dns("www.example.com"), FakeGeneralName.dns("a_b.example.com")))
    },
    RuleRow("form of alternative names", "a dNSName with a space", .letter, "name-malformed@0") {
      $0.leaf.set(
        .subjectAlternativeName,
        .subjectAlternativeName(FakeGeneralName.dns("www.example.com"), FakeGeneralName.dns("a b.example.com")))
    },
  ]

  private static let extensions: [RuleRow] = [
    RuleRow("well-formed extensions", "an empty extKeyUsage", .all, "extension-malformed@1") {
      $0.intermediate.set(.extendedKeyUsage, .extendedKeyUsage())
    },
    RuleRow("well-formed extensions", "an address of five octets", .all, "extension-malformed@1") {
      $0.intermediate.extensions.append(.subjectAlternativeName(FakeGeneralName.ip(1, 2, 3, 4, 5)))
    },
    RuleRow("well-formed extensions", "a network of four octets", .all, "extension-malformed@2") {
      $0.root.extensions.append(.nameConstraints(excluded: [FakeGeneralName.ip(10, 0, 0, 0)]))
    },
    RuleRow("well-formed extensions", "keyUsage without a bit", .all, "extension-malformed@0") {
      $0.leaf.set(.keyUsage, .keyUsage())
    },
    RuleRow("no duplicate extension", "keyUsage twice", .all, "extension-duplicated@0") {
      $0.leaf.extensions.append(.keyUsage(0))
    },
    RuleRow("no duplicate extension", "an unknown one twice", .all, "extension-duplicated@2") {
      $0.root.extensions += [.unknown(isCritical: false), .unknown(isCritical: false)]
    },
    RuleRow("no unprocessed critical extension", "unknown", .all, "extension-critical-unknown@0") {
      $0.leaf.extensions.append(.unknown(isCritical: true))
    },
    RuleRow("no unprocessed critical extension", "unknown in the anchor", .all, "extension-critical-unknown@2") {
      $0.root.extensions.append(.unknown(isCritical: true))
    },
    RuleRow("no unprocessed critical extension", "unknown, not critical", []) {
      $0.leaf.extensions.append(.unknown(isCritical: false))
    },
    RuleRow("no unprocessed critical extension", "must-staple, critical", .all, "extension-critical-unknown@0") {
      $0.leaf.extensions.append(
        FakeExtension(identifier: .tlsFeature, isCritical: true, value: DER.sequence(DER.integer(5))))
    },
    RuleRow("extensions that are never critical", "subjectKeyIdentifier", .all, "extension-misplaced@2") {
      $0.root.set(.subjectKeyIdentifier, .subjectKeyIdentifier("Root").critical())
    },
    RuleRow("extensions that are never critical", "authorityKeyIdentifier", .all, "extension-misplaced@0") {
      $0.leaf.set(.authorityKeyIdentifier, .authorityKeyIdentifier("Intermediate").critical())
    },
    RuleRow(
      "policy constraints that are critical", "inhibitAnyPolicy", [.standard, .webPKI], "extension-misplaced@1"
    ) { $0.intermediate.extensions.append(.inhibitAnyPolicy(3).critical(false)) },
    RuleRow("critical basicConstraints", "of the anchor", .letter, "extension-misplaced@2") {
      $0.root.set(.basicConstraints, .basicConstraints(isCA: true).critical(false))
    },
    RuleRow("critical basicConstraints", "of an intermediate", [.webPKI], "extension-misplaced@1") {
      $0.intermediate.set(.basicConstraints, .basicConstraints(isCA: true).critical(false))
    },
    RuleRow("key identifiers present", "an anchor without", .letter, "extension-missing@2") {
      $0.root.set(.subjectKeyIdentifier, nil)
    },
    RuleRow("key identifiers present", "a leaf without", .letter, "extension-missing@0") {
      $0.leaf.set(.authorityKeyIdentifier, nil)
    },
    RuleRow("key identifiers present", "a cross-signed anchor without", [.webPKI], "extension-missing@2") {
      $0.root.issuer = FakeName.commonName("Older Root")
    },
    RuleRow("key identifiers of a root are its own", "another key", .letter, "key-identifier-mismatch@2") {
      $0.root.extensions.append(.authorityKeyIdentifier("Older Root"))
    },
    RuleRow("key identifiers of a root are its own", "its own key", []) {
      $0.root.extensions.append(.authorityKeyIdentifier("Root"))
    },
    RuleRow("key identifiers match", "another key", .all, "key-identifier-mismatch@0") {
      $0.leaf.set(.authorityKeyIdentifier, .authorityKeyIdentifier("Other"))
    },
    RuleRow("key identifiers match", "another serial number", .all, "key-identifier-mismatch@0") {
      let fields = [
        DER.element(.context(0), FakeKey.identifier("Intermediate")),
        DER.element(.context(1, constructed: true), FakeGeneralName.directory(FakeName.commonName("Root"))),
        DER.element(.context(2), [9]),
      ]
      $0.leaf.set(
        .authorityKeyIdentifier, FakeExtension(identifier: .authorityKeyIdentifier, value: DER.sequence(fields)))
    },
  ]

  private static let issuing: [RuleRow] = [
    RuleRow("issuers are certificate authorities", "an intermediate without", .all, "issuer-not-ca@1") {
      $0.intermediate.set(.basicConstraints, nil)
      $0.intermediate.set(.keyUsage, nil)
    },
    RuleRow("issuers are certificate authorities", "an anchor that is none", .all, "issuer-not-ca@2") {
      $0.root.set(.basicConstraints, .basicConstraints(isCA: false))
    },
    RuleRow("path length", "0 above an intermediate", .all, "path-length-exceeded@2") {
      $0.root.set(.basicConstraints, .basicConstraints(isCA: true, pathLength: 0))
    },
    RuleRow("path length", "1 above an intermediate", []) {
      $0.root.set(.basicConstraints, .basicConstraints(isCA: true, pathLength: 1))
    },
    RuleRow("path length only of authorities", "in a leaf", .letter, "extension-misplaced@0") {
      $0.leaf.set(.basicConstraints, .basicConstraints(isCA: false, pathLength: 0))
    },
    RuleRow("key usage of issuers", "an intermediate for CRLs only", .all, "key-usage-forbids-signing@1") {
      $0.intermediate.set(.keyUsage, .keyUsage(6))
      $0.intermediate.set(.basicConstraints, .basicConstraints(isCA: true))
    },
    RuleRow("key usage of issuers", "an anchor for CRLs only", .all, "key-usage-forbids-signing@2") {
      $0.root.set(.keyUsage, .keyUsage(6))
    },
    RuleRow("consistent key usage", "keyCertSign in a leaf", .letter, "extension-misplaced@0") {
      $0.leaf.set(.keyUsage, .keyUsage(0, 5))
    },
    RuleRow("constraints only in authorities", "in a leaf", .strict, "extension-misplaced@0") {
      $0.leaf.extensions.append(.nameConstraints(permitted: [FakeGeneralName.dns("example.com")]))
    },
  ]

  private static let purpose: [RuleRow] = [
    RuleRow("key usage of a TLS server", "nonRepudiation only", .all, "purpose-mismatch@0") {
      $0.leaf.set(.keyUsage, .keyUsage(1))
    },
    RuleRow("extended key usage of the leaf", "clientAuth", .all, "purpose-mismatch@0") {
      $0.leaf.set(.extendedKeyUsage, .extendedKeyUsage(.clientAuth))
    },
    RuleRow("extended key usage required", "absent", [.apple, .webPKI], "extension-missing@0") {
      $0.leaf.set(.extendedKeyUsage, nil)
    },
    RuleRow("extended key usage required", "any", [.apple, .webPKI], "purpose-mismatch@0") {
      $0.leaf.set(.extendedKeyUsage, .extendedKeyUsage(.anyExtendedKeyUsage))
    },
    RuleRow("extended key usage required", "server and any", [.webPKI], "purpose-mismatch@0") {
      $0.leaf.set(.extendedKeyUsage, .extendedKeyUsage(.serverAuth, .anyExtendedKeyUsage))
    },
    RuleRow("extended key usage of issuers", "an intermediate for mail", .all, "purpose-mismatch@1") {
      $0.intermediate.set(.extendedKeyUsage, .extendedKeyUsage(.emailProtection))
    },
    RuleRow("extended key usage required", "server and code signing", [.webPKI], "purpose-mismatch@0") {
      $0.leaf.set(.extendedKeyUsage, .extendedKeyUsage(.serverAuth, .codeSigning))
    },
    RuleRow("extended key usage required", "server and client", []) {
      $0.leaf.set(.extendedKeyUsage, .extendedKeyUsage(.serverAuth, .clientAuth))
    },
    RuleRow("no authority as leaf", "that may sign certificates", [.webPKI], "purpose-mismatch@0") {
      $0.leaf.set(.basicConstraints, .basicConstraints(isCA: true))
      $0.leaf.set(.keyUsage, .keyUsage(5))
    },
    RuleRow("no authority as leaf that may not sign", "cA", [.standard, .webPKI], "purpose-mismatch@0") {
      $0.leaf.set(.basicConstraints, .basicConstraints(isCA: true))
    },
  ]

  private static let strength: [RuleRow] = [
    RuleRow("well-formed keys", "explicit parameters", .all, "key-weak@0") {
      $0.leaf.publicKey = FakeKey.explicitCurve("www.example.com")
    },
    RuleRow("well-formed keys", "a compressed point", .all, "key-weak@0") {
      $0.leaf.publicKey = FakeKey.ec(.p256, [0x02] + FakeKey.p256Point("www.example.com")[1...32])
    },
    RuleRow("well-formed keys", "a point in the hybrid form", .all, "key-weak@0") {
      $0.leaf.publicKey = FakeKey.ec(.p256, [0x06] + FakeKey.p256Point("www.example.com").dropFirst())
    },
    RuleRow("well-formed keys", "a point that is too short", .all, "key-weak@0") {
      $0.leaf.publicKey = FakeKey.ec(.p256, Array(FakeKey.p256Point("www.example.com").dropLast()))
    },
    RuleRow("well-formed keys", "RSA with an exponent of more than 64 bits", .all, "key-weak@0") {
      $0.leaf.publicKey = FakeKey.rsa(
        bits: 2048, exponent: DER.integer(magnitude: Array(repeating: 1, count: 9)))
    },
    RuleRow("key strength", "RSA 2040", .strong, "key-weak@0") { $0.leaf.publicKey = FakeKey.rsa(bits: 2040) },
    RuleRow("key strength", "RSA 2048", []) { $0.leaf.publicKey = FakeKey.rsa(bits: 2048) },
    RuleRow("key strength", "P-224", .strong, "key-weak@0") {
      $0.leaf.publicKey = FakeKey.ec(.p224, Array(FakeKey.p256Point("www.example.com").dropLast(8)))
    },
    RuleRow("form of RSA keys", "2049 bits", [.standard, .webPKI], "key-weak@0") {
      $0.leaf.publicKey = FakeKey.rsa(bits: 2049)
    },
    RuleRow("form of RSA keys", "exponent 1", [.standard, .webPKI], "key-weak@0") {
      $0.leaf.publicKey = FakeKey.rsa(bits: 2048, exponent: DER.integer(1))
    },
    RuleRow("form of RSA keys", "exponent 65536", [.standard, .webPKI], "key-weak@0") {
      $0.leaf.publicKey = FakeKey.rsa(bits: 2048, exponent: DER.integer(65536))
    },
    RuleRow("no EdDSA keys", "Ed25519", [.apple, .webPKI], "key-weak@0") {
      $0.leaf.publicKey = FakeKey.ed25519("www.example.com")
    },
    RuleRow("signature strength", "SHA-1", .strong, "signature-algorithm-weak@0") {
      $0.leaf.innerAlgorithm = FakeAlgorithm.ecdsaWithSHA1
      $0.leaf.outerAlgorithm = FakeAlgorithm.ecdsaWithSHA1
    },
    RuleRow("signature strength", "MD5", .strong, "signature-algorithm-weak@1", "signature-unsupported@1") {
      $0.intermediate.innerAlgorithm = FakeAlgorithm.md5WithRSA
      $0.intermediate.outerAlgorithm = FakeAlgorithm.md5WithRSA
    },
    RuleRow("signature algorithm in use", "SHA-1 by another name", .all, "signature-unsupported@0") {
      $0.leaf.innerAlgorithm = FakeAlgorithm.sha1WithRSAOfOIW
      $0.leaf.outerAlgorithm = FakeAlgorithm.sha1WithRSAOfOIW
    },
    RuleRow("signature algorithm in use", "RSA with parameters", .all, "signature-unsupported@0") {
      $0.leaf.innerAlgorithm = FakeAlgorithm.sha256WithRSAAndParameters
      $0.leaf.outerAlgorithm = FakeAlgorithm.sha256WithRSAAndParameters
    },
    RuleRow("signature algorithm in use", "RSA-PSS with its default, SHA-1", .all, "signature-unsupported@0") {
      $0.leaf.innerAlgorithm = FakeAlgorithm.rsaPSSWithDefaults
      $0.leaf.outerAlgorithm = FakeAlgorithm.rsaPSSWithDefaults
    },
    RuleRow("signature strength", "SHA-1 of the anchor itself", []) {
      $0.root.innerAlgorithm = FakeAlgorithm.ecdsaWithSHA1
      $0.root.outerAlgorithm = FakeAlgorithm.ecdsaWithSHA1
    },
  ]

  private static let profiles: [RuleRow] = [
    RuleRow("no wildcard above a public suffix", "a private one", [.webPKI], "name-not-permitted@0") {
      $0.leaf.set(
        .subjectAlternativeName,
        .subjectAlternativeName(FakeGeneralName.dns("www.example.com"), FakeGeneralName.dns("*.github.io")))
    },
    RuleRow("common name among the alternative names", "another", [.webPKI], "name-malformed@0") {
      $0.leaf.subject = FakeName.commonName("other.example.com")
    },
    RuleRow("common name among the alternative names", "other letter case", [.webPKI], "name-malformed@0") {
      $0.leaf.subject = FakeName.commonName("WWW.example.com")
    },
    RuleRow("subjectAltName not critical beside a subject", "critical", .letter, "extension-misplaced@0") {
      $0.leaf.set(
        .subjectAlternativeName, .subjectAlternativeName(FakeGeneralName.dns("www.example.com")).critical())
    },
    RuleRow("extKeyUsage not critical", "critical", [.webPKI], "extension-misplaced@0") {
      $0.leaf.set(.extendedKeyUsage, .extendedKeyUsage(.serverAuth).critical())
    },
    RuleRow("no extKeyUsage in a root", "serverAuth", [.webPKI], "extension-misplaced@2") {
      $0.root.set(.extendedKeyUsage, .extendedKeyUsage(.serverAuth))
    },
    RuleRow("validity length", "200 days and a second", [.webPKI], "validity-too-long@0") {
      $0.leaf.validity = FakeCertificate.period(days: 200)
    },
    RuleRow("validity length", "199 days", []) { $0.leaf.validity = FakeCertificate.period(days: 199) },
    RuleRow("validity length on Apple systems", "826 days", [.apple, .webPKI], "validity-too-long@0") {
      $0.leaf.validity = FakeCertificate.period(days: 826)
    },
  ]
}
