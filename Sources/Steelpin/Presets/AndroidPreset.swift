// SPDX-License-Identifier: Apache-2.0

/// An emulation of Android's network security configuration (NetworkSecurityTrustManager).
///
/// The chain must be trusted for the host by one of the configuration's sources; then a pin must be met by any
/// certificate of the validated path. What it does not check: pins that have expired, hosts whose pin set is empty, and
/// pins where the path ends at an anchor of a source that overrides them.
public struct AndroidPreset: Sendable, Hashable, Codable {
  /// A `<certificates>` element.
  public struct TrustSource: Sendable, Hashable, Codable {
    /// The anchors; nil for those of the system.
    public var certificates: AnchorSet?
    /// `overridePins`: whether a path that ends at one of them needs no pin.
    public var overridesPins: Bool

    /// A source; nil is the system.
    public init(_ certificates: AnchorSet? = nil, overridesPins: Bool = false) {
      self.certificates = certificates
      self.overridesPins = overridesPins
    }
  }

  /// A `<base-config>` or `<domain-config>`.
  public struct Configuration: Sendable, Hashable, Codable {
    /// The trust anchors.
    public var sources: [TrustSource]
    /// The pin set; if it is empty, there is no pinning.
    public var pins: PinSet
    /// The last moment at which pins count; nil is never.
    public var expiration: Timestamp?

    /// A configuration; the defaults are those of apps without one.
    public init(sources: [TrustSource] = [TrustSource()], pins: PinSet = PinSet([]), expiration: Timestamp? = nil) {
      self.sources = sources
      self.pins = pins
      self.expiration = expiration
    }
  }

  /// The configuration of hosts that no domain is for.
  public var base: Configuration
  /// The configurations by domain: `host`, or `**.domain` with `includeSubdomains`; the most specific decides.
  public var domains: HostMap<Configuration>

  /// A configuration of an app.
  public init(base: Configuration = Configuration(), domains: HostMap<Configuration> = HostMap()) {
    self.base = base
    self.domains = domains
  }
}

extension AndroidPreset: PolicySource {
  /// What the host's configuration demands. Without a host a configuration by domain cannot be chosen, and nothing is
  /// trusted.
  public func policy(for host: HostName?, at time: Timestamp) -> CompositePolicy {
    guard host != nil || domains.count == 0 else { return .refuse(.host) }
    return (host.flatMap(domains.match)?.value ?? base).policy(at: time)
  }
}

extension AndroidPreset.Configuration {
  fileprivate func policy(at time: Timestamp) -> CompositePolicy {
    let trusted = TrustPolicy(anchors: Self.anchors(of: sources))
    guard !pins.isEmpty, expiration.map({ time <= $0 }) ?? true else { return .policy(trusted) }
    var pinned = trusted
    pinned.pinning = .pins(pins, scope: .any)
    let overriding = sources.filter(\.overridesPins)
    guard !overriding.isEmpty else { return .policy(pinned) }
    return .any([.policy(TrustPolicy(anchors: Self.anchors(of: overriding))), .policy(pinned)])
  }

  private static func anchors(of sources: [AndroidPreset.TrustSource]) -> TrustPolicy.Anchors {
    let own = AnchorSet(sources.flatMap { $0.certificates?.certificates ?? [] })
    guard sources.contains(where: { $0.certificates == nil }) else { return .only(own) }
    return own.isEmpty ? .system : .systemAnd(own)
  }
}
