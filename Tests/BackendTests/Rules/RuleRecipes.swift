// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinMatrix

extension RuleRecipe {
  static let all = form + extensions + issuing + purpose + strength + onlyByOpenSSL + forum

  private static let form: [RuleRecipe] = [
    RuleRecipe("host name", .all, "host-mismatch@0") {
      $0.leaf.subject = "other.steelpin.test"
      $0.leaf.setExtension(.subjectAlternativeNames(["other.steelpin.test"]))
    },
    RuleRecipe("validity period", .all, "expired@0") { $0.leaf.validity = .expired },
    RuleRecipe("validity period", .all, "not-yet-valid@1") { $0.intermediate.validity = .days(1, 400) },
    RuleRecipe("validity in the prescribed form", [.standard, .webPKI], "validity-malformed@0") {
      $0.leaf.validity.notAfter = .days(89, as: .generalizedTime)
    },
    RuleRecipe("version", .all, "version-malformed@0") { $0.leaf.version = 2 },
    RuleRecipe("version 3", [.webPKI], "version-malformed@2") {
      $0.root.version = 1
      $0.root.extensions = []
    },
    RuleRecipe("serial number of at most 20 octets", .strict, "serial-number-malformed@0") {
      $0.leaf.serialNumber = [0x01] + Array(repeating: 0xAA, count: 20)
    },
    RuleRecipe("positive serial number", [.webPKI], "serial-number-malformed@0") { $0.leaf.serialNumber = [0xFE, 1] },
    RuleRecipe("positive serial number", [.webPKI], "serial-number-malformed@1") { $0.intermediate.serialNumber = [0] },
    RuleRecipe("signature algorithm equality", .all, "signature-algorithm-mismatch@0") {
      $0.leaf.faults = [.innerAlgorithm(.ecdsa(.sha384))]
    },
    RuleRecipe("signature algorithm equality", .all, "signature-algorithm-mismatch@2") {
      $0.root.faults = [.innerAlgorithm(.ecdsa(.sha384))]
    },
    RuleRecipe("issuer not empty", .all, "name-malformed@0", "name-malformed@1") {
      $0.intermediate.subject = .empty
    },
    RuleRecipe("subject of an issuer not empty", .all, "name-malformed@1", "name-malformed@2") {
      $0.root.subject = .empty
    },
    RuleRecipe("empty subject only with critical subjectAltName", .letter, "extension-misplaced@0") {
      $0.leaf.subject = .empty
    },
    RuleRecipe("form of alternative names", .letter, "name-malformed@0") {
      $0.leaf.setExtension(.subjectAlternativeNames(["www.steelpin.test", "a b.steelpin.test"]))
    },
    RuleRecipe("form of alternative names", .letter, "name-malformed@0") {
      $0.leaf.setExtension(.subjectAlternativeNames(["www.steelpin.test", "a_b.steelpin.test"]))
    },
  ]

