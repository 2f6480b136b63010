// SPDX-License-Identifier: Apache-2.0

extension PinConfiguration {
  /// The entries such that the one whose pattern is the most specific says all that is demanded of a host: where every
  /// entry that is for a host counts (OkHttp, NSPinnedDomains), each takes over the pins of those that are for all its
  /// hosts.
  var withInheritedPins: PinConfiguration {
    guard PinConfigurationFormats.named(format)?.capabilities.unitesEntries == true else { return self }
    let index = EntryIndex(entries)
    var result = self
    for (position, entry) in entries.enumerated() {
      for other in index.candidates(for: entry.pattern.name) where other != position {
        guard entries[other].pattern.covers(entry.pattern) else { continue }
        result.entries[position].unite(entries[other])
      }
    }
    return result
  }

  /// The entries with those for the same hosts and port put together, in the order in which they first stand.
  static func merged(_ entries: [HostEntry]) -> [HostEntry] {
    struct Key: Hashable {
      let pattern: PinnedHosts
      let port: UInt16?
    }
    var places: [Key: Int] = [:]
    var merged: [HostEntry] = []
    for entry in entries {
      let key = Key(pattern: entry.pattern, port: entry.port)
      if let place = places[key], entry.pattern.name != nil {
        merged[place].unite(entry)
        merged[place].isExcluded = merged[place].isExcluded && entry.isExcluded
      } else {
        places[key] = merged.count
        merged.append(entry)
      }
    }
    return merged
  }
}

extension HostEntry {
  /// Takes over the pins and keys of another entry, each once, and what this one does not say itself.
  fileprivate mutating func unite(_ other: HostEntry) {
    for pin in other.pins where !pins.contains(where: { $0.isSame(as: pin) }) { pins.append(pin) }
    for key in other.forbidden where !forbidden.contains(where: { $0.isSame(as: key) }) { forbidden.append(key) }
    lists.formUnion(other.lists)
    if let end = other.expiry?.time, expiry?.time.map({ end < $0 }) ?? true { expiry = other.expiry }
    anchors = anchors ?? other.anchors
    profile = profile ?? other.profile
    for address in other.reportURIs where !reportURIs.contains(address) { reportURIs.append(address) }
  }
}

extension ConfiguredPin {
  fileprivate func isSame(as other: ConfiguredPin) -> Bool {
    value == other.value && scope == other.scope && usage == other.usage && value != .malformed
  }
}

/// Finds the entries of a configuration that can be for a host without a walk over all of them.
struct EntryIndex {
  private var places: [String: [Int]] = [:]
  private var nameless: [Int] = []

  init(_ entries: [HostEntry]) {
    for (place, entry) in entries.enumerated() {
      if let name = entry.pattern.name { places[name, default: []].append(place) } else { nameless.append(place) }
    }
  }

  /// The places of the entries for a name and for every name above it, and of those for every host, in ascending order.
  func candidates(for name: String?) -> [Int] {
    guard let name else { return nameless }
    var found = nameless
    var rest = name[...]
    while true {
      found += places[String(rest)] ?? []
      guard let dot = rest.firstIndex(of: ".") else { return found.sorted() }
      rest = rest[rest.index(after: dot)...]
    }
  }
}
