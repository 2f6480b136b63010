// SPDX-License-Identifier: Apache-2.0
public import Steelpin

/// What the system of one configuration does with one server.
public struct HostCheck: Sendable {
  /// How it ends.
  @nonexhaustive
  public enum Outcome: String, Sendable, Hashable, Codable, CaseIterable {
    /// It connects, and a pin is met.
    case accepted
    /// It connects, but no pin is enforced.
    case acceptedUnpinned = "accepted-unpinned"
    /// It refuses whatever the server has.
    case blocked
    /// A key or certificate is on the path that must not be.
    case forbidden
    /// The chain is trusted, but no pin is met.
    case pinMismatch = "pin-mismatch"
    /// The chain is not trusted.
    case untrusted
  }

  /// The format whose rules were applied.
  public let format: String
  /// The file.
  public let file: String
  /// The host.
  public let host: HostName
  /// The port.
  public let port: UInt16
  /// How it ends.
  public let outcome: Outcome
  /// The rule that led there.
  public let requirement: HostRequirement
  /// The verdict that decides: the accepting one, else the one that came nearest. Nil if nothing was evaluated.
  public let verdict: Verdict?

  /// Whether the system connects.
  public var connects: Bool { outcome == .accepted || outcome == .acceptedUnpinned }
}

/// Applies configurations to servers, each under its own format's rules.
public struct ConfigurationChecker: Sendable {
  private let evaluator: any TrustEvaluator
  private let context: PlatformContext

  /// A checker with a backend and what the platform brings.
  public init(evaluator: any TrustEvaluator, context: PlatformContext) {
    self.evaluator = evaluator
    self.context = context
  }

  /// What the configuration's system does with a server that sends the chain.
  public func check(
    _ configuration: PinConfiguration, host: HostName, port: UInt16 = 443, chain: CertificateChain
  ) throws(BackendError) -> HostCheck {
    guard let format = PinConfigurationFormats.named(configuration.format) else {
      return HostCheck(
        format: configuration.format, file: configuration.file, host: host, port: port, outcome: .blocked,
        requirement: HostRequirement(.blocked, "there is no such format"), verdict: nil)
    }
    let certificates = chain.certificates
    let requirement = format.requirement(
      of: configuration, for: host, port: port, chain: certificates, in: context)
    let (outcome, verdict) = try judge(requirement, host: host, chain: chain)
    return HostCheck(
      format: configuration.format, file: configuration.file, host: host, port: port, outcome: outcome,
      requirement: requirement, verdict: verdict)
  }

  private func judge(
    _ requirement: HostRequirement, host: HostName, chain: CertificateChain
  ) throws(BackendError) -> (HostCheck.Outcome, Verdict?) {
    if case .blocked = requirement.kind { return (.blocked, nil) }
    var nearest: Verdict?
    for group in requirement.alternatives {
      var refusal: Verdict?
      var last: Verdict?
      for policy in group {
        let verdict = try evaluator.evaluate(chain, host: host, policy: policy)
        last = verdict
        if !verdict.isTrusted {
          // Of several refusals of a group, distrust outweighs a missed pin.
          if refusal == nil || verdict.outcome == .untrusted { refusal = verdict }
        }
      }
      guard let refusal else {
        guard let last, !group.isEmpty else { continue }
        return (accepted(requirement, last), last)
      }
      // Of several refused groups, one that misses only a pin came nearest.
      if nearest == nil || nearest?.outcome == .untrusted { nearest = refusal }
    }
    return (nearest?.outcome == .pinMismatch ? .pinMismatch : .untrusted, nearest)
  }

  private func accepted(_ requirement: HostRequirement, _ verdict: Verdict) -> HostCheck.Outcome {
    let isForbidden = verdict.path.contains { certificate in
      requirement.forbidden.contains { $0.matches(certificate) }
    }
    if isForbidden { return .forbidden }
    // The acceptance of an alternative without pins (overridePins) or of a report is no proof of a pin.
    let isDANE = requirement.entries.contains { $0.pins.contains { $0.usage == .daneTA } }
    return requirement.kind == .pinned && (verdict.pins?.match != nil || isDANE && verdict.pins == nil)
      ? .accepted : .acceptedUnpinned
  }

  /// The hosts that a configuration names, each with the port to ask; empty if it names none.
  public static func targets(of configuration: PinConfiguration) -> [(host: HostName, port: UInt16)] {
    var seen = Set<String>()
    return configuration.entries.compactMap { entry in
      guard let name = entry.pattern.representative, let host = try? HostName(name) else { return nil }
      let port = entry.port ?? 443
      return seen.insert("\(host):\(port)").inserted ? (host, port) : nil
    }
  }
}

/// Where several configurations do not agree about a server.
public struct ConfigurationDrift: Sendable {
  /// The host.
  public let host: HostName
  /// The port.
  public let port: UInt16
  /// What each does.
  public let checks: [HostCheck]

  /// The hosts where one configuration connects with its pins and another does not, in the order of the checks.
  public static func find(in checks: [HostCheck]) -> [ConfigurationDrift] {
    var order: [String] = []
    var groups: [String: [HostCheck]] = [:]
    for check in checks {
      let key = "\(check.host):\(check.port)"
      if groups[key] == nil { order.append(key) }
      groups[key, default: []].append(check)
    }
    return order.compactMap { key in
      guard let group = groups[key], let first = group.first else { return nil }
      guard Set(group.map(\.outcome)).count > 1 else { return nil }
      return ConfigurationDrift(host: first.host, port: first.port, checks: group)
    }
  }
}
