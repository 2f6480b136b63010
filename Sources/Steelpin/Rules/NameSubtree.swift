// SPDX-License-Identifier: Apache-2.0

/// The kinds of names that constraints tell apart; of other names each type is a kind of its own.
enum NameKind: Hashable {
  case directory
  case dns
  case email
  case ip
  case other(UInt8)
  case otherName(OID)
  case uri

  init(_ name: GeneralName) {
    self =
      switch name {
      case .directory: .directory
      case .dns: .dns
      case .email: .email
      case .ip: .ip
      case .other(let tag, _): .other(tag)
      case .otherName(let type, _): .otherName(type)
      case .uri: .uri
      }
  }
}

/// A name in the form in which it is compared with subtrees.
struct PreparedName {
  enum Value {
    case address([UInt8])
    case directory(NameKey)
    case host([UInt8])
    case mailbox(PresentedMailbox)
    /// A name that no subtree can be compared with: it is malformed, or of a kind that is not understood.
    case incomparable
  }

  let kind: NameKind
  let value: Value

  init(_ name: GeneralName) {
    self.kind = NameKind(name)
    switch name {
    case .directory(let name):
      let key = NameKey(name)
      self.value = key.isPrepared ? .directory(key) : .incomparable
    case .dns(let octets):
      self.value = PresentedName.isHostName(octets) ? .host(PresentedName.lowercased(octets)) : .incomparable
    case .email(let octets): self.value = PresentedMailbox(octets).map { .mailbox($0) } ?? .incomparable
    case .ip(let octets): self.value = .address(Array(octets))
    case .uri(let octets): self.value = PresentedURI.host(octets).map { .host($0) } ?? .incomparable
    case .other, .otherName: self.value = .incomparable
    }
  }
}

/// One subtree of name constraints (RFC 5280 4.2.1.10), in the form in which names are compared with it.
struct PreparedSubtree {
  private enum Base {
    case directory(NameKey)
    /// A domain with all names below it.
    case domainAndBelow([UInt8])
    /// Only the names below a domain.
    case domainBelow([UInt8])
    /// One host.
    case host([UInt8])
    case mailbox(PresentedMailbox)
    case network(address: [UInt8], mask: [UInt8])
    /// A base that cannot be read, or of a kind that is not understood.
    case unreadable
  }

  let kind: NameKind
  private let base: Base

  init(_ name: GeneralName) {
    self.kind = NameKind(name)
    switch name {
    case .directory(let name):
      let key = NameKey(name)
      self.base = key.isPrepared ? .directory(key) : .unreadable
    case .dns(let octets):
      // RFC 5280 knows no leading dot here; profiles that accept one take it as OpenSSL and browsers do.
      let domain = PresentedName.lowercased(octets)
      self.base = domain.first == dot ? .domainBelow(Array(domain.dropFirst())) : .domainAndBelow(domain)
    case .email(let octets):
      if octets.contains(UInt8(ascii: "@")) {
        self.base = Self.literalMailbox(octets).map { .mailbox($0) } ?? .unreadable
      } else {
        self.base = Self.hostOrBelow(octets)
      }
    case .ip(let octets):
      let half = octets.count / 2
      self.base = .network(address: Array(octets.prefix(half)), mask: Array(octets.suffix(half)))
    case .uri(let octets): self.base = Self.hostOrBelow(octets)
    case .other, .otherName: self.base = .unreadable
    }
  }

