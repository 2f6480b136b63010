// SPDX-License-Identifier: Apache-2.0

/// An emulation of bare calls of Apple's Security.framework on one SecTrust, in the order in which they are made.
///
/// Not checked here although the original does: certificate transparency, revocation, AIA fetching, the user's own trust
/// settings and Apple's block lists. Not checked by the original either: no pins, and with ``Policy/basicX509`` neither
/// host nor purpose.
public struct SecurityFrameworkPreset: Sendable, Hashable, Codable {
  /// A policy that is set on a SecTrust.
  public enum Policy: Sendable, Hashable, Codable {
    /// SecPolicyCreateBasicX509: neither host nor purpose.
    case basicX509
    /// SecPolicyCreateSSL(true, host); nil checks all but the host.
    case ssl(HostName?)
  }

  /// A call on a SecTrust.
  public enum Call: Sendable, Hashable, Codable {
    /// SecTrustSetAnchorCertificates; nil is NULL. It also resets what `…Only` chose: passed anchors are exclusive.
    case setAnchorCertificates([Certificate]?)
    /// SecTrustSetAnchorCertificatesOnly.
    case setAnchorCertificatesOnly(Bool)
    /// SecTrustSetPolicies; all of them must be satisfied.
    case setPolicies([Policy])
  }

  /// The calls, in order, before SecTrustEvaluateWithError.
  public var calls: [Call]

  /// The emulation of these calls. Without a call that sets policies it is SecPolicyCreateSSL(true, host) with the host
  /// that is evaluated, as a URLSession challenge has it.
  public init(_ calls: Call...) { self.calls = calls }

  /// The anchors that the calls leave.
  private var anchors: TrustPolicy.Anchors {
    var passed: [Certificate]?
    var isExclusive = false
    for call in calls {
      switch call {
      case .setAnchorCertificates(let certificates):
        passed = certificates
        isExclusive = certificates != nil
      case .setAnchorCertificatesOnly(let only): isExclusive = only
      case .setPolicies: continue
      }
    }
    if isExclusive { return .only(AnchorSet(passed ?? [])) }
    return passed.map { .systemAnd(AnchorSet($0)) } ?? .system
  }

  private var policies: [Policy]? {
    for case .setPolicies(let policies) in calls.reversed() { return policies }
    return nil
  }
}

extension SecurityFrameworkPreset: PolicySource {
  /// One evaluation for each policy, all of which must succeed. No policy at all trusts nothing.
  public func policy(for host: HostName?, at time: Timestamp) -> CompositePolicy {
    let anchors = anchors
    return .all(
      (policies ?? [.ssl(host)]).map { policy in
        switch policy {
        case .basicX509: .policy(TrustPolicy(anchors: anchors, domain: .basicX509, profile: .apple))
        case .ssl(let name?): .forHost(name, .policy(TrustPolicy(anchors: anchors, profile: .apple)))
        case .ssl(nil): .policy(TrustPolicy(anchors: anchors, domain: .sslAnyHost, profile: .apple))
        }
      })
  }
}
