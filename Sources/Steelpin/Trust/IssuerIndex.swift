// SPDX-License-Identifier: Apache-2.0

/// The certificates that may be on a path, numbered, with those of one name in a group, so that a search compares
/// numbers. Anchors are numbered only when their name is asked for: a system has many, a path few.
struct IssuerIndex {
  /// All certificates that were met, the leaf first.
  private(set) var certificates: [Certificate] = []
  private var entries: [Entry] = []
  private var numbers = SmallMap<Certificate, Int>()
  private var groups = SmallMap<NameKey, [Int]>()
  private let pool: [Certificate]
  /// The pool by subject; empty if it is so small that looking through it is quicker.
  private let poolByName: [NameKey: [Certificate]]
  private let anchors: [AnchorSet]
  private let time: Timestamp

  private struct Entry {
    let isAnchor: Bool
    let isValidNow: Bool
    /// The number of the subject's group, -1 for a leaf whose name no issuer has.
    var group = -1
    /// The number of the public key in the group.
    var key = 0
  }

  init(leaf: Certificate, pool: some Sequence<Certificate>, anchors: [AnchorSet], time: Timestamp) {
    self.pool = Array(pool)
    self.poolByName = self.pool.count > 8 ? Dictionary(grouping: self.pool) { $0.contents.subjectKey } : [:]
    self.anchors = anchors
    self.time = time
    _ = number(leaf)
  }

  func index(of certificate: Certificate) -> Int? { numbers[certificate] }

  func isAnchor(_ index: Int) -> Bool { entries[index].isAnchor }

  /// Whether two certificates are for the same name and key.
  func isSameAuthority(_ one: Int, _ other: Int) -> Bool {
    one == other
      || entries[one].group == entries[other].group && entries[one].key == entries[other].key
        && entries[one].group >= 0
  }

  /// The certificates with the issuer's name, anchors first, each once.
  mutating func issuers(of index: Int) -> [Int] {
    let name = certificates[index].contents.issuerKey
    if let known = groups[name] { return known }
    let found = find(name)
    groups.insert(found, for: name)
    return found
  }

  /// Short paths first, among them those that are valid now, then those whose key identifiers agree, then anchors.
  func cost(of issuer: Int, issuing subject: Int) -> Int {
    var cost = entries[issuer].isValidNow ? 100 : 1100
    if let wanted = certificates[subject].decoded.authorityKeyIdentifier?.keyIdentifier,
      let found = certificates[issuer].decoded.subjectKeyIdentifier
    {
      cost += wanted == found ? 0 : 20
    } else {
      cost += 10
    }
    return entries[issuer].isAnchor ? cost : cost + 5
  }

  private mutating func find(_ name: NameKey) -> [Int] {
    let group = groups.count
    var found: [Int] = []
    for set in anchors { for certificate in set.certificates(named: name) { found.append(number(certificate)) } }
    if poolByName.isEmpty {
      for certificate in pool where certificate.contents.subjectKey == name { found.append(number(certificate)) }
    } else {
      found += (poolByName[name] ?? []).map { number($0) }
    }
    var seen = Set<Int>()
    if found.count > 1 { found = found.filter { seen.insert($0).inserted } }
    var members = found
    if certificates.first?.contents.subjectKey == name { members.append(0) }
    var keys: [PublicKeyInfo: Int] = [:]
    for index in members {
      entries[index].group = group
      guard members.count > 1 else { break }
      let key = certificates[index].publicKey
      entries[index].key = keys[key] ?? keys.count
      keys[key] = entries[index].key
    }
    return found
  }

  private mutating func number(_ certificate: Certificate) -> Int {
    if let known = numbers[certificate] { return known }
    let index = certificates.count
    numbers.insert(index, for: certificate)
    certificates.append(certificate)
    let validity = certificate.validity
    let isValidNow =
      validity.notBefore.map { $0 <= time } ?? false && validity.notAfter.map { time <= $0 } ?? false
    entries.append(Entry(isAnchor: anchors.contains { $0.contains(certificate) }, isValidNow: isValidNow))
    return index
  }
}
