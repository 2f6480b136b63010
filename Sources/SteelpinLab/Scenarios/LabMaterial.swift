// SPDX-License-Identifier: Apache-2.0
package import Steelpin
package import SteelpinMatrix

/// The certificates and keys of one scenario: what the server has, and what a client is given.
package struct LabMaterial: Sendable {
  /// The host that the client asks for.
  package let host: HostName
  /// What the client must trust, DER.
  package let authorities: [[UInt8]]
  /// The pin that the client must require.
  package let pin: Pin
  /// What the server sends and demands.
  package let server: TLSServerConfiguration
  /// The revocation list of the issuing authority, DER.
  package let revocationList: [UInt8]
  /// The certificate and key that the client presents if it is asked.
  package let client: ClientIdentity
}

extension LabScenario {
  /// Makes fresh certificates for a host; every certificate of the lab is also for the loopback addresses.
  ///
  /// Throws ``RecipeError`` if the library cannot.
  package func makeMaterial(host: HostName, keys: KeyRing, clock: Timestamp) throws(RecipeError) -> LabMaterial {
    let maker = try LabMaker(host: host, keys: keys, clock: clock)
    return try maker.make(material)
  }
}

/// Makes what scenarios need.
private struct LabMaker {
  private let lab: Lab
  private let host: HostName
  private let names: [GeneralNameRecipe]

  init(host: HostName, keys: KeyRing, clock: Timestamp) throws(RecipeError) {
    self.host = host
    self.lab = try Lab(keys: keys, clock: clock)
    var names: [GeneralNameRecipe] = [.ip("127.0.0.1"), .ip("::1")]
    switch host {
    case .dns(let name): names.insert(.dns(name.text), at: 0)
    case .ipv4(let octets), .ipv6(let octets):
      names.removeAll { $0 == .ipOctets(octets) }
      names.insert(.ipOctets(octets), at: 0)
    }
    self.names = names
  }

  func make(_ kind: LabMaterialKind) throws(RecipeError) -> LabMaterial {
    let right = try lab.leaf(names: names)
    switch kind {
    case .right, .tls12, .clientCertificate: return try material(right, kind)
    case .wrongPin:
      let pinned = try lab.leaf(names: names) { $0.key.label = "pinned" }
      return try material(right, kind, pinned: pinned)
    case .interception:
      let interceptor = try lab.issue(.root("Interception CA"), by: nil)
      let forged = try lab.issue(.leaf(names, key: KeyRecipe(label: "forged")), by: interceptor)
      return try material(
        forged, kind, issuer: interceptor, chain: [forged], pinned: right, authorities: [lab.root, interceptor])
    case .expired: return try material(try lab.leaf(names: names) { $0.validity = .expired }, kind)
    case .selfSigned:
      let leaf = try lab.selfSigned(names: names)
      return try material(leaf, kind, issuer: leaf, chain: [leaf])
    case .wrongHost: return try material(try lab.leaf(names: ["wrong-host.steelpin.test"]), kind)
    case .missingIntermediate: return try material(right, kind, chain: [right])
    case .wrongOrder: return try material(right, kind, chain: [right, lab.root, lab.intermediate])
    case .mustStaple:
      return try material(
        try lab.leaf(names: names) { $0.extensions.append(ExtensionRecipe(.mustStaple)) }, kind)
    case .revoked: return try material(right, kind)
    }
  }

  private func material(
    _ leaf: IssuedCertificate, _ kind: LabMaterialKind, issuer: IssuedCertificate? = nil,
    chain: [IssuedCertificate]? = nil, pinned: IssuedCertificate? = nil, authorities: [IssuedCertificate]? = nil
  ) throws(RecipeError) -> LabMaterial {
    let issuer = issuer ?? lab.intermediate
    let isRevoked = kind == .revoked
    var server = TLSServerConfiguration(
      certificates: (chain ?? [leaf, issuer]).map(\.der), privateKey: try Self.pkcs8(leaf.key))
    if kind != .mustStaple {
      server.stapledOCSPResponse = try lab.ocspResponse(
        OCSPResponseRecipe(leaf, issuedBy: issuer, isRevoked ? .revoked : .good), by: issuer)
    }
    if kind == .tls12 { server.maximumVersion = .tls12 }
    let clientAuthority = try lab.issue(.root("Lab Client CA"), by: nil)
    if kind == .clientCertificate { server.clientAuthorities = [clientAuthority.der] }
    let client = try lab.issue(
      CertificateRecipe.leaf([], key: KeyRecipe(label: "client")).with {
        $0.subject = NameRecipe(.commonName("Lab Client"))
        $0.removeExtension(.subjectAlternativeName)
        $0.setExtension(.extendedKeyUsage([.clientAuth]))
      }, by: clientAuthority)
    let list = try lab.revocationList(
      .complete(isRevoked ? [RevocationEntryRecipe(leaf)] : []), by: issuer)
    return LabMaterial(
      host: host, authorities: (authorities ?? [lab.root]).map(\.der),
      pin: Pin(.publicKey, SHA256Digest(of: (pinned ?? leaf).key.publicKeyInfo)), server: server,
      revocationList: list,
      client: ClientIdentity(certificates: [client.der], privateKey: try Self.pkcs8(client.key)))
  }

  private static func pkcs8(_ key: any PrivateKey) throws(RecipeError) -> [UInt8] {
    do throws(BackendError) { return try key.pkcs8() } catch { throw .backend(error) }
  }
}
