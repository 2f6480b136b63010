// SPDX-License-Identifier: Apache-2.0
internal import Steelpin

extension MatrixWorld {
  private typealias Profiles = Set<TrustPolicy.Profile>

  /// One scenario at least for every rule, each wrong in one way by that rule alone.
  func rules() throws -> [MatrixScenario] {
    try (forms() + extensions() + issuers() + keys() + forum() + roots()).map { scenario in
      var brief = scenario
      brief.isBrief = true
      return brief
    }
  }

  /// A leaf with one fault.
  private func leafFault(
    _ name: String, _ clause: String, _ code: FindingCode, _ place: Fault.Place = .untrusted,
    _ audience: Fault.Audience = .everybody, _ profiles: Profiles = .every,
    _ change: (inout CertificateRecipe) -> Void
  ) throws -> MatrixScenario {
    let leaf = try leaf(by: nil) { change(&$0) }
    return usual(name, clause, leaf, [Fault(code, of: leaf, place, audience, profiles: profiles)])
  }

  /// A leaf below an intermediate with one fault.
  private func issuerFault(
    _ name: String, _ clause: String, _ code: FindingCode, _ profiles: Profiles = .every,
    of faulty: Int = 1, _ change: (inout CertificateRecipe) -> Void
  ) throws -> MatrixScenario {
    let authority = try lab.issue(CertificateRecipe.intermediate("Faulty CA").with(change), by: lab.root)
    let path = [try leaf(by: authority), try authority.certificate, root]
    return MatrixScenario(
      name: name, clause: clause, served: Array(path.prefix(2)), paths: [path],
      faults: [Fault(code, of: path[faulty], faulty == 0 ? .untrusted : .issuer, profiles: profiles)])
  }

  private func forms() throws -> [MatrixScenario] {
    [
      try leafFault("version 2 with extensions", "RFC 5280 4.1.2.1", .versionMalformed, .anywhere) { $0.version = 2 },
      try leafFault(
        "serial number too long", "RFC 5280 4.1.2.2", .serialNumberMalformed, .untrusted, .everybody,
        [.rfc5280, .standard, .webPKI]
      ) { $0.serialNumber = [UInt8](repeating: 0x11, count: 21) },
      try leafFault(
        "serial number zero", "CABF BR 7.1", .serialNumberMalformed, .anywhere, .everybody, [.webPKI]
      ) { $0.serialNumber = [0] },
      try leafFault("two signature algorithms", "RFC 5280 4.1.1.2", .signatureAlgorithmMismatch, .anywhere) {
        $0.faults = [.innerAlgorithm(.ecdsa(.sha384))]
      },
      try leafFault(
        "date in the wrong form", "RFC 5280 4.1.2.5", .validityMalformed, .untrusted, .everybody,
        [.standard, .webPKI]
      ) { $0.validity.notBefore.form = .generalizedTime },
      try leafFault("date that is none", "RFC 5280 4.1.2.5", .validityMalformed, .anywhere) {
        $0.validity.notBefore = .der(DER.string(.utf8String, "yesterday"))
      },
      try leafFault(
        "no subject", "RFC 5280 4.1.2.6", .extensionMisplaced, .untrusted, .everybody, .letter
      ) { $0.subject = .empty },
      try leafFault(
        "name that is no host name", "RFC 5280 4.2.1.6", .nameMalformed, .untrusted, .everybody, .letter
      ) { $0.setExtension(.subjectAlternativeNames([.dns(Self.host), "not a host!"])) },
    ]
  }

