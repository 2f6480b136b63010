// SPDX-License-Identifier: Apache-2.0

/// Where to connect: a host, perhaps with port and scheme, parsed from what a person typed.
public struct Endpoint: Hashable, Sendable {
  /// The scheme in lower case, as in `https` or `smtp`; nil if none was given.
  public let scheme: String?
  /// The host in its normal form.
  public let host: HostName
  /// What a resolver is given: the host's normal form, for an IPv6 address with its zone.
  public let connectName: String
  /// The port; nil if none was given.
  public let port: UInt16?

  /// Parses `host`, `host:port`, `address`, `[v6]:port`, or a URL, of which path, query and fragment are dropped.
  ///
  /// Throws ``HostNameError`` if there is no valid host in it, a user name, or a port outside 1 to 65535.
  public init(_ text: some StringProtocol) throws(HostNameError) {
    var rest = text[...]
    var scheme: String?
    if let separator = rest.firstRange(of: "://") {
      scheme = rest[..<separator.lowerBound].lowercased()
      rest = rest[separator.upperBound...]
      rest = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    }
    guard !rest.utf8.contains(UInt8(ascii: "@")) else { throw HostNameError(.userInformation, in: text) }
    let (hostText, portText) = try Self.split(rest, text)
    if let portText {
      guard portText.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let port = UInt16(portText), port > 0 else {
        throw HostNameError(.invalidPort, in: text)
      }
      self.port = port
    } else {
      self.port = nil
    }
    self.scheme = scheme
    self.host = try HostName(hostText)
    let zone = host.isIPAddress ? hostText.drop { $0 != "%" }.prefix { $0 != "]" } : ""
    self.connectName = host.description + zone
  }

  /// Separates host and port; a bare IPv6 address has more than one colon and no port.
  private static func split<Text: StringProtocol>(
    _ rest: Text.SubSequence, _ whole: Text
  ) throws(HostNameError) -> (host: Text.SubSequence, port: Text.SubSequence?) {
    if rest.first == "[" {
      guard let bracket = rest.firstIndex(of: "]") else { throw HostNameError(.invalidIPv6, in: whole) }
      let after = rest[rest.index(after: bracket)...]
      let host = rest[...bracket]
      if after.isEmpty { return (host, nil) }
      guard after.first == ":" else { throw HostNameError(.invalidPort, in: whole) }
      return (host, after.dropFirst())
    }
    guard let colon = rest.firstIndex(of: ":"), rest[colon...].dropFirst().firstIndex(of: ":") == nil else {
      return (rest, nil)
    }
    return (rest[..<colon], rest[colon...].dropFirst())
  }
}
