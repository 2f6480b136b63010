// SPDX-License-Identifier: Apache-2.0

/// Compares a reference identity with the identities that a certificate presents: RFC 9525 section 6 with the stricter
/// choices of Apple's SSL policy. Only subjectAltName counts; a common name never does.
package enum HostNameMatcher {
  /// Whether any of the names presents the host.
  package static func matches(_ host: HostName, _ names: [GeneralName]) -> Bool {
    names.contains { name in
      #if STEELPIN_MUTATIONS
        if Mutation.addressAsName.isOn, case .dns(let text) = name, "\(host)".utf8.elementsEqual(text) { return true }
      #endif
      return switch (host, name) {
      case (.dns(let reference), .dns(let presented)): matches(reference.octets, presented)
      case (.ipv4(let address), .ip(let presented)), (.ipv6(let address), .ip(let presented)):
        presented.elementsEqual(address)
      default: false
      }
    }
  }

  /// Compares a reference name in normal form with a dNSName, octet by octet, letter case aside.
  ///
  /// A wildcard is the whole left-most label, stands for exactly one label, and has at least two labels after it that
  /// are not together a public suffix.
  package static func matches(_ reference: [UInt8], _ presented: ArraySlice<UInt8>) -> Bool {
    guard presented.starts(with: wildcard) else { return equal(reference[...], presented) }
    let parent = presented.dropFirst(2)
    #if STEELPIN_MUTATIONS
      if Mutation.wildcardLabels.isOn { return reference.suffix(parent.count).elementsEqual(parent) }
    #endif
    guard let dot = reference.firstIndex(of: UInt8(ascii: ".")), dot > 0, equal(reference[(dot + 1)...], parent) else {
      return false
    }
    #if STEELPIN_MUTATIONS
      if Mutation.wildcardSuffix.isOn { return true }
    #endif
    // The parent equals a part of the reference name here, so it has no wildcard, no empty label and only ASCII.
    return !PublicSuffix.contains(reference[(dot + 1)...])
  }

  private static func equal(_ reference: ArraySlice<UInt8>, _ presented: ArraySlice<UInt8>) -> Bool {
    #if STEELPIN_MUTATIONS
      if Mutation.caseMatters.isOn { return reference.elementsEqual(presented) }
    #endif
    return reference.count == presented.count
      && zip(reference, presented).allSatisfy { $0 == (0x41...0x5A ~= $1 ? $1 | 0x20 : $1) }
  }

  private static let wildcard = Array("*.".utf8)
}