  private func extensions() throws -> [MatrixScenario] {
    [
      try leafFault("malformed extension", "RFC 5280 4.2", .extensionMalformed, .anywhere) {
        $0.setExtension(.raw(.subjectKeyIdentifier, [0x30, 0x05]))
      },
      try leafFault("duplicate extension", "RFC 5280 4.2", .extensionDuplicated, .anywhere) {
        $0.duplicateExtension(.keyUsage)
      },
      try leafFault("unknown critical extension", "RFC 5280 4.2", .extensionCriticalUnknown, .anywhere) {
        $0.extensions.append(ExtensionRecipe(.raw(OID([0x2A, 3, 4]), DER.null), critical: true))
      },
      try leafFault("critical key identifier", "RFC 5280 4.2.1.2", .extensionMisplaced, .anywhere) {
        $0.setExtension(.subjectKeyIdentifier(nil), critical: true)
      },
      try leafFault(
        "no authorityKeyIdentifier", "RFC 5280 4.2.1.1", .extensionMissing, .untrusted, .everybody, .letter
      ) { $0.removeExtension(.authorityKeyIdentifier) },
      try leafFault("wrong authorityKeyIdentifier", "RFC 5280 4.2.1.1", .keyIdentifierMismatch) {
        $0.setExtension(.authorityKeyIdentifier(.custom(keyIdentifier: [1, 2, 3], issuer: nil, serialNumber: nil)))
      },
      try leafFault(
        "path length of a server", "RFC 5280 4.2.1.9", .extensionMisplaced, .untrusted, .everybody, .letter
      ) { $0.setExtension(.basicConstraints(isCA: false, pathLength: 1)) },
      try leafFault(
        "server that may sign certificates", "RFC 5280 4.2.1.3", .extensionMisplaced, .untrusted, .everybody, .letter
      ) { $0.setExtension(.keyUsage([.digitalSignature, .keyCertSign])) },
      try leafFault(
        "name constraints of a server", "RFC 5280 4.2.1.10", .extensionMisplaced, .untrusted, .everybody,
        [.rfc5280, .standard, .webPKI]
      ) { $0.setExtension(.nameConstraints(permitted: ["matrix.test"], excluded: [])) },
      try leafFault("key that may not serve", "RFC 5280 4.2.1.3", .purposeMismatch, .untrusted, .server) {
        $0.setExtension(.keyUsage(.cRLSign))
      },
      try leafFault(
        "authority as the leaf", "CABF BR 7.1.2.7.8", .purposeMismatch, .untrusted, .server, [.webPKI]
      ) {
        $0.setExtension(.basicConstraints(isCA: true, pathLength: nil))
        $0.setExtension(.keyUsage([.digitalSignature, .keyCertSign]))
      },
      try leafFault(
        "authority that may not sign as the leaf", "RFC 5280 4.2.1.9", .purposeMismatch, .untrusted, .server,
        [.standard, .webPKI]
      ) { $0.setExtension(.basicConstraints(isCA: true, pathLength: nil)) },
    ]
  }

  private func issuers() throws -> [MatrixScenario] {
    [
      try issuerFault(
        "inhibitAnyPolicy not critical", "RFC 5280 4.2.1.14", .extensionMisplaced, [.standard, .webPKI]
      ) { $0.setExtension(.inhibitAnyPolicy(1), critical: false) },
      try issuerFault("basicConstraints not critical", "CABF BR 7.1.2", .extensionMisplaced, [.webPKI]) {
        $0.setExtension(.basicConstraints(isCA: true, pathLength: nil), critical: false)
      },
      try issuerFault("issuer that may not sign", "RFC 5280 6.1.4 (n)", .keyUsageForbidsSigning) {
        $0.setExtension(.keyUsage(.cRLSign))
      },
      try issuerFault("explicit policy required", "RFC 5280 6.1.5 (g)", .policyNotAllowed, of: 0) {
        $0.setExtension(.policyConstraints(requireExplicitPolicy: 0, inhibitPolicyMapping: nil))
      },
    ]
  }

  /// A leaf signed with sha1WithRSA as the OIW named it, by which libraries still check signatures.
  private func signedByAnotherName() throws -> MatrixScenario {
    let authority = try lab.issue(
      CertificateRecipe.intermediate("RSA CA").with { $0.key = KeyRecipe(.rsa(bits: 2048), label: "rsa") }, by: lab.root
    )
    let name = DERPatch.Change.replace(DER.objectIdentifier(OID([0x2B, 0x0E, 3, 2, 29])))
    let leaf = try leaf(by: authority) {
      $0.signatureAlgorithm = .rsaPKCS1(.sha1)
      $0.faults = [.patchSigned(DERPatch(at: [2, 0], name)), .patch(DERPatch(at: [1, 0], name))]
    }
    let issuer = try authority.certificate
    return MatrixScenario(
      name: "signature algorithm by another name", clause: "RFC 5280 4.1.1.2", served: [leaf, issuer],
      paths: [[leaf, issuer, root]], faults: [Fault(.signatureUnsupported, of: leaf, .untrusted)])
  }

