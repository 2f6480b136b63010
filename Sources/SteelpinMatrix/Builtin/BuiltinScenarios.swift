// SPDX-License-Identifier: Apache-2.0
internal import Steelpin

extension MatrixWorld {
  /// Every scenario, each wrong in one way at most. Throws ``MatrixError`` if a certificate cannot be made.
  package func scenarios() throws(MatrixError) -> [MatrixScenario] {
    do {
      return try chains() + selfSigned() + names() + dates() + purposes() + strengths() + authorities()
        + revocation() + rules()
    } catch {
      throw MatrixError(reason: "\(error)")
    }
  }

  typealias Fault = MatrixScenario.Fault

  func leaf(
    _ names: [GeneralNameRecipe] = [.dns(MatrixWorld.host)], by issuer: IssuedCertificate? = nil,
    _ change: (inout CertificateRecipe) -> Void = { _ in }
  ) throws -> Certificate {
    try lab.issue(CertificateRecipe.leaf(names).with(change), by: issuer ?? lab.intermediate).certificate
  }

  /// A leaf under the intermediate, with what is wrong with it.
  func usual(
    _ name: String, _ clause: String, _ leaf: Certificate, _ faults: [Fault] = []
  ) -> MatrixScenario {
    MatrixScenario(
      name: name, clause: clause, served: [leaf, intermediate], paths: [[leaf, intermediate, root]], faults: faults)
  }

  private func chains() throws -> [MatrixScenario] {
    let leaf = try leaf()
    let path = [[leaf, intermediate, root]]
    let short = try self.leaf(by: lab.root)
    let cross = try lab.issue(
      .intermediate("Lab Intermediate", key: KeyRecipe(label: "intermediate")), by: otherRoot
    ).certificate
    let impostor = try lab.issue(
      .intermediate("Lab Intermediate", key: KeyRecipe(label: "impostor")), by: otherRoot)
    let forged = try self.leaf(by: impostor) { $0.removeExtension(.authorityKeyIdentifier) }
    let other = try otherRoot.certificate
    let narrow = try lab.issue(
      CertificateRecipe.intermediate("Lab Intermediate", pathLength: 0, key: KeyRecipe(label: "intermediate")).with {
        $0.setExtension(.nameConstraints(permitted: ["other.test"], excluded: []))
      }, by: lab.root
    ).certificate
    func scenario(_ name: String, _ clause: String, _ served: [Certificate]) -> MatrixScenario {
      MatrixScenario(name: name, clause: clause, served: served, paths: path, faults: [])
    }
    return [
      usual("with intermediate", "RFC 8446 4.4.2", leaf),
      scenario("root sent", "RFC 8446 4.4.2", [leaf, intermediate, root]),
      scenario("wrong order", "RFC 8446 4.4.2", [leaf, root, intermediate]),
      scenario("stray certificate", "RFC 8446 4.4.2", [leaf, other, intermediate]),
      scenario("missing intermediate", "RFC 5280 6.1", [leaf]),
      scenario("missing intermediate, root sent", "RFC 5280 6.1", [leaf, root]),
      MatrixScenario(
        name: "signed by the root", clause: "RFC 5280 6.1", served: [short], paths: [[short, root]], faults: []),
      MatrixScenario(
        name: "cross-signed", clause: "RFC 4158 2.3", served: [leaf, intermediate, cross],
        paths: [[leaf, intermediate, root], [leaf, cross, other]], faults: []),
      MatrixScenario(
        name: "signed by a namesake", clause: "RFC 5280 6.1.3 (a)(1)", served: [forged, intermediate],
        paths: [[forged, intermediate, root]],
        faults: [Fault(.signatureInvalid, of: forged, .untrusted)]),
      MatrixScenario(
        name: "two intermediates, the first constrained", clause: "RFC 4158 2.3", served: [leaf, narrow, intermediate],
        paths: [[leaf, narrow, root], [leaf, intermediate, root]],
        faults: [Fault(.nameNotPermitted, of: narrow, .issuer)]),
    ]
  }

