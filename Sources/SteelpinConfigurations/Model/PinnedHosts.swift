// SPDX-License-Identifier: Apache-2.0

/// Which hosts an entry is for, in one form for all formats. Unlike a `HostPattern` of the core, which is one pattern of a
/// table, it can mean a name together with one label below it, or every host.
public struct PinnedHosts: Sendable, Hashable {
  /// How many labels may stand before the name.
  public enum Subdomains: String, Sendable, Hashable, Codable, CaseIterable {
    /// Any number.
    case anyDepth = "any-depth"
    /// None.
    case none
    /// Exactly one.
    case oneLabel = "one-label"
  }

  /// The name in lower case and A-labels; nil for an entry that is for whatever host it is used with.
  public let name: String?
  /// Whether the name itself is meant.
  public let includesName: Bool
  /// Which names below it are meant.
  public let subdomains: Subdomains

  /// Whatever host the entry is used with, as with a bare pin.
  public static let everyHost = PinnedHosts(name: nil, includesName: true, subdomains: .anyDepth)

  /// The hosts at or below a name.
  package init(name: String?, includesName: Bool = true, subdomains: Subdomains = .none) {
    self.name = name
    self.includesName = includesName
    self.subdomains = subdomains
  }

  /// Whether the entry is for the host. Both are compared in lower case without trailing dot.
  package func matches(_ host: String) -> Bool {
    guard let name else { return true }
    if host == name { return includesName }
    guard subdomains != .none, host.utf8.count > name.utf8.count + 1, host.hasSuffix("." + name) else { return false }
    return subdomains == .anyDepth || !host.dropLast(name.utf8.count + 1).contains(".")
  }

  /// Whether the entry is for every host that another is for.
  package func covers(_ other: PinnedHosts) -> Bool {
    guard let name else { return true }
    guard let inner = other.name else { return false }
    if inner == name {
      return (includesName || !other.includesName)
        && (subdomains == .anyDepth || subdomains == other.subdomains || other.subdomains == .none)
    }
    guard inner.hasSuffix("." + name) else { return false }
    return subdomains == .anyDepth || subdomains == .oneLabel && other.subdomains == .none && matches(inner)
  }

  /// The patterns of OkHttp and of `steelpin.json` that together are for the same hosts: two where the name and one label
  /// below it are meant; none for whatever host.
  package var okHttpPatterns: [String] {
    guard let name else { return [] }
    return switch (includesName, subdomains) {
    case (_, .none): [name]
    case (true, .oneLabel): [name, "*." + name]
    case (false, .oneLabel): ["*." + name]
    case (_, .anyDepth): ["**." + name]
    }
  }

  /// A host that the entry is for, to check where none was named; nil if only a name below it is meant.
  public var representative: String? { includesName ? name : nil }
}

extension PinnedHosts: CustomStringConvertible {
  /// The pattern in the spelling of OkHttp where that can say it.
  public var description: String {
    guard let name else { return "every host" }
    return switch (includesName, subdomains) {
    case (_, .none): name
    case (false, .oneLabel): "*.\(name)"
    case (true, .oneLabel): "\(name) and *.\(name)"
    case (true, .anyDepth): "**.\(name)"
    case (false, .anyDepth): "any name below \(name)"
    }
  }
}
