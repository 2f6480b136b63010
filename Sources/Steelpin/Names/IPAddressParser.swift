// SPDX-License-Identifier: Apache-2.0

/// IP addresses as text.
enum IPAddressParser {
  /// Four decimal numbers from 0 to 255 without leading zeros; nil for every other spelling.
  static func ipv4(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var octets: [UInt8] = []
    for part in parts {
      guard 1...3 ~= part.count, part.allSatisfy({ 0x30...0x39 ~= $0 }),
        part.count == 1 || part.first != UInt8(ascii: "0")
      else { return nil }
      let value = part.reduce(0) { $0 * 10 + Int($1 - 0x30) }
      guard let octet = UInt8(exactly: value) else { return nil }
      octets.append(octet)
    }
    return octets
  }

  /// An address of RFC 4291 2.2, perhaps in brackets, perhaps with a zone (RFC 4007), which is dropped.
  static func ipv6(_ text: some StringProtocol) throws(HostNameError) -> [UInt8] {
    var octets = Array(text.utf8)[...]
    if octets.first == UInt8(ascii: "[") {
      guard octets.last == UInt8(ascii: "]") else { throw HostNameError(.invalidIPv6, in: text) }
      octets = octets.dropFirst().dropLast()
    }
    if let percent = octets.firstIndex(of: UInt8(ascii: "%")) {
      guard percent + 1 < octets.endIndex else { throw HostNameError(.invalidIPv6, in: text) }
      octets = octets[..<percent]
    }
    guard let address = address(octets) else { throw HostNameError(.invalidIPv6, in: text) }
    return address
  }

  private static func address(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    let colon = UInt8(ascii: ":")
    var gap: Int?
    for index in text.indices.dropLast() where text[index] == colon && text[index + 1] == colon {
      // A third colon in a row, or a second gap, is an error.
      guard gap == nil else { return nil }
      gap = index
    }
    if let gap {
      guard let head = groups(text[..<gap], mayEndInIPv4: false),
        let tail = groups(text[(gap + 2)...], mayEndInIPv4: true),
        head.count + tail.count <= 14
      else { return nil }
      return head + [UInt8](repeating: 0, count: 16 - head.count - tail.count) + tail
    }
    guard let all = groups(text, mayEndInIPv4: true), all.count == 16 else { return nil }
    return all
  }

  private static func groups(_ text: ArraySlice<UInt8>, mayEndInIPv4: Bool) -> [UInt8]? {
    guard !text.isEmpty else { return [] }
    var octets: [UInt8] = []
    let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      if mayEndInIPv4, index == parts.count - 1, let tail = ipv4(part) {
        octets += tail
        continue
      }
      guard 1...4 ~= part.count, let value = UInt16(String(decoding: part, as: UTF8.self), radix: 16),
        part.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") })
      else { return nil }
      octets += [UInt8(value >> 8), UInt8(value & 0xFF)]
    }
    return octets.count <= 16 ? octets : nil
  }

  /// The text form of RFC 5952: lower case, no leading zeros, the longest run of two or more zero groups as `::`.
  static func text(ipv6 octets: [UInt8]) -> String {
    let groups = stride(from: 0, to: octets.count - 1, by: 2).map { UInt16(octets[$0]) << 8 | UInt16(octets[$0 + 1]) }
    var best = 0..<0
    var start = 0
    while start < groups.count {
      var end = start
      while end < groups.count, groups[end] == 0 { end += 1 }
      if end - start >= 2, end - start > best.count { best = start..<end }
      start = end + 1
    }
    func text(_ groups: ArraySlice<UInt16>) -> String {
      groups.map { String($0, radix: 16) }.joined(separator: ":")
    }
    guard !best.isEmpty else { return text(groups[...]) }
    return text(groups[..<best.lowerBound]) + "::" + text(groups[best.upperBound...])
  }
}
