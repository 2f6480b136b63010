// SPDX-License-Identifier: Apache-2.0
public import Steelpin

/// Whether the pins of a configuration still hold when the server gets its next key, before a CA has signed anything.
public struct RotationRehearsal: Sendable {
  /// Whether an entry knows the next key.
  @nonexhaustive
  public enum Outcome: String, Sendable, Hashable, Codable, CaseIterable {
    /// A pin is the next leaf's key.
    case holds
    /// A pin is an issuer of the chain as it is: it holds if the same CA signs.
    case holdsIfSameIssuer = "holds-if-same-issuer"
    /// No pin will be met.
    case breaks
    /// Nothing is pinned, so nothing breaks.
    case unpinned
  }

  /// The file.
  public let file: String
  /// The format whose rules were applied.
  public let format: String
  /// The host.
  public let host: HostName
  /// What will happen.
  public let outcome: Outcome
  /// The rule that led there.
  public let requirement: HostRequirement

  /// Rehearses a new leaf key. `chain` is the chain as it is, leaf first. With `nextChain`, the next leaf and perhaps
  /// issuers of it, pins on issuers are held against those that it names; without it the issuers stay the same.
  public static func rehearse(
    _ configuration: PinConfiguration, host: HostName, port: UInt16 = 443, nextKey: PublicKeyInfo,
    nextChain: [Certificate] = [], chain: [Certificate], in context: PlatformContext
  ) -> RotationRehearsal? {
    guard let format = PinConfigurationFormats.named(configuration.format) else { return nil }
    let requirement = format.requirement(of: configuration, for: host, port: port, chain: chain, in: context)
    return RotationRehearsal(
      file: configuration.file, format: configuration.format, host: host,
      outcome: outcome(requirement, key: nextKey, issuers: issuers(nextChain, chain, context)), requirement: requirement
    )
  }

  /// The issuers that a chain of the next leaf would have, by their names: of those that are given, those of now, and the
  /// platform's anchors.
  private static func issuers(
    _ nextChain: [Certificate], _ chain: [Certificate], _ context: PlatformContext
  ) -> [Certificate] {
    let pool = nextChain.dropFirst() + chain.dropFirst() + context.anchorCertificates
    var path: [Certificate] = []
    var last = nextChain.first ?? chain.first
    while let current = last, !current.isSelfIssued {
      last = pool.first(where: { $0.subject == current.issuer && !path.contains($0) })
      if let last { path.append(last) }
    }
    return path
  }

  private static func outcome(_ requirement: HostRequirement, key: PublicKeyInfo, issuers: [Certificate]) -> Outcome {
    switch requirement.kind {
    case .blocked: return .breaks
    case .reportOnly, .unpinned: return .unpinned
    case .pinned: break
    }
    let next = Pin(.publicKey, key.sha256)
    let groups = requirement.alternatives.map { group in
      group.map { policy -> Outcome in
        let issuersMeet: Bool
        let scope: TrustPolicy.PinScope
        switch policy.pinning {
        case .none: return .holdsIfSameIssuer
        case .leafData: return .breaks
        case .certificates(let certificates, let own):
          scope = own
          issuersMeet = issuers.contains(where: certificates.contains)
        case .pins(let set, let own):
          scope = own
          if scope != .issuers, set.pins.contains(next) { return .holds }
          issuersMeet = issuers.contains { set.match(for: $0) != nil }
        }
        return scope != .leaf && issuersMeet ? .holdsIfSameIssuer : .breaks
      }
    }
    // A group holds as its weakest policy does; one group is enough.
    let results = groups.map { group -> Outcome in
      group.contains(.breaks) ? .breaks : group.contains(.holdsIfSameIssuer) ? .holdsIfSameIssuer : .holds
    }
    return results.contains(.holds) ? .holds : results.contains(.holdsIfSameIssuer) ? .holdsIfSameIssuer : .breaks
  }
}
