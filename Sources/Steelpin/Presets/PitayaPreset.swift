// SPDX-License-Identifier: Apache-2.0

/// An emulation of Pitaya's SSL pinning: the leaf is compared with files, byte for byte.
///
/// What it does not check when pins are set: the chain, its signatures and anchors, all dates, the host, the purpose. An
/// expired or self-signed leaf is accepted if it is pinned.
public struct PitayaPreset: Sendable, Hashable, Codable {
  /// The contents of the pinned files. Bytes that are no certificate are met by no server.
  public var localCertificates: [[UInt8]]
  /// The anchors of the system, which decide if nothing is pinned.
  public var anchors: TrustPolicy.Anchors

  /// The emulation of pinning these files; an empty list is no pinning.
  public init(_ localCertificates: [[UInt8]], anchors: TrustPolicy.Anchors = .system) {
    self.localCertificates = localCertificates
    self.anchors = anchors
  }

  /// The emulation of pinning one leaf.
  public init(leaf: Certificate) { self.init([leaf.der]) }
}

extension PitayaPreset: PolicySource {
  /// Leaf data without any validation; without pins the system's validation.
  public func policy(for host: HostName?, at time: Timestamp) -> CompositePolicy {
    guard !localCertificates.isEmpty else { return .policy(TrustPolicy(anchors: anchors, profile: .apple)) }
    let leaves = localCertificates.compactMap { try? Certificate(der: $0) }
    return .policy(TrustPolicy(domain: .basicX509, pinning: .leafData(leaves), chain: .unvalidated))
  }
}