  private func keys() throws -> [MatrixScenario] {
    let curve = DER.sequence(
      DER.sequence(DER.objectIdentifier(.ecPublicKey), DER.sequence([])), DER.bitString([4, 1, 2, 3]))
    // 2,052 bits, whose first octet is half of one.
    let modulus = [0x0F] + [UInt8](repeating: 0xFF, count: 256)
    let odd = DER.sequence(
      DER.sequence(DER.objectIdentifier(.rsaEncryption), DER.null),
      DER.bitString(DER.sequence(DER.integer(magnitude: modulus), DER.integer(65537))))
    return [
      try leafFault("curve without a name", "RFC 5480 2.1.1", .keyWeak, .anywhere) { $0.subjectPublicKeyInfo = curve },
      try leafFault(
        "RSA modulus of odd length", "CABF BR 6.1.5", .keyWeak, .anywhere, .everybody, [.standard, .webPKI]
      ) { $0.subjectPublicKeyInfo = odd },
      try issuerFault("EdDSA key", "CABF BR 6.1.5", .keyWeak, [.apple, .webPKI]) {
        $0.key = KeyRecipe(.ed25519, label: "edwards")
      },
      try signedByAnotherName(),
    ]
  }

  private func forum() throws -> [MatrixScenario] {
    func fault(
      _ name: String, _ clause: String, _ code: FindingCode, _ change: (inout CertificateRecipe) -> Void
    ) throws -> MatrixScenario { try leafFault(name, clause, code, .untrusted, .everybody, [.webPKI], change) }
    return [
      try fault("another name above a public suffix", "CABF BR 3.2.2.6", .nameNotPermitted) {
        $0.setExtension(.subjectAlternativeNames([.dns(Self.host), "*.co.uk"]))
      },
      try fault("common name that is no alternative name", "CABF BR 7.1.4.3", .nameMalformed) {
        $0.subject = NameRecipe(.commonName("matrix"))
      },
      try leafFault(
        "critical subjectAltName", "RFC 5280 4.2.1.6", .extensionMisplaced, .untrusted, .everybody, .letter
      ) { $0.setExtension(.subjectAlternativeNames([.dns(Self.host)]), critical: true) },
      try fault("critical extKeyUsage", "CABF BR 7.1.2.7.6", .extensionMisplaced) {
        $0.setExtension(.extendedKeyUsage([.serverAuth]), critical: true)
      },
      try leafFault(
        "valid for 900 days", "Apple HT210176", .validityTooLong, .anywhere, .server, [.apple, .webPKI]
      ) { $0.validity = .days(-1, 899) },
    ]
  }

  /// Faults of a root of its own.
  private func roots() throws -> [MatrixScenario] {
    func scenario(
      _ name: String, _ clause: String, _ code: FindingCode, _ profiles: Profiles,
      _ change: (inout CertificateRecipe) -> Void
    ) throws -> MatrixScenario {
      let issuer = try lab.issue(CertificateRecipe.root("Root with a fault").with(change), by: nil)
      let path = [try leaf(by: issuer), try issuer.certificate]
      var scenario = MatrixScenario(
        name: name, clause: clause, served: Array(path.prefix(1)), paths: [path],
        faults: [Fault(code, of: path[1], .anywhere, profiles: profiles)])
      scenario.root = path[1]
      return scenario
    }
    return [
      try scenario("root of version 1", "CABF BR 7.1.1", .versionMalformed, [.webPKI]) {
        $0.version = 1
        $0.extensions = []
      },
      try scenario("root with extKeyUsage", "CABF BR 7.1.2.1.2", .extensionMisplaced, [.webPKI]) {
        $0.setExtension(.extendedKeyUsage([.serverAuth]))
      },
      try scenario("root that names another key", "RFC 5280 4.2.1.1", .keyIdentifierMismatch, .letter) {
        $0.setExtension(.authorityKeyIdentifier(.custom(keyIdentifier: [1, 2, 3], issuer: nil, serialNumber: nil)))
      },
      try scenario("root whose basicConstraints is not critical", "RFC 5280 4.2.1.9", .extensionMisplaced, .letter) {
        $0.setExtension(.basicConstraints(isCA: true, pathLength: nil), critical: false)
      },
    ]
  }
}

extension Set<TrustPolicy.Profile> {
  fileprivate static let every = Set(TrustPolicy.Profile.allCases)
  fileprivate static let letter: Set = [.rfc5280, .webPKI]
}
