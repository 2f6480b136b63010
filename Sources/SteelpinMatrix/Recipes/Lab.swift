// SPDX-License-Identifier: Apache-2.0
public import Steelpin

/// A small public-key infrastructure for tests: a root, an intermediate below it, and whatever they are asked to issue.
///
///     let lab = try Lab(OpenSSLKeyProvider())
///     let leaf = try lab.leaf(names: ["example.test"])
///     let chain = lab.chain(leaf)
///     let anchors = lab.anchors
public struct Lab: Sendable {
  /// The keys, shared by all labs over the same ring.
  public let keys: KeyRing
  /// The moment to which all recipes are relative.
  public let clock: Timestamp
  /// The root.
  public let root: IssuedCertificate
  /// The intermediate, issued by the root.
  public let intermediate: IssuedCertificate
  private let kind: KeyKind

  /// A lab whose keys are made by a library.
  ///
  /// Throws ``RecipeError`` if the library cannot make keys of that kind.
  public init(
    _ provider: any KeyProvider, clock: Timestamp = .now(), kind: KeyKind = .ecdsa(bits: 256)
  ) throws(RecipeError) {
    try self.init(keys: KeyRing(provider), clock: clock, kind: kind)
  }

  /// A lab over a ring of keys.
  ///
  /// Throws ``RecipeError`` if the ring's library cannot make keys of that kind.
  public init(
    keys: KeyRing, clock: Timestamp = .now(), kind: KeyKind = .ecdsa(bits: 256)
  ) throws(RecipeError) {
    self.keys = keys
    self.clock = clock
    self.kind = kind
    let root = CertificateRecipe.root("Lab Root", key: KeyRecipe(kind, label: "root"))
    self.root = try IssuedCertificate(root, key: keys.key(root.key), issuer: nil, clock: clock)
    let intermediate = CertificateRecipe.intermediate(
      "Lab Intermediate", pathLength: 0, key: KeyRecipe(kind, label: "intermediate"))
    self.intermediate = try IssuedCertificate(
      intermediate, key: keys.key(intermediate.key), issuer: self.root, clock: clock)
  }

  /// The root as the only anchor.
  public var anchors: AnchorSet {
    // A root without faults is always a certificate.
    AnchorSet((try? root.certificate).map { [$0] } ?? [])
  }

  /// Makes a certificate; without an issuer it signs itself.
  ///
  /// Throws ``RecipeError`` if a value cannot be written, a patch finds nothing, or the library cannot sign.
  public func issue(
    _ recipe: CertificateRecipe, by issuer: IssuedCertificate?
  ) throws(RecipeError) -> IssuedCertificate {
    try IssuedCertificate(recipe, key: keys.key(recipe.key), issuer: issuer, clock: clock)
  }

  /// Makes a TLS server's certificate, issued by the intermediate and right in every way but for the changes.
  ///
  /// Throws ``RecipeError`` as ``issue(_:by:)`` does.
  public func leaf(
    names: [GeneralNameRecipe], _ change: (inout CertificateRecipe) -> Void = { _ in }
  ) throws(RecipeError) -> IssuedCertificate {
    try issue(leafRecipe(names, change), by: intermediate)
  }

  /// Makes a TLS server's certificate that signs itself, right in every way but for the changes.
  ///
  /// Throws ``RecipeError`` as ``issue(_:by:)`` does.
  public func selfSigned(
    names: [GeneralNameRecipe], _ change: (inout CertificateRecipe) -> Void = { _ in }
  ) throws(RecipeError) -> IssuedCertificate {
    try issue(leafRecipe(names, change), by: nil)
  }

  /// Makes a revocation list, signed by the given certificate, and returns its DER.
  ///
  /// Throws ``RecipeError`` as ``issue(_:by:)`` does.
  public func revocationList(
    _ recipe: RevocationListRecipe, by issuer: IssuedCertificate
  ) throws(RecipeError) -> [UInt8] {
    try recipe.list(by: issuer, clock: clock)
  }

  /// Makes an OCSP response, signed by the given certificate, and returns its DER.
  ///
  /// Throws ``RecipeError`` as ``issue(_:by:)`` does.
  public func ocspResponse(
    _ recipe: OCSPResponseRecipe, by signer: IssuedCertificate
  ) throws(RecipeError) -> [UInt8] {
    try recipe.response(by: signer, clock: clock)
  }

  /// What a server with a certificate of the intermediate sends.
  public func chain(_ leaf: IssuedCertificate) -> CertificateChain { CertificateChain(leaf, intermediate) }

  private func leafRecipe(
    _ names: [GeneralNameRecipe], _ change: (inout CertificateRecipe) -> Void
  ) -> CertificateRecipe {
    CertificateRecipe.leaf(names, key: KeyRecipe(kind, label: "leaf")).with(change)
  }
}
