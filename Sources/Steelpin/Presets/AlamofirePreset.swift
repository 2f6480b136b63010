// SPDX-License-Identifier: Apache-2.0

/// An emulation of one of Alamofire's trust evaluators, for any host.
///
/// What it does not check: without `validateHost` the host; with neither `validateHost` nor `performDefaultValidation`
/// neither host, dates, purpose nor that the chain is trusted by anybody, so that a pin which the chain merely seems to
/// contain is enough; with the disabled evaluator nothing. Certificate transparency and AIA fetching are not emulated.
public struct AlamofirePreset: Sendable, Hashable, Codable {
  /// The evaluator.
  public var evaluator: AlamofireEvaluator
  /// The anchors of the SecTrust before Alamofire sees it.
  public var anchors: TrustPolicy.Anchors

  /// An evaluator on a SecTrust with these anchors.
  public init(_ evaluator: AlamofireEvaluator, anchors: TrustPolicy.Anchors = .system) {
    self.evaluator = evaluator
    self.anchors = anchors
  }
}

extension AlamofirePreset: PolicySource {
  /// What the evaluator demands. A host is mandatory for Alamofire, so that without one the host is never right.
  public func policy(for host: HostName?, at time: Timestamp) -> CompositePolicy {
    var anchors = anchors
    return evaluator.policy(anchors: &anchors)
  }
}

/// An emulation of Alamofire's ServerTrustManager: evaluators by host.
///
/// The hosts are compared as text, exactly and with their letter case: `API.example.org` in the table is met by no
/// connection, whose host is lower case. There are no wildcards. What is not checked is what the evaluators do not.
public struct AlamofireTrustManager: Sendable, Hashable, Codable {
  /// Whether a host without an evaluator is refused; otherwise the system decides.
  public var allHostsMustBeEvaluated: Bool
  /// The evaluators by host, spelled as in the app.
  public var evaluators: [String: AlamofireEvaluator]
  /// The anchors of each SecTrust before Alamofire sees it.
  public var anchors: TrustPolicy.Anchors

  /// A table; unknown hosts are refused unless told otherwise, as in Alamofire.
  public init(
    allHostsMustBeEvaluated: Bool = true, evaluators: [String: AlamofireEvaluator],
    anchors: TrustPolicy.Anchors = .system
  ) {
    self.allHostsMustBeEvaluated = allHostsMustBeEvaluated
    self.evaluators = evaluators
    self.anchors = anchors
  }
}

extension AlamofireTrustManager: PolicySource {
  /// What the host's evaluator demands; without one a refusal, or the system's validation.
  public func policy(for host: HostName?, at time: Timestamp) -> CompositePolicy {
    guard let host, let evaluator = evaluators[host.description] else {
      return allHostsMustBeEvaluated
        ? .refuse(.host) : AlamofirePreset(.default(), anchors: anchors).policy(for: host, at: time)
    }
    return AlamofirePreset(evaluator, anchors: anchors).policy(for: host, at: time)
  }
}
