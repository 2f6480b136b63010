// SPDX-License-Identifier: Apache-2.0

/// DNS names as certificates present them.
enum PresentedName {
  /// Whether octets are a DNS name by the preferred syntax of RFC 1034 3.5, with underscores, which do occur, and
  /// perhaps a wildcard as its whole left-most label.
  static func isHostName(_ octets: ArraySlice<UInt8>) -> Bool {
    let rest = octets.starts(with: "*.".utf8) ? octets.dropFirst(2) : octets
    guard !rest.isEmpty, octets.count <= 253 else { return false }
    return rest.split(separator: dot, omittingEmptySubsequences: false).allSatisfy(isLabel)
  }

  private static func isLabel(_ label: ArraySlice<UInt8>) -> Bool {
    guard 1...63 ~= label.count, label.first != hyphen, label.last != hyphen else { return false }
    return label.allSatisfy { octet in
      switch octet {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, hyphen, UInt8(ascii: "_"): true
      default: false
      }
    }
  }

  /// Letters of ASCII in lower case.
  static func lowercased(_ octets: some Sequence<UInt8>) -> [UInt8] {
    octets.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
  }

  private static let dot = UInt8(ascii: ".")
  private static let hyphen = UInt8(ascii: "-")
}

/// A mail address in two parts (RFC 5321 4.1.2): the local part is compared exactly, the host without letter case.
struct PresentedMailbox: Hashable {
  let localPart: [UInt8]
  let host: [UInt8]

  /// The parts; nil if there is not exactly one `@`, or nothing on one side of it. Quoted local parts with an `@` are
  /// not understood, which refuses them where constraints ask.
  init?(_ octets: ArraySlice<UInt8>) {
    let parts = octets.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, PresentedName.isHostName(parts[1]), parts[1].first != UInt8(ascii: "*")
    else { return nil }
    self.localPart = Array(parts[0])
    self.host = PresentedName.lowercased(parts[1])
  }
}

/// URIs as certificates present them (RFC 3986).
enum PresentedURI {
  /// Whether octets begin with a scheme and something follows.
  static func isAbsolute(_ octets: ArraySlice<UInt8>) -> Bool {
    guard let colon = octets.firstIndex(of: UInt8(ascii: ":")), colon > octets.startIndex, colon + 1 < octets.endIndex,
      let first = octets.first, 0x61...0x7A ~= first | 0x20
    else { return false }
    return octets[..<colon].allSatisfy { octet in
      switch octet {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
      default: false
      }
    }
  }

  /// The host in lower case, if the authority has one that is a name; nil for an address and for anything else, to
  /// which RFC 5280 4.2.1.10 says no constraint can be applied.
  static func host(_ octets: ArraySlice<UInt8>) -> [UInt8]? {
    guard isAbsolute(octets), let colon = octets.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let rest = octets[(colon + 1)...]
    guard rest.starts(with: "//".utf8) else { return nil }
    let ends: [UInt8] = [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")]
    var authority = rest.dropFirst(2).prefix { !ends.contains($0) }
    if let at = authority.lastIndex(of: UInt8(ascii: "@")) { authority = authority[(at + 1)...] }
    let host = authority.prefix { $0 != UInt8(ascii: ":") }
    guard PresentedName.isHostName(host), host.first != UInt8(ascii: "*"), IPAddressParser.ipv4(host) == nil else {
      return nil
    }
    return PresentedName.lowercased(host)
  }
}
