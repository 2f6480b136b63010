// SPDX-License-Identifier: Apache-2.0
internal import Steelpin

/// Other hosts and addresses to connect to than those that the resolver gives, as curl's `--connect-to` and `--resolve`.
/// They change where the connection goes, never the name that is sent or judged.
public struct AddressOverrides: Sendable, Hashable {
  private struct Redirection: Sendable, Hashable {
    /// nil stands for any.
    let host: String?
    let port: UInt16?
    let toHost: String?
    let toPort: UInt16?
  }

  private struct Resolution: Sendable, Hashable {
    /// nil stands for any.
    let host: String?
    let port: UInt16
    let addresses: [String]
  }

  private var redirections: [Redirection] = []
  private var resolutions: [Resolution] = []

  /// No overrides.
  public init() {}

  /// Adds `HOST1:PORT1:HOST2:PORT2`: a connection to the first goes to the second. An empty field of the first pair
  /// stands for any, of the second for no change. IPv6 addresses are in brackets.
  ///
  /// Throws ``AddressOverrideError`` if the text is not that.
  public mutating func addConnectTo(_ text: String) throws(AddressOverrideError) {
    let fields = Self.fields(text)
    guard fields.count == 4 else { throw AddressOverrideError(text: text, form: "HOST1:PORT1:HOST2:PORT2") }
    let form = "HOST1:PORT1:HOST2:PORT2"
    let hosts = try [fields[0], fields[2]].map { (field) throws(AddressOverrideError) in
      try Self.host(field, of: text, form: form)
    }
    let ports = try [fields[1], fields[3]].map { (field) throws(AddressOverrideError) in
      try Self.port(field, of: text, form: form)
    }
    redirections.append(
      Redirection(
        host: hosts[0]?.host.description, port: ports[0], toHost: hosts[1]?.connectName, toPort: ports[1]))
  }

  /// Adds `HOST:PORT:ADDRESS[,ADDRESS]…`: the host's addresses for that port. A host of `*` stands for any.
  ///
  /// Throws ``AddressOverrideError`` if the text is not that.
  public mutating func addResolve(_ text: String) throws(AddressOverrideError) {
    let form = "HOST:PORT:ADDRESS[,ADDRESS]"
    let fields = Self.fields(text.hasPrefix("+") ? String(text.dropFirst()) : text, limit: 3)
    guard fields.count == 3, let port = try Self.port(fields[1], of: text, form: form), !fields[0].isEmpty else {
      throw AddressOverrideError(text: text, form: form)
    }
    let host = fields[0] == "*" ? nil : try Self.host(fields[0], of: text, form: form)
    let addresses = fields[2].split(separator: ",", omittingEmptySubsequences: false).map { address in
      address.hasPrefix("[") && address.hasSuffix("]") ? String(address.dropFirst().dropLast()) : String(address)
    }
    for address in addresses {
      guard let host = try? HostName(address), host.isIPAddress else {
        throw AddressOverrideError(text: text, form: form)
      }
    }
    resolutions.append(Resolution(host: host?.host.description, port: port, addresses: addresses))
  }

  /// Where a connection to a host and port goes.
  func destination(_ host: String, _ port: UInt16) -> (host: String, port: UInt16, addresses: [String]?) {
    var (host, port) = (host, port)
    // The first that matches counts, as in curl.
    if let redirection = redirections.first(where: {
      ($0.host == nil || $0.host == host) && ($0.port == nil || $0.port == port)
    }) {
      host = redirection.toHost ?? host
      port = redirection.toPort ?? port
    }
    let resolution =
      resolutions.first { $0.host == host && $0.port == port }
      ?? resolutions.first { $0.host == nil && $0.port == port }
    return (host, port, resolution?.addresses)
  }

  private static func host(_ field: String, of text: String, form: String) throws(AddressOverrideError) -> Endpoint? {
    guard !field.isEmpty else { return nil }
    guard let endpoint = try? Endpoint(field), endpoint.port == nil, endpoint.scheme == nil else {
      throw AddressOverrideError(text: text, form: form)
    }
    return endpoint
  }

  /// Splits at colons outside of brackets; the last of `limit` fields takes the rest.
  private static func fields(_ text: String, limit: Int = .max) -> [String] {
    var fields = [""]
    var isInBrackets = false
    for character in text {
      if fields.count < limit {
        if character == "[" { isInBrackets = true }
        if character == "]" { isInBrackets = false }
        if character == ":", !isInBrackets {
          fields.append("")
          continue
        }
      }
      fields[fields.count - 1].append(character)
    }
    return fields.enumerated().map { index, field in
      field.hasPrefix("[") && field.hasSuffix("]") && index + 1 != limit ? String(field.dropFirst().dropLast()) : field
    }
  }

  private static func port(
    _ field: String, of text: String, form: String
  ) throws(AddressOverrideError) -> UInt16? {
    guard !field.isEmpty else { return nil }
    guard field.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let port = UInt16(field), port > 0 else {
      throw AddressOverrideError(text: text, form: form)
    }
    return port
  }
}

/// Text that is no override of an address.
public struct AddressOverrideError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The text that was given.
  public let text: String
  /// What it should look like.
  public let form: String

  /// What is wrong.
  public var description: String { "'\(text)' is not of the form \(form)" }
}
