// SPDX-License-Identifier: Apache-2.0

/// Checks the signatures of paths link by link, each link once, to say why a path fails. It never makes a path good.
struct LinkChecker {
  private struct Link: Hashable {
    let subject: Certificate
    let issuer: Certificate
    /// The issuer's key, if its parameters come from further up the path.
    var inheritedKey: PublicKeyInfo?
  }

  private let backend: any TrustBackend
  private var known: [Link: SignatureCheck] = [:]

  /// Signatures that may still be checked.
  private(set) var remaining: Int

  init(backend: any TrustBackend, budget: Int) {
    self.backend = backend
    self.remaining = budget
  }

  /// Counts the signatures of a whole path, which a backend is about to prove; false if there are not that many left.
  mutating func spend(on path: [Certificate]) -> Bool {
    guard remaining >= path.count - 1 else { return false }
    remaining -= path.count - 1
    return true
  }

  /// Whether a link was found that is not one.
  private(set) var hasFaults = false

  /// The links of a path that are known not to be links.
  func faultyLinks(of path: [Certificate]) -> [(subject: Certificate, issuer: Certificate)] {
    guard hasFaults || path.contains(where: { $0.hasMalformedSignature }) else { return [] }
    return links(of: path).filter { known($0).map { $0 != .valid } ?? false }.map { ($0.subject, $0.issuer) }
  }

  /// What is already known to be wrong with the links of a path.
  func knownFaults(of path: [Certificate]) -> [Finding] {
    guard hasFaults || path.contains(where: { $0.hasMalformedSignature }) else { return [] }
    return links(of: path).enumerated().compactMap { depth, link in
      known(link).flatMap { finding($0, of: link, depth: depth) }
    }
  }

  /// What is wrong with the links of a path, from the leaf up, as far as the budget goes.
  mutating func faults(of path: [Certificate], stopsAtFirst: Bool = false) throws(BackendError) -> [Finding] {
    var findings: [Finding] = []
    for (depth, link) in links(of: path).enumerated() {
      guard let check = try check(link) else { break }
      if let finding = finding(check, of: link, depth: depth) { findings.append(finding) }
      if stopsAtFirst, !findings.isEmpty { break }
    }
    return findings
  }

  /// The beginning of a path in which each certificate is signed by the next, as far as the budget goes.
  mutating func signedPart(of path: [Certificate]) throws(BackendError) -> [Certificate] {
    for (depth, link) in links(of: path).enumerated() {
      guard try check(link) == .valid else { return Array(path[...depth]) }
    }
    return path
  }

  /// Whether the certificate's signature was made by its own key; nil if the budget is spent.
  mutating func isSelfSigned(_ certificate: Certificate) throws(BackendError) -> Bool? {
    try check(Link(subject: certificate, issuer: certificate)).map { $0 == .valid }
  }

  private func links(of path: [Certificate]) -> [Link] {
    path.indices.dropLast().map { depth in
      Link(subject: path[depth], issuer: path[depth + 1], inheritedKey: path.inheritedKey(at: depth + 1))
    }
  }

  /// What a check would say without asking the library.
  private func known(_ link: Link) -> SignatureCheck? {
    link.subject.hasMalformedSignature ? .invalid([]) : known[link]
  }

  private mutating func check(_ link: Link) throws(BackendError) -> SignatureCheck? {
    if let check = known(link) { return check }
    guard remaining > 0 else { return nil }
    remaining -= 1
    let subject = link.subject
    let key = link.inheritedKey ?? link.issuer.publicKey
    // No library is asked about what only some of them know.
    let check =
      subject.signatureAlgorithm.isMade(by: key)
      ? try backend.check(
        signature: subject.signature, algorithm: subject.signatureAlgorithm, over: subject.tbsCertificate, by: key)
      : .unsupported([])
    known[link] = check
    if check != .valid, link.subject != link.issuer { hasFaults = true }
    return check
  }

  /// The code is a matter of the certificates alone; what the library made of them is the detail.
  private func finding(_ check: SignatureCheck, of link: Link, depth: Int) -> Finding? {
    let (native, wasChecked): ([NativeCode], Bool)
    switch check {
    case .valid: return nil
    case .invalid(let codes): (native, wasChecked) = (codes, true)
    case .unsupported(let codes): (native, wasChecked) = (codes, false)
    }
    let key = link.inheritedKey ?? link.issuer.publicKey
    guard link.subject.signatureAlgorithm.isMade(by: key) else {
      return Finding(
        .signatureUnsupported, depth: depth,
        detail: "the signature's algorithm is not supported, or does not fit the key of the next certificate",
        native: native)
    }
    return Finding(
      .signatureInvalid, depth: depth,
      detail: wasChecked
        ? "the signature was not made by the key of the next certificate"
        : "the library cannot check the signature with the key of the next certificate",
      native: native)
  }
}