  private func selfSigned() throws -> [MatrixScenario] {
    func scenario(
      _ name: String, _ names: [GeneralNameRecipe] = [.dns(MatrixWorld.host)],
      _ change: (inout CertificateRecipe) -> Void = { _ in }
    ) throws -> MatrixScenario {
      let certificate = try lab.selfSigned(names: names, change).certificate
      return MatrixScenario(
        name: name, clause: "RFC 5280 6.1", served: [certificate], paths: [[certificate]],
        faults: names.isEmpty ? [Fault(.hostMismatch, of: certificate, .anywhere, .host)] : [])
    }
    return [
      try scenario("self-signed"),
      try scenario("self-signed, no basicConstraints") { $0.removeExtension(.basicConstraints) },
      try scenario("self-signed CA") {
        $0.setExtension(.basicConstraints(isCA: true, pathLength: nil))
        $0.setExtension(.keyUsage([.digitalSignature, .keyCertSign]))
      },
      try scenario("self-signed, CN only", []) {
        $0.subject = NameRecipe(.commonName(MatrixWorld.host))
        $0.removeExtension(.subjectAlternativeName)
      },
    ]
  }

  private func names() throws -> [MatrixScenario] {
    func wrong(_ name: String, _ clause: String, _ leaf: Certificate) -> MatrixScenario {
      usual(name, clause, leaf, [Fault(.hostMismatch, of: leaf, .anywhere, .host)])
    }
    func forHost(_ host: String, _ scenario: MatrixScenario) -> MatrixScenario {
      var scenario = scenario
      scenario.host = host
      return scenario
    }
    return [
      wrong("mismatched host", "RFC 9525 6.3", try leaf(["other.matrix.test"])),
      usual("wildcard", "RFC 9525 6.3", try leaf(["*.matrix.test"])),
      wrong("wildcard of another level", "RFC 9525 6.3", try leaf(["*.www.matrix.test"])),
      wrong("address", "RFC 9525 6.4", try leaf([.ip("192.0.2.1")])),
      usual("host in other letters", "RFC 9525 6.3", try leaf(["WWW.Matrix.Test"])),
      wrong("wildcard for more than a label", "RFC 9525 6.3", try leaf(["*.test"])),
      forHost("matrix.test", wrong("wildcard above a public suffix", "RFC 9525 6.3", try leaf(["*.test"]))),
      forHost("192.0.2.1", wrong("address as a DNS name", "RFC 9525 6.4", try leaf([.dns("192.0.2.1")]))),
      forHost(
        "192.0.2.1",
        usual(
          "address of the host", "RFC 9525 6.4",
          try leaf([.ip("192.0.2.1")]) { $0.subject = NameRecipe(.commonName("192.0.2.1")) })),
      wrong(
        "CN only", "RFC 9525 6.2",
        try leaf([]) {
          $0.subject = NameRecipe(.commonName(MatrixWorld.host))
          $0.removeExtension(.subjectAlternativeName)
        }),
    ]
  }

  private func dates() throws -> [MatrixScenario] {
    let expired = try leaf { $0.validity = .expired }
    let early = try leaf { $0.validity = .notYetValid }
    let oldCA = try lab.issue(
      CertificateRecipe.intermediate("Old CA").with { $0.validity = .expired }, by: lab.root)
    let old = try oldCA.certificate
    let under = try leaf(by: oldCA)
    return [
      usual("expired", "RFC 5280 6.1.3 (a)(2)", expired, [Fault(.expired, of: expired, .anywhere)]),
      usual("not yet valid", "RFC 5280 6.1.3 (a)(2)", early, [Fault(.notYetValid, of: early, .anywhere)]),
      MatrixScenario(
        name: "under an expired CA", clause: "RFC 5280 6.1.3 (a)(2)", served: [under, old],
        paths: [[under, old, root]],
        faults: [Fault(.expired, of: old, .anywhere)]),
    ]
  }