  private static let extensions: [RuleRecipe] = [
    RuleRecipe("well-formed extensions", .all, "extension-malformed@1") {
      $0.intermediate.extensions.append(ExtensionRecipe(.raw(.extendedKeyUsage, DER.sequence())))
    },
    RuleRecipe("well-formed extensions", .all, "extension-malformed@1") {
      $0.intermediate.extensions.append(ExtensionRecipe(.subjectAlternativeNames([.ipOctets([1, 2, 3, 4, 5])])))
    },
    RuleRecipe("well-formed extensions", .all, "extension-malformed@2") {
      $0.root.extensions.append(ExtensionRecipe(.nameConstraints(permitted: [], excluded: [.ipOctets([10, 0, 0])])))
    },
    RuleRecipe("well-formed extensions", .all, "extension-malformed@0") { $0.leaf.setExtension(.keyUsage([])) },
    RuleRecipe("well-formed extensions", .all, "extension-malformed@0") {
      $0.leaf.extensions.append(ExtensionRecipe(.raw(.issuerAlternativeName, DER.null)))
    },
    RuleRecipe("well-formed extensions", .all, "extension-malformed@1") {
      $0.intermediate.extensions.append(ExtensionRecipe(.raw(.netscapeCertificateType, DER.sequence())))
    },
    RuleRecipe("no duplicate extension", .all, "extension-duplicated@0") { $0.leaf.duplicateExtension(.keyUsage) },
    RuleRecipe("no unprocessed critical extension", .all, "extension-critical-unknown@1") {
      $0.intermediate.extensions.append(ExtensionRecipe(.raw(OID([0x2B, 6, 1, 4, 1]), DER.null), critical: true))
    },
    RuleRecipe("extensions that are never critical", .all, "extension-misplaced@2") {
      $0.root.setExtension(.subjectKeyIdentifier(nil), critical: true)
    },
    RuleRecipe("policy constraints that are critical", [.standard, .webPKI], "extension-misplaced@1") {
      $0.intermediate.extensions.append(ExtensionRecipe(.inhibitAnyPolicy(3), critical: false))
    },
    RuleRecipe("critical basicConstraints", .letter, "extension-misplaced@2") {
      $0.root.setExtension(.basicConstraints(isCA: true, pathLength: nil), critical: false)
    },
    RuleRecipe("critical basicConstraints", [.webPKI], "extension-misplaced@1") {
      $0.intermediate.setExtension(.basicConstraints(isCA: true, pathLength: 0), critical: false)
    },
    RuleRecipe("key identifiers present", .letter, "extension-missing@0") {
      $0.leaf.removeExtension(.authorityKeyIdentifier)
    },
    RuleRecipe("key identifiers match", .all, "key-identifier-mismatch@0") {
      $0.leaf.setExtension(
        .authorityKeyIdentifier(.custom(keyIdentifier: [1, 2, 3], issuer: nil, serialNumber: nil)))
    },
    RuleRecipe("key identifiers of a root are its own", .letter, "key-identifier-mismatch@2") {
      $0.root.setExtension(
        .authorityKeyIdentifier(.custom(keyIdentifier: [1, 2, 3], issuer: nil, serialNumber: nil)))
    },
  ]

  private static let issuing: [RuleRecipe] = [
    RuleRecipe("issuers are certificate authorities", .all, "issuer-not-ca@1") {
      $0.intermediate.removeExtension(.basicConstraints)
      $0.intermediate.removeExtension(.keyUsage)
    },
    RuleRecipe("path length", .all, "path-length-exceeded@2") {
      $0.root.setExtension(.basicConstraints(isCA: true, pathLength: 0))
    },
    RuleRecipe("path length only of authorities", .letter, "extension-misplaced@0") {
      $0.leaf.setExtension(.basicConstraints(isCA: false, pathLength: 0))
    },
    RuleRecipe("key usage of issuers", .all, "key-usage-forbids-signing@1") {
      $0.intermediate.setExtension(.basicConstraints(isCA: true, pathLength: nil))
      $0.intermediate.setExtension(.keyUsage(.cRLSign))
    },
    RuleRecipe("consistent key usage", .letter, "extension-misplaced@0") {
      $0.leaf.setExtension(.keyUsage([.digitalSignature, .keyCertSign]))
    },
    RuleRecipe("constraints only in authorities", .strict, "extension-misplaced@0") {
      $0.leaf.setExtension(.nameConstraints(permitted: ["steelpin.test"], excluded: []))
    },
    RuleRecipe("name constraints", .all, "name-not-permitted@0") {
      $0.root.setExtension(.nameConstraints(permitted: ["elsewhere.test"], excluded: []))
    },
    RuleRecipe("name constraints", .all, "name-not-permitted@0") {
      $0.intermediate.setExtension(.nameConstraints(permitted: [], excluded: ["steelpin.test"]))
    },
    RuleRecipe("certificate policies", .all, "policy-not-allowed@0") {
      $0.intermediate.setExtension(.policyConstraints(requireExplicitPolicy: 0, inhibitPolicyMapping: nil))
    },
  ]

