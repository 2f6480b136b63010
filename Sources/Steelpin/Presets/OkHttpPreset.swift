// SPDX-License-Identifier: Apache-2.0

/// An emulation of OkHttp's CertificatePinner behind the platform's trust manager.
///
/// The chain must be trusted for the host; then any pin of any pattern that the host meets must be met by any
/// certificate of the validated path, the root included. What it does not check: hosts that no pattern is for. Not
/// emulated: that a host with a trailing dot escapes its pins (okhttp#9724), and pins of SHA-1.
public struct OkHttpPreset: Sendable, Hashable, Codable {
  /// The pins by pattern: a host, `*.domain` for one label more, `**.domain` for the domain and every name below it.
  public var pins: HostMap<PinSet>
  /// The anchors of the trust manager.
  public var anchors: TrustPolicy.Anchors

  /// A pinner; pins with the same pattern add up.
  public init(_ pins: some Sequence<(HostPattern, Pin)>, anchors: TrustPolicy.Anchors = .system) {
    var map = HostMap<PinSet>()
    for (pattern, pin) in pins { map[pattern] = PinSet((map[pattern]?.pins ?? []) + [pin]) }
    self.pins = map
    self.anchors = anchors
  }
}

extension OkHttpPreset: PolicySource {
  /// The pins of all patterns that the host meets; without any only the chain counts.
  public func policy(for host: HostName?, at time: Timestamp) -> CompositePolicy {
    let pins = host.map { self.pins.matches($0).flatMap(\.value.pins) } ?? []
    return .policy(
      TrustPolicy(anchors: anchors, pinning: pins.isEmpty ? .none : .pins(PinSet(pins), scope: .any)))
  }
}
