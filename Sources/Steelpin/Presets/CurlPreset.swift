// SPDX-License-Identifier: Apache-2.0

/// An emulation of curl with OpenSSL: `--cacert`, `--insecure` and `--pinnedpubkey`.
///
/// What it does not check: with `--insecure` everything but the pin, which is met by the key of the leaf only. Not
/// emulated: that curl takes the common name of a certificate without subjectAltName; such a server is refused here.
public struct CurlPreset: Sendable, Hashable, Codable {
  /// The anchors; `--cacert` makes its file the only ones.
  public var anchors: TrustPolicy.Anchors
  /// `--insecure`.
  public var isInsecure: Bool
  /// `--pinnedpubkey`; nil if the option is not given. Given and empty, it fails, as in curl.
  public var pinnedPublicKeys: PinSet?

  /// The emulation of these options.
  public init(anchors: TrustPolicy.Anchors = .system, isInsecure: Bool = false, pinnedPublicKeys: PinSet? = nil) {
    self.anchors = anchors
    self.isInsecure = isInsecure
    self.pinnedPublicKeys = pinnedPublicKeys
  }
}

extension CurlPreset: PolicySource {
  /// The leaf's key is compared whether or not the chain is verified.
  public func policy(for host: HostName?, at time: Timestamp) -> CompositePolicy {
    let pinning = pinnedPublicKeys.map { TrustPolicy.Pinning.pins($0, scope: .leaf) } ?? .none
    return .policy(TrustPolicy(anchors: anchors, pinning: pinning, chain: isInsecure ? .unvalidated : .validated))
  }
}
