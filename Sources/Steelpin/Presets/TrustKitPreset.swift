// SPDX-License-Identifier: Apache-2.0

/// An emulation of TrustKit for iOS and macOS (TSKPinningValidator).
///
/// The chain must be trusted by the system for the host, whatever else is configured; then a pin must be met by any
/// certificate of the path. What it does not check: pins that have expired, hosts that are not pinned, and pins whose
/// enforcement is off. Not emulated: TSKIgnorePinningForUserDefinedTrustAnchors, and that TrustKit blocks a chain with a
/// key that it cannot hash (anything but RSA of 2048, 3072 or 4096 bits, P-256 and P-384) above the pinned one.
public struct TrustKitPreset: Sendable, Hashable, Codable {
  /// The settings of a domain.
  public struct Domain: Sendable, Hashable, Codable {
    /// TSKPublicKeyHashes.
    public var publicKeyHashes: PinSet
    /// TSKIncludeSubdomains: names below at any depth, unless they have settings of their own.
    public var includeSubdomains: Bool
    /// TSKExcludeSubdomainFromParentPolicy: the domain is not pinned although a domain above it is.
    public var excludeSubdomainFromParentPolicy: Bool
    /// TSKEnforcePinning: whether a missed pin blocks.
    public var enforcePinning: Bool
    /// TSKExpirationDate: from when on the domain is no longer pinned; nil is never.
    public var expirationDate: Timestamp?

    /// Settings; the defaults are TrustKit's.
    public init(
      publicKeyHashes: PinSet, includeSubdomains: Bool = false, excludeSubdomainFromParentPolicy: Bool = false,
      enforcePinning: Bool = true, expirationDate: Timestamp? = nil
    ) {
      self.publicKeyHashes = publicKeyHashes
      self.includeSubdomains = includeSubdomains
      self.excludeSubdomainFromParentPolicy = excludeSubdomainFromParentPolicy
      self.enforcePinning = enforcePinning
      self.expirationDate = expirationDate
    }
  }

  /// TSKPinnedDomains.
  public var pinnedDomains: HostMap<Domain>
  /// The anchors of the system.
  public var anchors: TrustPolicy.Anchors

  /// A configuration.
  public init(_ pinnedDomains: [HostName: Domain], anchors: TrustPolicy.Anchors = .system) {
    self.pinnedDomains = HostMap(
      pinnedDomains.flatMap { name, domain in
        var entries = [(HostPattern(name), domain)]
        if domain.includeSubdomains, let below = HostPattern(.anyDepth, name) { entries.append((below, domain)) }
        return entries
      })
    self.anchors = anchors
  }
}

extension TrustKitPreset: PolicySource {
  /// The settings of the host itself, else those of the longest domain above it that includes its subdomains.
  public func policy(for host: HostName?, at time: Timestamp) -> CompositePolicy {
    var policy = TrustPolicy(anchors: anchors, profile: .apple)
    guard let domain = host.flatMap(pinnedDomains.match)?.value, !domain.excludeSubdomainFromParentPolicy,
      domain.expirationDate.map({ time < $0 }) ?? true
    else { return .policy(policy) }
    policy.pinning = .pins(domain.publicKeyHashes, scope: .any)
    policy.enforcement = domain.enforcePinning ? .enforce : .reportOnly
    return .policy(policy)
  }
}