  private func purposes() throws -> [MatrixScenario] {
    let client = try leaf { $0.setExtension(.extendedKeyUsage([.clientAuth])) }
    let none = try leaf { $0.removeExtension(.extendedKeyUsage) }
    let mailCA = try lab.issue(
      CertificateRecipe.intermediate("Mail CA").with { $0.setExtension(.extendedKeyUsage([.emailProtection])) },
      by: lab.root)
    let mail = try mailCA.certificate
    let under = try leaf(by: mailCA)
    return [
      usual("wrong EKU", "RFC 5280 4.2.1.12", client, [Fault(.purposeMismatch, of: client, .anywhere, .server)]),
      usual(
        "no EKU", "Apple HT210176", none,
        [Fault(.extensionMissing, of: none, .anywhere, .server, profiles: [.apple, .webPKI])]),
      MatrixScenario(
        name: "under a CA for mail", clause: "CABF BR 7.1.2.10.6", served: [under, mail], paths: [[under, mail, root]],
        faults: [Fault(.purposeMismatch, of: mail, .issuer, .server)]),
    ]
  }

  private func strengths() throws -> [MatrixScenario] {
    let weak = try leaf { $0.key = KeyRecipe(.rsa(bits: 1024), label: "weak") }
    let sha1 = try leaf { $0.signatureAlgorithm = .ecdsa(.sha1) }
    let profiles: Set<TrustPolicy.Profile> = [.apple, .standard, .webPKI]
    return [
      usual("weak key", "CABF BR 6.1.5", weak, [Fault(.keyWeak, of: weak, .anywhere, profiles: profiles)]),
      usual(
        "SHA-1", "CABF BR 7.1.3.2", sha1,
        [Fault(.signatureAlgorithmWeak, of: sha1, .untrusted, profiles: profiles)]),
    ]
  }

  private func authorities() throws -> [MatrixScenario] {
    let constrainedCA = try lab.issue(
      CertificateRecipe.intermediate("Constrained CA").with {
        $0.setExtension(.nameConstraints(permitted: ["other.test"], excluded: []))
      }, by: lab.root)
    let constrained = try leaf(by: constrainedCA)
    let excludingCA = try lab.issue(
      CertificateRecipe.intermediate("Excluding CA").with {
        $0.setExtension(.nameConstraints(permitted: [], excluded: ["matrix.test"]))
      }, by: lab.root)
    let (excluded, excluding) = (try leaf(by: excludingCA), try excludingCA.certificate)
    let subCA = try lab.issue(.intermediate("Sub CA"), by: lab.intermediate)
    let deep = try leaf(by: subCA)
    let server = try lab.issue(
      .leaf(["issuer.matrix.test"], key: KeyRecipe(label: "server that issues")), by: lab.intermediate)
    let issued = try leaf(by: server)
    let (constraining, sub, issuer) = (try constrainedCA.certificate, try subCA.certificate, try server.certificate)
    return [
      MatrixScenario(
        name: "name constraints", clause: "RFC 5280 4.2.1.10", served: [constrained, constraining],
        paths: [[constrained, constraining, root]],
        faults: [Fault(.nameNotPermitted, of: constraining, .issuer)]),
      MatrixScenario(
        name: "name constraints that exclude", clause: "RFC 5280 4.2.1.10", served: [excluded, excluding],
        paths: [[excluded, excluding, root]], faults: [Fault(.nameNotPermitted, of: excluding, .issuer)]),
      MatrixScenario(
        name: "path length", clause: "RFC 5280 4.2.1.9", served: [deep, sub, intermediate],
        paths: [[deep, sub, intermediate, root]], faults: [Fault(.pathLengthExceeded, of: intermediate, .issuer)]),
      MatrixScenario(
        name: "issued by a server", clause: "RFC 5280 6.1.4 (k)", served: [issued, issuer, intermediate],
        paths: [[issued, issuer, intermediate, root]], faults: [Fault(.issuerNotCA, of: issuer, .issuer)]),
    ]
  }
}
