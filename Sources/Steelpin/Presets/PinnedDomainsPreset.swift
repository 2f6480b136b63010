// SPDX-License-Identifier: Apache-2.0

/// An emulation of NSPinnedDomains in an app's Info.plist.
///
/// The chain must be trusted by the system for the host; pins only add a demand. What it does not check: hosts that are
/// not listed, names more than one label below a listed domain, and IP addresses.
public struct PinnedDomainsPreset: Sendable, Hashable, Codable {
  /// The settings of a domain.
  public struct Domain: Sendable, Hashable, Codable {
    /// NSIncludesSubdomains: also names with exactly one label more.
    public var includesSubdomains: Bool
    /// NSPinnedLeafIdentities; nil if the key is absent. Present and empty, it blocks everything.
    public var leafIdentities: PinSet?
    /// NSPinnedCAIdentities; nil if the key is absent. Present and empty, it blocks everything.
    public var caIdentities: PinSet?

    /// Settings.
    public init(includesSubdomains: Bool = false, leafIdentities: PinSet? = nil, caIdentities: PinSet? = nil) {
      self.includesSubdomains = includesSubdomains
      self.leafIdentities = leafIdentities
      self.caIdentities = caIdentities
    }
  }

  /// The settings by domain.
  public var domains: HostMap<Domain>
  /// The anchors of the system.
  public var anchors: TrustPolicy.Anchors

  /// A configuration.
  public init(_ domains: [HostName: Domain], anchors: TrustPolicy.Anchors = .system) {
    self.domains = HostMap(
      domains.flatMap { name, domain in
        var entries = [(HostPattern(name), domain)]
        if domain.includesSubdomains, let below = HostPattern(.oneLabel, name) { entries.append((below, domain)) }
        return entries
      })
    self.anchors = anchors
  }
}

extension PinnedDomainsPreset: PolicySource {
  /// The pins of the host and of the domain right above it, added up. If both leaf and CA pins are listed, both must be
  /// met.
  public func policy(for host: HostName?, at time: Timestamp) -> CompositePolicy {
    let trusted = TrustPolicy(anchors: anchors, profile: .apple)
    guard case .dns(let name) = host else { return .policy(trusted) }
    let entries = domains.matches(.dns(name)).map(\.value)
    let lists = [
      (entries.compactMap(\.leafIdentities), TrustPolicy.PinScope.leaf),
      (entries.compactMap(\.caIdentities), .issuers),
    ].filter { !$0.0.isEmpty }
    guard !lists.isEmpty else { return .policy(trusted) }
    guard lists.allSatisfy({ sets, _ in sets.allSatisfy { !$0.isEmpty } }) else { return .refuse(.emptyPins) }
    return .all(
      lists.map { sets, scope in
        var policy = trusted
        policy.pinning = .pins(PinSet(sets.flatMap(\.pins)), scope: scope)
        return .policy(policy)
      })
  }
}
