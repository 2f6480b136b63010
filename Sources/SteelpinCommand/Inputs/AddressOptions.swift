// SPDX-License-Identifier: Apache-2.0
internal import Steelpin

/// The options that say where to connect in place of what a target says, as curl defines them.
struct AddressOptions: Sendable, Hashable {
  /// `--connect-to HOST1:PORT1:HOST2:PORT2`; an empty part is nil, and matches all or changes nothing.
  struct Redirection: Sendable, Hashable {
    let host: HostName?
    let port: UInt16?
    let newHost: Endpoint?
    let newPort: UInt16?
  }

  /// `--resolve HOST:PORT:ADDRESS[,ADDRESS]…`.
  struct Resolution: Sendable, Hashable {
    let host: HostName
    let port: UInt16
    let addresses: [HostName]
  }

  let redirections: [Redirection]
  let resolutions: [Resolution]

  init(_ arguments: ParsedArguments) throws(CommandError) {
    var redirections: [Redirection] = []
    for text in arguments.values(.connectTo) { redirections.append(try Self.redirection(text)) }
    var resolutions: [Resolution] = []
    for text in arguments.values(.resolve) { resolutions.append(try Self.resolution(text)) }
    self.redirections = redirections
    self.resolutions = resolutions
  }

  /// The host and port to connect to in place of these: those of the first redirection that matches.
  func destination(of endpoint: Endpoint, port: UInt16) -> (endpoint: Endpoint, port: UInt16) {
    for rule in redirections where rule.host.map({ $0 == endpoint.host }) ?? true && rule.port ?? port == port {
      return (rule.newHost ?? endpoint, rule.newPort ?? port)
    }
    return (endpoint, port)
  }

  /// The addresses that were given for a host and port; nil if the resolver has to be asked.
  func addresses(of host: HostName, port: UInt16) -> [HostName]? {
    resolutions.last { $0.host == host && $0.port == port }?.addresses
  }

  private static func redirection(_ text: String) throws(CommandError) -> Redirection {
    let parts = fields(text)
    guard parts.count == 4 else {
      throw .usage(
        "--connect-to '\(text)' has \(parts.count) parts, not four",
        hint: "write HOST1:PORT1:HOST2:PORT2 with IPv6 addresses in brackets; parts may be empty")
    }
    return Redirection(
      host: parts[0].isEmpty ? nil : try endpoint(parts[0], .connectTo).host,
      port: parts[1].isEmpty ? nil : try port(parts[1], .connectTo, text),
      newHost: parts[2].isEmpty ? nil : try endpoint(parts[2], .connectTo),
      newPort: parts[3].isEmpty ? nil : try port(parts[3], .connectTo, text))
  }

  private static func resolution(_ text: String) throws(CommandError) -> Resolution {
    let parts = fields(text)
    guard parts.count >= 3 else {
      throw .usage("--resolve '\(text)' has \(parts.count) parts, not three", hint: "write HOST:PORT:ADDRESS")
    }
    // curl takes an IPv6 address without brackets here, since nothing follows it.
    let list = parts[2...].joined(separator: ":")
    var addresses: [HostName] = []
    for part in list.split(separator: ",", omittingEmptySubsequences: false) {
      let address = try endpoint(String(part), .resolve).host
      guard address.isIPAddress else {
        throw .usage(
          "--resolve '\(text)': '\(part)' is not an IP address", hint: "for another host name use --connect-to")
      }
      addresses.append(address)
    }
    return Resolution(
      host: try endpoint(parts[0], .resolve).host, port: try port(parts[1], .resolve, text), addresses: addresses)
  }

  /// The parts between colons that are not in brackets.
  private static func fields(_ text: String) -> [String] {
    var parts = [""]
    var isInBrackets = false
    for character in text {
      if character == "[" { isInBrackets = true }
      if character == "]" { isInBrackets = false }
      if character == ":", !isInBrackets {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return parts
  }

  private static func endpoint(_ text: String, _ option: Option) throws(CommandError) -> Endpoint {
    do throws(HostNameError) {
      return try Endpoint(text)
    } catch {
      throw CommandError(.usage, code: "host-malformed", "--\(option.name): \(error)")
    }
  }

  private static func port(_ text: String, _ option: Option, _ whole: String) throws(CommandError) -> UInt16 {
    guard text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let port = UInt16(text), port > 0 else {
      throw .usage("--\(option.name) '\(whole)': '\(text)' is not a port from 1 to 65535")
    }
    return port
  }
}
