// SPDX-License-Identifier: Apache-2.0
internal import Steelpin

/// What several formats have in common.
extension PinConfigurationFormat {
  /// The entry that is for the host and has the longest name; of those with one name, the one that reaches least far
  /// below it.
  func longestMatch(_ configuration: PinConfiguration, _ host: HostName) -> HostEntry? {
    func rank(_ pattern: PinnedHosts) -> (Int, Int) {
      let reach: Int =
        switch pattern.subdomains {
        case .none: 2
        case .oneLabel: 1
        case .anyDepth: 0
        }
      return (pattern.name?.utf8.count ?? 0, reach)
    }
    let name = host.description
    var best: HostEntry?
    for entry in configuration.entries where entry.pattern.matches(name) {
      if best.map({ rank($0.pattern) < rank(entry.pattern) }) ?? true { best = entry }
    }
    return best
  }

  /// The requirement of a host for which the platform's own validation is all there is.
  func unpinned(
    _ reason: String, _ context: PlatformContext, profile: TrustPolicy.Profile = .standard, entries: [HostEntry] = []
  )
    -> HostRequirement
  {
    let policy = TrustPolicy(anchors: context.anchors, profile: profile, time: context.time)
    return HostRequirement(.unpinned, reason, alternatives: [[policy]], entries: entries)
  }

  /// The requirement of an entry whose pins must be met somewhere on a path that the platform accepts.
  func pinned(
    _ entry: HostEntry, _ reason: String, chain: [Certificate], _ context: PlatformContext,
    scope: TrustPolicy.PinScope = .any, profile: TrustPolicy.Profile = .standard
  ) -> HostRequirement {
    let set = context.pinSet(entry.pins, chain: chain)
    let policy = TrustPolicy(
      anchors: context.anchors, pinning: .pins(set, scope: scope), profile: profile, time: context.time,
      enforcement: entry.enforcement)
    return HostRequirement(
      entry.enforcement == .enforce ? .pinned : .reportOnly, reason, alternatives: [[policy]], entries: [entry])
  }
}

extension PlatformContext {
  /// The SHA-256 pins that mean the same as the configured ones, given every certificate that can be on a path.
  func pinSet(_ pins: [ConfiguredPin], chain: [Certificate]) -> PinSet {
    PinSet(
      pins.flatMap { pin -> [Pin] in
        if let known = pin.pin { return [known] }
        guard case .digest(_, let subject, _) = pin.value else { return [] }
        return (chain + anchorCertificates).filter(pin.matches).map { Pin(subject, of: $0) }
      })
  }
}
