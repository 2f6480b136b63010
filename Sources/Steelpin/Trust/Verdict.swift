// SPDX-License-Identifier: Apache-2.0

/// What an evaluator decided about a chain, and why. Only an evaluation makes one.
public struct Verdict: Sendable, Hashable, Encodable {
  /// The decision.
  @nonexhaustive
  public enum Outcome: String, Sendable, Hashable, Codable {
    /// The chain is trusted, but no configured pin is on an acceptable path.
    case pinMismatch = "pin-mismatch"
    /// The chain is trusted and the pins, if any, are met.
    case trusted
    /// The chain is not trusted.
    case untrusted
  }

  /// The backend that proved or refused, as in `openssl`.
  public let backend: String
  /// The decision.
  public let outcome: Outcome
  /// The host that was evaluated; nil if none was given.
  public let host: HostName?
  /// The moment at which validity was judged.
  public let time: Timestamp
  /// The path that the decision rests on, leaf first: the accepted one, else the one that came nearest, which need not
  /// reach an anchor. Empty only if the chain had no readable leaf.
  public let path: [Certificate]
  /// Whether the path ends at an anchor.
  public let reachesAnchor: Bool
  /// Everything found about that path and the chain, errors first.
  public let findings: [Finding]
  /// What became of the pins; nil if the policy has none.
  public let pins: PinReport?
  /// Every path that was tried, in order, the accepted one included.
  public let attempts: [PathAttempt]

  /// Whether a client under the policy goes on with this server.
  public var isTrusted: Bool { outcome == .trusted }

  /// The findings that decided against the chain.
  public var errors: [Finding] { findings.filter { $0.severity == .error } }

  package init(
    backend: String, outcome: Outcome, host: HostName?, time: Timestamp, path: [Certificate], reachesAnchor: Bool,
    findings: [Finding], pins: PinReport?, attempts: [PathAttempt]
  ) {
    self.backend = backend
    self.outcome = outcome
    self.host = host
    self.time = time
    self.path = path
    self.reachesAnchor = reachesAnchor
    self.findings = findings
    self.pins = pins
    self.attempts = attempts
  }

  /// Whether another evaluator came to the same decision, by the same codes at the same places, over the same path.
  public func agrees(with other: Verdict) -> Bool {
    func codes(_ verdict: Verdict) -> Set<String> {
      Set(verdict.findings.map { "\($0.code.rawValue)@\($0.depth ?? -1)" })
    }
    return outcome == other.outcome && path == other.path && codes(self) == codes(other)
  }
}

/// One candidate path and what was found about it.
public struct PathAttempt: Sendable, Hashable, Codable {
  /// The path, leaf first, anchor last.
  public let path: [Certificate]
  /// The errors; empty if the path is acceptable.
  public let errors: [Finding]
  /// The pin that a certificate of the path meets, and its depth; nil if none does or none is configured.
  public let pin: PinMatch?

  package init(path: [Certificate], errors: [Finding], pin: PinMatch?) {
    self.path = path
    self.errors = errors
    self.pin = pin
  }
}

/// Where a pin was met.
public struct PinMatch: Sendable, Hashable, Codable {
  /// The pin.
  public let pin: Pin
  /// The place on the path, 0 for the leaf.
  public let depth: Int

  package init(pin: Pin, depth: Int) {
    self.pin = pin
    self.depth = depth
  }
}

/// What became of the pins of a policy.
public struct PinReport: Sendable, Hashable, Codable {
  /// The pins as configured; certificates are given by their fingerprints.
  public let configured: [Pin]
  /// Where on the path they may be met.
  public let scope: TrustPolicy.PinScope
  /// The pin that was met; nil if none was.
  public let match: PinMatch?
  /// Why pins that were not met may have been meant to be; empty if one was met.
  public let nearMisses: [PinNearMiss]

  package init(configured: [Pin], scope: TrustPolicy.PinScope, match: PinMatch?, nearMisses: [PinNearMiss]) {
    self.configured = configured
    self.scope = scope
    self.match = match
    self.nearMisses = nearMisses
  }
}
