// SPDX-License-Identifier: Apache-2.0

/// What is demanded of each host: the policy of a whole client, shared by all its connections.
public struct HostTable: Sendable, Hashable {
  /// What is demanded of a host.
  public enum Rule: Sendable, Hashable {
    /// The host is left to the client's own handling and is not judged: an entry of a white list. It is not trusted
    /// because of it.
    case bypass
    /// No connection is allowed.
    case deny
    /// The chain must satisfy the policy.
    case demand(CompositePolicy)
    /// The chain must be trusted by the system, as without pins.
    case system

    /// The chain must satisfy the policy.
    public static func policy(_ policy: TrustPolicy) -> Rule { .demand(.policy(policy)) }
  }

  /// What becomes of a connection, in the words of URLSession's authentication challenge.
  public enum Disposition: String, Sendable, Hashable, Codable, CaseIterable {
    /// The connection is given up.
    case cancel
    /// The client's own handling decides.
    case performDefaultHandling = "perform-default-handling"
    /// The server is accepted.
    case useCredential = "use-credential"
  }

  /// The rules by host; the most specific entry decides.
  public var rules: HostMap<Rule>
  /// The rule of hosts that no entry is for.
  public var unknownHost: Rule
  /// The hosts that may also be asked over plain HTTP, where nothing can be proved; none unless told otherwise.
  public var plainHTTPHosts: Set<HostPattern> = []

  /// A table; hosts without an entry are denied unless told otherwise.
  public init(_ rules: HostMap<Rule> = HostMap(), unknownHost: Rule = .deny) {
    self.rules = rules
    self.unknownHost = unknownHost
  }

  /// A table of patterns as ``HostPattern/init(parsing:)`` reads them. Throws ``HostNameError`` if one is none.
  public init(_ rules: KeyValuePairs<String, Rule>, unknownHost: Rule = .deny) throws(HostNameError) {
    var map = HostMap<Rule>()
    for (text, rule) in rules { map[try HostPattern(parsing: text)] = rule }
    self.init(map, unknownHost: unknownHost)
  }

  /// The rule of a host.
  public func rule(for host: HostName) -> Rule { rules.match(host)?.value ?? unknownHost }

  /// Whether the host may be asked over plain HTTP. A host that is denied may not, whatever the list says.
  public func allowsPlainHTTP(to host: HostName) -> Bool {
    rule(for: host) != .deny && host.patterns.contains(where: plainHTTPHosts.contains)
  }

  /// What becomes of the connection that a verdict was given about. A verdict about no host is about an unknown one.
  public func disposition(for verdict: Verdict) -> Disposition {
    switch verdict.host.map(rule(for:)) ?? unknownHost {
    case .bypass: .performDefaultHandling
    case .deny: .cancel
    case .demand, .system: verdict.isTrusted ? .useCredential : .cancel
    }
  }
}

extension HostTable: PolicySource {
  /// What the host's rule demands; of a host that is bypassed, what the system does.
  public func policy(for host: HostName?, at time: Timestamp) -> CompositePolicy {
    switch host.map(rule(for:)) ?? unknownHost {
    case .bypass, .system: .policy(TrustPolicy())
    case .deny: .refuse(.host)
    case .demand(let policy): policy
    }
  }
}

extension HostTable: Codable {
  private enum CodingKeys: String, CodingKey {
    case hosts
    case plainHTTPHosts
    case unknownHost
  }

  /// Decodes `hosts`, an object of rules by pattern, `unknownHost`, which is `deny` if absent, and `plainHTTPHosts`, a
  /// list of patterns.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try container.decode(HostMap<Rule>.self, forKey: .hosts),
      unknownHost: try container.decodeIfPresent(Rule.self, forKey: .unknownHost) ?? .deny)
    for text in try container.decodeIfPresent([String].self, forKey: .plainHTTPHosts) ?? [] {
      do throws(HostNameError) {
        plainHTTPHosts.insert(try HostPattern(parsing: text))
      } catch {
        throw DecodingError.dataCorruptedError(forKey: .plainHTTPHosts, in: container, debugDescription: "\(error)")
      }
    }
  }

  /// Encodes what ``init(from:)`` decodes.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(rules, forKey: .hosts)
    try container.encode(unknownHost, forKey: .unknownHost)
    if !plainHTTPHosts.isEmpty {
      try container.encode(plainHTTPHosts.map(\.description).sorted(), forKey: .plainHTTPHosts)
    }
  }
}

extension HostTable.Rule: Codable {
  /// Decodes `"bypass"`, `"deny"`, `"system"`, or the object of a ``CompositePolicy``.
  public init(from decoder: any Decoder) throws {
    guard let word = try? decoder.singleValueContainer().decode(String.self) else {
      self = .demand(try CompositePolicy(from: decoder))
      return
    }
    switch word {
    case "bypass": self = .bypass
    case "deny": self = .deny
    case "system": self = .system
    default:
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription: "'\(word)' is no rule; it is 'bypass', 'deny', 'system' or a policy"))
    }
  }

  /// Encodes what ``init(from:)`` decodes.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .bypass: try container.encode("bypass")
    case .demand(let policy): try container.encode(policy)
    case .deny: try container.encode("deny")
    case .system: try container.encode("system")
    }
  }
}
