// SPDX-License-Identifier: Apache-2.0

/// Several policies as one demand: what a system asks that evaluates a chain more than once, or that says no before it
/// looks at the chain at all.
public indirect enum CompositePolicy: Sendable, Hashable {
  /// All of them must trust the chain. An empty list trusts nothing.
  case all([CompositePolicy])
  /// One of them must trust the chain. An empty list trusts nothing.
  case any([CompositePolicy])
  /// The demand, judged for this host instead of the one that is evaluated.
  case forHost(HostName, CompositePolicy)
  /// One policy.
  case policy(TrustPolicy)
  /// Nothing is trusted, whatever the chain.
  case refuse(Refusal)

  /// Why a demand refuses without looking at the chain.
  public enum Refusal: String, Sendable, Hashable, Codable, CaseIterable {
    /// The settings contradict each other, so that the system refuses every server.
    case contradiction
    /// Pinning is on, but there is no pin.
    case emptyPins = "empty-pins"
    /// The host may not be connected to.
    case host
  }

  /// The same demand at a moment: parts that name no time are judged at this one.
  public func at(_ time: Timestamp) -> CompositePolicy {
    switch self {
    case .all(let parts): return .all(parts.map { $0.at(time) })
    case .any(let parts): return .any(parts.map { $0.at(time) })
    case .forHost(let host, let part): return .forHost(host, part.at(time))
    case .policy(var policy):
      policy.time = policy.time ?? time
      return .policy(policy)
    case .refuse: return self
    }
  }
}

/// Something that says what is demanded of a host: a policy, a table of hosts, or the rules of another system.
public protocol PolicySource: Sendable {
  /// What is demanded of the chain of a host, nil if there is none, at a moment (pins may expire).
  func policy(for host: HostName?, at time: Timestamp) -> CompositePolicy
}

extension CompositePolicy: PolicySource {
  /// Itself, whatever the host.
  public func policy(for host: HostName?, at time: Timestamp) -> CompositePolicy { self }
}

extension TrustPolicy: PolicySource {
  /// Itself, whatever the host.
  public func policy(for host: HostName?, at time: Timestamp) -> CompositePolicy { .policy(self) }
}

extension CompositePolicy: Codable {
  private enum CodingKeys: String, CodingKey {
    case all
    case any
    case host
    case policy
    case refuse
    case then
  }

  /// Decodes an object of one of the keys `all`, `any`, `policy` and `refuse`, or of `host` and `then`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let keys = Set(container.allKeys.map(\.rawValue))
    switch keys {
    case ["all"]: self = .all(try container.decode([CompositePolicy].self, forKey: .all))
    case ["any"]: self = .any(try container.decode([CompositePolicy].self, forKey: .any))
    case ["host", "then"]:
      self = .forHost(
        try container.decode(HostName.self, forKey: .host), try container.decode(CompositePolicy.self, forKey: .then))
    case ["policy"]: self = .policy(try container.decode(TrustPolicy.self, forKey: .policy))
    case ["refuse"]: self = .refuse(try container.decode(Refusal.self, forKey: .refuse))
    default:
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription: "a policy is one of 'all', 'any', 'policy', 'refuse', or 'host' with 'then'"))
    }
  }

  /// Encodes an object that names its kind by its key.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .all(let parts): try container.encode(parts, forKey: .all)
    case .any(let parts): try container.encode(parts, forKey: .any)
    case .forHost(let host, let part):
      try container.encode(host, forKey: .host)
      try container.encode(part, forKey: .then)
    case .policy(let policy): try container.encode(policy, forKey: .policy)
    case .refuse(let refusal): try container.encode(refusal, forKey: .refuse)
    }
  }
}
