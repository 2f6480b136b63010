// SPDX-License-Identifier: Apache-2.0

/// The reference identity of a server (RFC 9525 section 6.1): a DNS name or an IP address, in one normal form.
public enum HostName: Hashable, Sendable {
  /// A DNS name.
  case dns(DNSName)
  /// An IPv4 address, 4 octets.
  case ipv4([UInt8])
  /// An IPv6 address, 16 octets; a zone is no part of an identity.
  case ipv6([UInt8])

  /// Parses a name or an address without port or scheme, as a person types it.
  ///
  /// Letters become lower case, U-labels become A-labels (IDNA 2008), one trailing dot is dropped, an IPv6 address may
  /// stand in brackets and with a zone. Throws ``HostNameError`` for anything that could be read in two ways, such as
  /// `010.0.0.1`.
  public init(_ text: some StringProtocol) throws(HostNameError) {
    guard !text.isEmpty else { throw HostNameError(.empty, in: text) }
    if text.utf8.contains(UInt8(ascii: ":")) || text.first == "[" {
      self = .ipv6(try IPAddressParser.ipv6(text))
    } else if let octets = IPAddressParser.ipv4(Array(text.utf8)[...]) {
      self = .ipv4(octets)
    } else {
      self = .dns(try DNSName(text))
    }
  }

  /// Whether this is an address, which is never sent as a server name (RFC 6066 section 3).
  public var isIPAddress: Bool {
    if case .dns = self { false } else { true }
  }
}

extension HostName: CustomStringConvertible {
  /// The normal form: lower-case A-labels, dotted decimal, or IPv6 by RFC 5952 without brackets.
  public var description: String {
    switch self {
    case .dns(let name): name.text
    case .ipv4(let octets): octets.map(String.init).joined(separator: ".")
    case .ipv6(let octets): IPAddressParser.text(ipv6: octets)
    }
  }
}

extension HostName: Codable {
  /// Decodes the normal form.
  public init(from decoder: any Decoder) throws {
    self = try HostName(decoder.singleValueContainer().decode(String.self))
  }

  /// Encodes the normal form as one string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// A DNS name in A-labels and lower case, without trailing dot: labels of 1 to 63 octets, 253 together.
public struct DNSName: Hashable, Sendable {
  /// The ASCII octets of the name.
  package let octets: [UInt8]

  /// The name as text.
  public var text: String { String(decoding: octets, as: UTF8.self) }

  /// The domains above the name, the nearest first, down to a single label.
  package var parents: [DNSName] {
    octets.indices.filter { octets[$0] == UInt8(ascii: ".") }.map { DNSName(normal: Array(octets[($0 + 1)...])) }
  }

  /// A name whose octets are known to be in the normal form.
  private init(normal octets: [UInt8]) { self.octets = octets }

  init(_ text: some StringProtocol) throws(HostNameError) {
    var octets = Array(text.utf8)
    if octets.contains(where: { $0 >= 0x80 }) {
      guard let ascii = IDNA.toASCII(String(text)) else { throw HostNameError(.notIDNA, in: text) }
      octets = ascii
    }
    if octets.last == UInt8(ascii: ".") { octets.removeLast() }
    guard !octets.isEmpty else { throw HostNameError(.empty, in: text) }
    guard octets.count <= 253 else { throw HostNameError(.nameTooLong, in: text) }
    for index in octets.indices where 0x41...0x5A ~= octets[index] { octets[index] |= 0x20 }
    for label in octets.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) {
      try Self.check(label, of: text)
    }
    guard !Self.looksLikeIPv4(octets) else { throw HostNameError(.ambiguousAddress, in: text) }
    self.octets = octets
  }

  private static func check(_ label: ArraySlice<UInt8>, of text: some StringProtocol) throws(HostNameError) {
    guard let first = label.first, let last = label.last else { throw HostNameError(.emptyLabel, in: text) }
    guard label.count <= 63 else { throw HostNameError(.labelTooLong, in: text) }
    // An underscore is no host name by RFC 952, but such names exist and resolve.
    for octet in label {
      switch octet {
      case 0x61...0x7A, 0x30...0x39, UInt8(ascii: "-"), UInt8(ascii: "_"): continue
      default: throw HostNameError(.invalidCharacter(octet), in: text)
      }
    }
    guard first != UInt8(ascii: "-"), last != UInt8(ascii: "-") else { throw HostNameError(.hyphenAtEdge, in: text) }
  }

  /// Whether resolvers might read the name as an IPv4 address: its last label is a number, decimal or hexadecimal.
  private static func looksLikeIPv4(_ octets: [UInt8]) -> Bool {
    let last = octets.split(separator: UInt8(ascii: ".")).last ?? []
    if last.allSatisfy({ 0x30...0x39 ~= $0 }) { return true }
    guard last.starts(with: "0x".utf8) else { return false }
    return last.dropFirst(2).allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
  }
}

/// Why text is not a host name or address.
public struct HostNameError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Reason: Hashable, Sendable {
    case ambiguousAddress
    case empty
    case emptyLabel
    case hyphenAtEdge
    case invalidCharacter(UInt8)
    case invalidIPv6
    case invalidPort
    case labelTooLong
    case nameTooLong
    case notIDNA
    case userInformation
  }

  package let reason: Reason
  /// The text that was given.
  public let text: String

  init(_ reason: Reason, in text: some StringProtocol) {
    self.reason = reason
    self.text = String(text)
  }

  /// What is wrong, in words.
  public var description: String { "'\(printable)' \(reasonText)" }

  private var printable: String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? "?" : $0 }))
  }

  private var reasonText: String {
    switch reason {
    case .ambiguousAddress:
      "looks like an IPv4 address in an unusual spelling; write four decimal numbers without zeros in front"
    case .empty: "has no host name"
    case .emptyLabel: "has an empty label: a dot too many"
    case .hyphenAtEdge: "has a label that begins or ends with a hyphen"
    case .invalidCharacter(0x20): "has a space in the host name"
    case .invalidCharacter(let octet) where 0x21...0x7E ~= octet:
      "has the character '\(Character(Unicode.Scalar(octet)))', which no host name has"
    case .invalidCharacter(let octet): "has the byte 0x\(Hex.encode([octet])), which no host name has"
    case .invalidIPv6:
      if text.contains("://") {
        "is a URL, where only a host is wanted"
      } else if text.first != "[" && text.utf8.count(where: { $0 == UInt8(ascii: ":") }) == 1 || text.contains("]:") {
        "has a port, where only a host is wanted"
      } else {
        "is not an IPv6 address"
      }
    case .invalidPort: "has a port that is not a number from 1 to 65535"
    case .labelTooLong: "has a label of more than 63 characters"
    case .nameTooLong: "is longer than 253 characters"
    case .notIDNA: "is not an internationalised domain name (IDNA 2008)"
    case .userInformation: "has a user name before the host"
    }
  }
}
