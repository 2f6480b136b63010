// SPDX-License-Identifier: Apache-2.0

/// What is worth mending about a chain as it was sent, and never decides.
enum Observations {
  /// The warnings about a chain of which a path was built; what a search that was given up did not need is not known.
  static func about(
    _ chain: CertificateChain, path: [Certificate], anchored: Bool, isExhausted: Bool, time: Timestamp
  ) -> [Finding] {
    var findings: [Finding] = []
    if !isBeginning(chain, of: path) {
      findings = malformed(chain) + order(chain, path) + (isExhausted ? [] : unused(chain, path))
    }
    return findings + rootSent(chain, path, anchored) + soon(path, time)
  }

  /// Whether nothing was sent but the path, in its order and as far as it goes, as most servers do.
  private static func isBeginning(_ chain: CertificateChain, of path: [Certificate]) -> Bool {
    chain.elements.count == chain.certificates.count && path.starts(with: chain.certificates)
  }

  private static func malformed(_ chain: CertificateChain) -> [Finding] {
    chain.elements.enumerated().dropFirst().compactMap { index, element in
      guard case .malformed(_, let error) = element else { return nil }
      return Finding(
        .certificateMalformed, severity: .warning, detail: "certificate \(index) of those sent cannot be read: \(error)"
      )
    }
  }

  /// RFC 5246 7.4.2: each certificate certifies the one before it. RFC 8446 4.4.2 tolerates other orders.
  private static func order(_ chain: CertificateChain, _ path: [Certificate]) -> [Finding] {
    let depths = chain.certificates.compactMap { path.firstIndex(of: $0) }
    guard zip(depths, depths.dropFirst()).contains(where: { $0 > $1 }) else { return [] }
    return [
      Finding(
        .chainOrder, severity: .warning, detail: "the certificates were not sent in order, each followed by its issuer")
    ]
  }

  private static func unused(_ chain: CertificateChain, _ path: [Certificate]) -> [Finding] {
    var seen = Set<Certificate>()
    return chain.elements.enumerated().compactMap { index, element in
      guard case .certificate(let certificate) = element else { return nil }
      let isFirst = seen.insert(certificate).inserted
      guard !isFirst || !path.contains(certificate) else { return nil }
      let reason = isFirst ? "is on no path that was needed" : "was sent before"
      return Finding(
        .certificateUnused, severity: .warning,
        detail: "certificate \(index) of those sent (\(certificate.subject)) \(reason)")
    }
  }

  /// RFC 8446 4.4.2: a trust anchor may be omitted, since the client must have it already.
  private static func rootSent(_ chain: CertificateChain, _ path: [Certificate], _ anchored: Bool) -> [Finding] {
    guard anchored, path.count > 1, let root = path.last, root.isSelfIssued, chain.certificates.contains(root) else {
      return []
    }
    return [
      Finding(
        .rootSent, severity: .warning, depth: path.count - 1,
        detail: "the root was sent, which clients do not need and cannot trust because of it")
    ]
  }

  /// Two weeks are left, and less than a third of the lifetime, so that certificates of a few days do not always warn.
  private static func soon(_ path: [Certificate], _ time: Timestamp) -> [Finding] {
    path.enumerated().compactMap { depth, certificate in
      guard let notBefore = certificate.validity.notBefore, let notAfter = certificate.validity.notAfter,
        time <= notAfter
      else { return nil }
      let left = notAfter.seconds(since: time)
      let lifetime = notAfter.seconds(since: notBefore)
      guard left < 14 * 86400, left < lifetime / 3 else { return nil }
      return Finding(
        .expiresSoon, severity: .warning, depth: depth, detail: "valid until \(notAfter), \(left / 86400) days from now"
      )
    }
  }
}