  /// Whether a name of the same kind lies in the subtree for certain, which is what permitting needs.
  func contains(_ name: PreparedName) -> Bool {
    switch (base, name.value) {
    case (.directory(let base), .directory(let name)): name.isWithinSubtree(of: base)
    case (.domainAndBelow(let domain), .host(let host)):
      domain.isEmpty || host == domain || Self.isBelow(host[...], domain)
    case (.domainBelow(let domain), .host(let host)): Self.isBelow(host[...], domain)
    case (.host(let base), .host(let host)): host == base
    case (.host(let base), .mailbox(let mailbox)): mailbox.host == base
    case (.domainBelow(let domain), .mailbox(let mailbox)): Self.isBelow(mailbox.host[...], domain)
    case (.mailbox(let base), .mailbox(let mailbox)): mailbox == base
    case (.network(let network, let mask), .address(let address)):
      address.count == network.count
        && zip(address, zip(network, mask)).allSatisfy { ($0 ^ $1.0) & $1.1 == 0 }
    default: false
    }
  }

  /// Whether a name of the same kind may lie in the subtree, which is what excluding needs: a name or subtree that
  /// cannot be read may lie anywhere, and a wildcard stands for every label.
  func mightContain(_ name: PreparedName) -> Bool {
    if case .unreadable = base { return true }
    if case .incomparable = name.value { return true }
    if contains(name) { return true }
    guard kind == .dns, case .host(let host) = name.value, host.starts(with: "*.".utf8),
      case .domainAndBelow(let domain) = base, let first = domain.firstIndex(of: dot)
    else { return false }
    return host.dropFirst(2).elementsEqual(domain[(first + 1)...])
  }

  private static func isBelow(_ host: ArraySlice<UInt8>, _ domain: [UInt8]) -> Bool {
    guard host.count > domain.count + 1, host.suffix(domain.count).elementsEqual(domain) else { return domain.isEmpty }
    return host[host.endIndex - domain.count - 1] == dot
  }

  /// Mail and URI constraints: a host, or with a leading dot all hosts below a domain.
  private static func hostOrBelow(_ octets: ArraySlice<UInt8>) -> Base {
    let text = PresentedName.lowercased(octets)
    return text.first == dot ? .domainBelow(Array(text.dropFirst())) : .host(text)
  }

  private static func literalMailbox(_ octets: ArraySlice<UInt8>) -> PresentedMailbox? { PresentedMailbox(octets) }
}

private let dot = UInt8(ascii: ".")

extension NameConstraints {
  /// What is wrong with the form of a subtree; nil if nothing is.
  func formFault(allowsLeadingDot: Bool) -> String? {
    for name in permitted + excluded {
      switch name {
      case .dns(let octets)
      where !octets.isEmpty && !Self.isDomain(allowsLeadingDot && octets.first == dot ? octets.dropFirst() : octets):
        return "a dNSName is no domain"
      case .ip(let octets) where octets.count != 8 && octets.count != 32:
        return "an iPAddress is no address with its mask"
      case .email(let octets) where !Self.isMailboxOrHost(octets): return "an rfc822Name is no mailbox, host or domain"
      case .ip(let octets) where !Self.hasPrefixMask(octets): return "the mask of an iPAddress has gaps"
      case .uri(let octets) where !Self.isDomain(octets.first == dot ? octets.dropFirst() : octets):
        return "a uniformResourceIdentifier is no host or domain"
      default: continue
      }
    }
    return nil
  }

  private static func isDomain(_ octets: ArraySlice<UInt8>) -> Bool {
    octets.first != UInt8(ascii: "*") && PresentedName.isHostName(octets)
  }

  private static func isMailboxOrHost(_ octets: ArraySlice<UInt8>) -> Bool {
    if octets.contains(UInt8(ascii: "@")) { return PresentedMailbox(octets) != nil }
    return octets.isEmpty || isDomain(octets.first == dot ? octets.dropFirst() : octets)
  }

  /// RFC 4632: the mask is a run of ones, then zeros.
  private static func hasPrefixMask(_ octets: ArraySlice<UInt8>) -> Bool {
    let mask = octets.suffix(octets.count / 2)
    let rest = mask.drop { $0 == 0xFF }
    guard let edge = rest.first else { return true }
    return rest.dropFirst().allSatisfy { $0 == 0 } && (~edge & (~edge &+ 1)) == 0
  }
}
