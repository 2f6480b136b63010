// SPDX-License-Identifier: Apache-2.0
internal import Steelpin

/// What a configuration demands of the pins of one server, apart from how it is written.
struct PinDemand: Hashable {
  /// One pin of a set, at one place of the path.
  struct Term: Hashable {
    let scope: TrustPolicy.PinScope
    let pins: Set<Pin>
  }

  /// Whether nothing can meet it.
  let isBlocked: Bool
  /// One of these must be met, each of them with all its terms; one without terms asks for no pin.
  let alternatives: Set<Set<Term>>

  /// The demand of a configuration under the rules of its own format, before any of its pins expires.
  init(_ configuration: PinConfiguration, _ format: any PinConfigurationFormat, _ host: HostName, port: UInt16) {
    if format.name == "tlsa" {
      let records = configuration.entries.filter { $0.pattern.matches(host.description) && $0.port == port }
      self.isBlocked = false
      self.alternatives = Self.alternatives(of: records.flatMap(\.pins))
      return
    }
    let requirement = format.requirement(of: configuration, for: host, port: port, chain: [], in: Self.context)
    self.isBlocked = requirement.kind == .blocked
    let groups = requirement.kind == .reportOnly ? [[]] : requirement.alternatives
    self.alternatives = Self.joined(
      groups.map { group in
        Set(
          group.compactMap { policy in
            guard case .pins(let set, let scope) = policy.pinning else { return nil }
            return Term(scope: scope, pins: Set(set.pins))
          })
      })
  }

  /// Records of DANE are alternatives, whatever their usage asks of the rest of the chain.
  private static func alternatives(of records: [ConfiguredPin]) -> Set<Set<Term>> {
    let groups = [TrustPolicy.PinScope.issuers, .leaf].compactMap { scope -> Set<Term>? in
      let own = records.filter { ($0.usage == .pkixEE || $0.usage == .daneEE) == (scope == .leaf) }.compactMap(\.pin)
      return own.isEmpty ? nil : [Term(scope: scope, pins: Set(own))]
    }
    return groups.isEmpty ? [[]] : Set(groups)
  }

  /// The platform has no part in which pins are demanded.
  private static let context = PlatformContext(
    anchors: .only(AnchorSet([])), anchorCertificates: [], time: Timestamp(secondsSince1970: 0))

  /// Single terms of one scope are one; beside an alternative without pins no other counts.
  private static func joined(_ groups: [Set<Term>]) -> Set<Set<Term>> {
    if groups.contains([]) { return [[]] }
    var single: [TrustPolicy.PinScope: Set<Pin>] = [:]
    var others: Set<Set<Term>> = []
    for group in groups {
      if group.count == 1, let term = group.first {
        single[term.scope, default: []].formUnion(term.pins)
      } else {
        others.insert(group)
      }
    }
    return others.union(single.map { [Term(scope: $0.key, pins: $0.value)] })
  }

  /// Every pin that can be part of meeting it.
  var pins: Set<Pin> { alternatives.reduce(into: []) { for term in $1 { $0.formUnion(term.pins) } } }

  /// How it is put together, apart from the pins: the scopes of each alternative.
  var shape: Set<[TrustPolicy.PinScope]> {
    Set(alternatives.map { $0.map(\.scope).sorted { $0.rawValue < $1.rawValue } })
  }

  /// Whether more than one pin must be met at once.
  var isConjunction: Bool { alternatives.contains { $0.count > 1 } }
}

extension PinDemand: CustomStringConvertible {
  /// The demand in words, as in `a leaf pin and an issuer pin`.
  var description: String {
    if isBlocked { return "what nothing meets" }
    let groups = shape.map { scopes in
      scopes.isEmpty
        ? "no pin"
        : scopes.map { [.any: "a pin", .issuers: "an issuer pin", .leaf: "a leaf pin"][$0] ?? "" }
          .joined(separator: " and ")
    }
    return groups.sorted().joined(separator: " or ")
  }
}

/// Where a configuration and what was written of it do not demand the same pins. What each format can say is compared
/// word by word elsewhere; this looks at what comes of it, since formats also differ in which entries count and in
/// whether lists of pins are alternatives.
struct DemandComparison {
  private let before: Side
  private let after: Side
  /// The entries of which it was said already that their pins change.
  private let explained: Set<Int>
  /// Whether the hosts that are not the configuration's come from no other one.
  private let isAlone: Bool

  init(_ before: PinConfiguration, _ after: PinConfiguration, explained: Set<Int>, isAlone: Bool) {
    self.before = Side(before)
    self.after = Side(after)
    self.explained = explained
    self.isAlone = isAlone
  }

  /// What differs, once for all hosts where the same differs.
  func losses() -> [ConversionLoss] {
    var losses: [ConversionLoss] = []
    var seen = Set<[String]>()
    for (name, port) in hosts {
      guard let host = try? HostName(name) else { continue }
      let candidates = before.index.candidates(for: name)
      let isNamed = candidates.contains { before.configuration.entries[$0].pattern.matches(name) }
      guard isAlone || isNamed else { continue }
      let (old, new) = (before.demand(host, port), after.demand(host, port))
      guard let difference = difference(old, new, candidates.contains(where: explained.contains)) else { continue }
      let entry = candidates.last.map { before.configuration.entries[$0] }
      guard seen.insert([difference, entry?.text ?? name]).inserted else { continue }
      losses.append(
        ConversionLoss(code: .hostDemand, position: entry?.position, message: "'\(name)' \(difference)"))
    }
    return losses
  }

  private func difference(_ old: PinDemand, _ new: PinDemand, _ isExplained: Bool) -> String? {
    guard old != new else { return nil }
    if isExplained, !old.isConjunction, !new.isConjunction { return nil }
    if old.isBlocked != new.isBlocked || old.shape != new.shape { return "demands \(old), and would demand \(new)" }
    let (lost, gained) = (old.pins.subtracting(new.pins), new.pins.subtracting(old.pins))
    if !gained.isEmpty { return "would be met by \(Self.list(gained)) too" }
    if !lost.isEmpty { return "would no longer be met by \(Self.list(lost))" }
    return "would demand the same pins at other places of the path"
  }

  private static func list(_ pins: Set<Pin>) -> String { pins.map(\.description).sorted().joined(separator: ", ") }

  /// One host of every kind that an entry of either side tells apart: the name, one label below it and two.
  private var hosts: [(name: String, port: UInt16)] {
    var seen = Set<String>()
    var hosts: [(name: String, port: UInt16)] = []
    for entry in before.configuration.entries + after.configuration.entries {
      guard let name = entry.pattern.name else { continue }
      let names = entry.pattern.subdomains == .none ? [name] : [name, "any.\(name)", "any.any.\(name)"]
      let port = entry.port ?? 443
      for name in names where seen.insert("\(name):\(port)").inserted { hosts.append((name, port)) }
    }
    return hosts
  }

  private struct Side {
    let configuration: PinConfiguration
    let format: (any PinConfigurationFormat)?
    let index: EntryIndex

    init(_ configuration: PinConfiguration) {
      self.configuration = configuration
      self.format = PinConfigurationFormats.named(configuration.format)
      self.index = EntryIndex(configuration.entries)
    }

    /// The demand at a host, looked up among the entries that can be for it.
    func demand(_ host: HostName, _ port: UInt16) -> PinDemand {
      var own = configuration
      own.entries = index.candidates(for: host.description).map { configuration.entries[$0] }
      return PinDemand(own, format ?? SteelpinFormat(), host, port: port)
    }
  }
}