  private static let purpose: [RuleRecipe] = [
    RuleRecipe("key usage of a TLS server", .all, "purpose-mismatch@0") {
      $0.leaf.setExtension(.keyUsage(.nonRepudiation))
    },
    RuleRecipe("extended key usage of the leaf", .all, "purpose-mismatch@0") {
      $0.leaf.setExtension(.extendedKeyUsage([.clientAuth]))
    },
    RuleRecipe("extended key usage required", [.apple, .webPKI], "extension-missing@0") {
      $0.leaf.removeExtension(.extendedKeyUsage)
    },
    RuleRecipe("extended key usage of issuers", .all, "purpose-mismatch@1") {
      $0.intermediate.setExtension(.extendedKeyUsage([.emailProtection]))
    },
    RuleRecipe("no authority as leaf", [.webPKI], "purpose-mismatch@0") {
      $0.leaf.setExtension(.basicConstraints(isCA: true, pathLength: nil))
      $0.leaf.setExtension(.keyUsage(.keyCertSign))
    },
    RuleRecipe("no authority as leaf that may not sign", [.standard, .webPKI], "purpose-mismatch@0") {
      $0.leaf.setExtension(.basicConstraints(isCA: true, pathLength: nil))
    },
  ]

  private static let strength: [RuleRecipe] = [
    RuleRecipe("well-formed keys", .all, "key-weak@0") {
      $0.leaf.subjectPublicKeyInfo = DER.sequence(
        DER.sequence(DER.objectIdentifier(.ecPublicKey), DER.sequence(DER.integer(1))),
        DER.bitString([0x04] + Array(repeating: 7, count: 64)))
    },
    RuleRecipe("key strength", .strong, "key-weak@0") { $0.leaf.key = KeyRecipe(.rsa(bits: 1024)) },
    RuleRecipe("form of RSA keys", [.standard, .webPKI], "key-weak@0") { $0.leaf.key = KeyRecipe(.rsa(bits: 2052)) },
    RuleRecipe("no EdDSA keys", [.apple, .webPKI], "key-weak@0") { $0.leaf.key = KeyRecipe(.ed25519) },
    RuleRecipe("signature algorithm in use", .all, "signature-unsupported@0") {
      $0.intermediate.key = KeyRecipe(.rsa(bits: 2048))
      $0.leaf.signatureAlgorithm = .rsaPKCS1(.sha1)
      // sha1WithRSA of the OIW, by which both libraries check a signature.
      let other = DERPatch.Change.replace(DER.objectIdentifier(OID([0x2B, 0x0E, 3, 2, 29])))
      $0.leaf.faults = [.patchSigned(DERPatch(at: [2, 0], other)), .patch(DERPatch(at: [1, 0], other))]
    },
    RuleRecipe("signature strength", .strong, "signature-algorithm-weak@0") {
      $0.leaf.signatureAlgorithm = .ecdsa(.sha1)
    },
  ]

  /// Faults that GnuTLS does not sign, though it would check some of them.
  private static var onlyByOpenSSL: [RuleRecipe] {
    #if OpenSSL
      [
        RuleRecipe("signature algorithm in use", .all, "signature-unsupported@0") {
          $0.intermediate.key = KeyRecipe(.rsa(bits: 2048))
          $0.leaf.signatureAlgorithm = .rsaPSS(.sha1)
        }
      ]
    #else
      []
    #endif
  }

  private static let forum: [RuleRecipe] = [
    RuleRecipe("no wildcard above a public suffix", [.webPKI], "name-not-permitted@0") {
      $0.leaf.setExtension(.subjectAlternativeNames(["www.steelpin.test", "*.co.uk"]))
    },
    RuleRecipe("common name among the alternative names", [.webPKI], "name-malformed@0") {
      $0.leaf.subject = "WWW.steelpin.test"
    },
    RuleRecipe("subjectAltName not critical beside a subject", .letter, "extension-misplaced@0") {
      $0.leaf.setExtension(.subjectAlternativeNames(["www.steelpin.test"]), critical: true)
    },
    RuleRecipe("extKeyUsage not critical", [.webPKI], "extension-misplaced@0") {
      $0.leaf.setExtension(.extendedKeyUsage([.serverAuth]), critical: true)
    },
    RuleRecipe("no extKeyUsage in a root", [.webPKI], "extension-misplaced@2") {
      $0.root.setExtension(.extendedKeyUsage([.serverAuth]))
    },
    RuleRecipe("validity length", [.webPKI], "validity-too-long@0") { $0.leaf.validity = .days(-1, 398) },
    RuleRecipe("validity length on Apple systems", [.apple, .webPKI], "validity-too-long@0") {
      $0.leaf.validity = .days(-1, 826)
    },
  ]
}
