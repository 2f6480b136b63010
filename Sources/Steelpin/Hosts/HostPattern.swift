// SPDX-License-Identifier: Apache-2.0

/// Which hosts an entry of a table is for: one host, all names one label below a domain, or a domain and all below it.
public struct HostPattern: Sendable, Hashable {
  /// How far an entry reaches.
  public enum Reach: Sendable, Hashable, CaseIterable {
    /// The domain itself and every name below it; written `**.example.org`.
    case anyDepth
    /// The host alone; written `example.org`.
    case exact
    /// The names with exactly one label more; written `*.example.org`.
    case oneLabel
  }

  /// How far the entry reaches.
  public let reach: Reach
  /// The host, or the domain above the hosts.
  public let base: HostName

  /// A pattern; nil if an address is to have names below it.
  public init?(_ reach: Reach, _ base: HostName) {
    guard reach == .exact || !base.isIPAddress else { return nil }
    self.reach = reach
    self.base = base
  }

  /// The pattern of one host.
  public init(_ host: HostName) {
    self.reach = .exact
    self.base = host
  }

  /// Parses `host`, `*.domain` (exactly one label more) or `**.domain` (the domain and every name below it).
  ///
  /// The name is brought to its normal form as ``HostName`` does it. Throws ``HostNameError`` for anything else.
  public init(parsing text: some StringProtocol) throws(HostNameError) {
    let reach: Reach = text.hasPrefix("**.") ? .anyDepth : text.hasPrefix("*.") ? .oneLabel : .exact
    let base = try HostName(text.dropFirst(reach.prefix.count))
    guard let pattern = HostPattern(reach, base) else {
      throw HostNameError(.invalidCharacter(UInt8(ascii: "*")), in: text)
    }
    self = pattern
  }

  fileprivate init(_ reach: Reach, below name: DNSName) {
    self.reach = reach
    self.base = .dns(name)
  }
}

extension HostPattern.Reach {
  fileprivate var prefix: String {
    switch self {
    case .anyDepth: "**."
    case .exact: ""
    case .oneLabel: "*."
    }
  }
}

extension HostPattern: CustomStringConvertible {
  /// The normal form, as it is parsed.
  public var description: String { reach.prefix + base.description }
}

extension HostName {
  /// Every pattern that the host meets, the most specific first: the longest domain, and for one domain the shortest
  /// reach.
  package var patterns: [HostPattern] {
    var patterns = [HostPattern(self)]
    guard case .dns(let name) = self else { return patterns }
    patterns.append(HostPattern(.anyDepth, below: name))
    var isParent = true
    for parent in name.parents {
      if isParent { patterns.append(HostPattern(.oneLabel, below: parent)) }
      patterns.append(HostPattern(.anyDepth, below: parent))
      isParent = false
    }
    return patterns
  }
}
