// SPDX-License-Identifier: Apache-2.0
public import Steelpin

/// Puts certificates into the order of a chain, and finds the best chain in a heap of them.
public struct CertificateOrder: Sendable {
  /// Whether the second certificate's key made the first one's signature; the command asks a backend.
  public typealias SignatureTest = @Sendable (_ subject: Certificate, _ issuer: Certificate) -> Bool

  /// The time at which certificates should be valid; those that are not come last.
  public var time: Timestamp
  private let isSigned: SignatureTest

  /// An order at a time.
  public init(at time: Timestamp, isSigned: @escaping SignatureTest) {
    self.time = time
    self.isSigned = isSigned
  }

  /// The best chain of a heap.
  public struct Chain: Sendable {
    /// The leaf and its issuers, up to a self-issued certificate if there is one.
    public let path: [Certificate]
    /// What is not on the path, in the order in which it was given.
    public let leftOver: [Certificate]
    /// Whether the path ends with a self-issued certificate; if not, the issuer of its last is missing.
    public var isComplete: Bool { path.last?.isSelfIssued ?? false }
  }

  /// The certificates, each once, in the order in which they were given.
  public static func withoutDuplicates(_ certificates: some Sequence<Certificate>) -> [Certificate] {
    var seen = Set<Certificate>()
    return certificates.filter { seen.insert($0).inserted }
  }

  /// The leaves of a heap: certificates that issued no other one of it and are no authorities, or, if all are
  /// authorities, those that issued no other.
  public func leaves(of certificates: [Certificate]) -> [Certificate] {
    let issuers = Dictionary(grouping: certificates.filter { !$0.isSelfIssued }) { $0.contents.issuerKey }
    let lowest = certificates.filter { issuers[$0.contents.subjectKey] == nil }
    let ends = lowest.filter { $0.decoded.basicConstraints?.isCA != true }
    return ends.isEmpty ? lowest : ends
  }

  /// The best chain from a leaf through a heap.
  public func chain(from leaf: Certificate, through certificates: [Certificate]) -> Chain {
    let roots = certificates.filter { $0.isSelfIssued && $0 != leaf }
    var builder = PathBuilder(
      leaf: leaf, pool: certificates, anchors: [AnchorSet(roots)], time: time, budget: PathBudget())
    var path: [Certificate]?
    while path == nil, let candidate = builder.next() {
      if zip(candidate, candidate.dropFirst()).allSatisfy(isSigned) { path = candidate }
    }
    let best = path ?? verifiedPrefix(builder.longestDeadEnd.isEmpty ? [leaf] : builder.longestDeadEnd)
    let members = Set(best)
    return Chain(path: best, leftOver: certificates.filter { !members.contains($0) })
  }

  /// The certificates leaf first: the chain of the one leaf, and behind it what does not belong to it.
  ///
  /// A heap of authorities alone keeps its order. Throws ``LoadError`` for two unrelated leaves, and names both.
  public func leafFirst(_ certificates: [Certificate], name: String) throws(LoadError) -> [Certificate] {
    let leaves = leaves(of: certificates)
    guard let leaf = leaves.first else { return certificates }
    let isHeapOfAuthorities = leaves.allSatisfy { $0.decoded.basicConstraints?.isCA == true || $0.isSelfIssued }
    guard leaves.count == 1 else {
      if isHeapOfAuthorities { return certificates }
      throw Self.severalLeaves(leaves, name)
    }
    let chain = chain(from: leaf, through: certificates)
    return chain.path + chain.leftOver
  }

  /// The error of a heap that has more than one leaf.
  public static func severalLeaves(
    _ leaves: [Certificate], _ name: String,
    remedy: String = "give the files of one chain, or keep the order with --order as-given"
  ) -> LoadError {
    let names = leaves.prefix(2).map {
      "\(CertificateDescription.name(of: $0)) of \(CertificateDescription.issuerName(of: $0))"
    }
    .joined(separator: " and ")
    let more = leaves.count > 2 ? ", and \(leaves.count - 2) more" : ""
    return LoadError(
      .unsupported, FilePlace(file: name),
      "holds \(leaves.count) leaves that belong to no common chain: \(names)\(more)",
      reason: "a chain has one leaf, and which one is meant cannot be told",
      remedy: remedy)
  }

  private func verifiedPrefix(_ path: [Certificate]) -> [Certificate] {
    var result = Array(path.prefix(1))
    for (subject, issuer) in zip(path, path.dropFirst()) {
      guard isSigned(subject, issuer) else { break }
      result.append(issuer)
    }
    return result
  }
}
