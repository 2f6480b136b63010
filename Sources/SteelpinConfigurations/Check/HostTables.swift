// SPDX-License-Identifier: Apache-2.0
public import Steelpin

extension PinConfiguration {
  /// The table that demands of each host what the configuration's system does, under the rules of its own format.
  ///
  /// It holds for the port, and pins are in force in it if they are at the moment of the context. An address that no
  /// entry names is an unknown host, also where the format excepts addresses. Throws
  /// ``ConfigurationError`` if the configuration has errors, or demands what a table cannot say: pins of another digest
  /// than SHA-256, keys that are forbidden.
  public func hostTable(port: UInt16 = 443, in context: PlatformContext) throws(ConfigurationError) -> HostTable {
    let start = SourcePosition(file: file, line: 1, column: 1)
    guard let format = PinConfigurationFormats.named(format) else {
      throw ConfigurationError(.formatUnknown, at: start, "there is no format '\(self.format)'")
    }
    if let error = obstacle {
      throw ConfigurationError(.valueInvalid, at: error.position, error.message, hint: error.hint)
    }
    for entry in entries { try entry.checkTable(start) }
    func rule(_ name: String) throws(ConfigurationError) -> HostTable.Rule {
      let host: HostName
      do throws(HostNameError) {
        host = try HostName(name)
      } catch {
        throw ConfigurationError(.valueInvalid, at: start, "no host can be named below '\(name)': \(error)")
      }
      return format.requirement(of: self, for: host, port: port, chain: [], in: context).rule
    }
    // The labels stand for any: no entry names them, so the rule of such a host is that of all like it.
    let label = freshLabel
    var table = HostTable(unknownHost: try rule("\(label).invalid"))
    for entry in entries {
      guard let name = entry.pattern.name, let base = try? HostName(name) else { continue }
      table.rules[Steelpin.HostPattern(base)] = try rule(name)
      guard entry.pattern.subdomains != .none, !base.isIPAddress else { continue }
      if let pattern = Steelpin.HostPattern(.oneLabel, base) { table.rules[pattern] = try rule("\(label).\(name)") }
      guard entry.pattern.subdomains == .anyDepth, let pattern = Steelpin.HostPattern(.anyDepth, base) else { continue }
      table.rules[pattern] = try rule("\(label).\(label).\(name)")
    }
    return table
  }

  /// A label that is in no name of the configuration.
  private var freshLabel: String {
    let names = entries.compactMap(\.pattern.name)
    var label = "any"
    while names.contains(where: { $0.contains(label) }) { label += "x" }
    return label
  }
}

extension HostEntry {
  fileprivate func checkTable(_ start: SourcePosition) throws(ConfigurationError) {
    if let key = forbidden.first {
      throw ConfigurationError(
        .valueInvalid, at: key.position ?? start, "a host table cannot forbid keys",
        hint: "check such a configuration with 'steelpin check --config'")
    }
    for pin in pins where pin.pin == nil {
      throw ConfigurationError(
        .valueInvalid, at: pin.position ?? start, "a host table has no pin like '\(pin.text)'",
        hint: "pin the SHA-256 of the public key; 'steelpin pin show HOST' prints it")
    }
  }
}

extension HostRequirement {
  /// One group of policies has to accept, all of it.
  fileprivate var rule: HostTable.Rule {
    guard kind != .blocked, !alternatives.isEmpty else { return .deny }
    let groups = alternatives.map { group in
      let parts = group.map { policy in
        // Certificates are judged when they come, not when the table was made.
        var policy = policy
        policy.time = nil
        return CompositePolicy.policy(policy)
      }
      return parts.count == 1 ? parts[0] : .all(parts)
    }
    return .demand(groups.count == 1 ? groups[0] : .any(groups))
  }
}
