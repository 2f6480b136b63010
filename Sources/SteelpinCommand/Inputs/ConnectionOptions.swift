// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinProbe

/// A server of the command line.
struct Target: Sendable {
  /// The operand as it was given.
  let text: String
  let endpoint: Endpoint
  let port: UInt16
  /// Whom the certificate must be for.
  let verifiedHost: HostName

  /// Host and port.
  var title: String {
    if case .ipv6 = endpoint.host { "[\(endpoint.connectName)]:\(port)" } else { "\(endpoint.connectName):\(port)" }
  }
}

/// How a command line wants servers to be reached.
struct ConnectionOptions: Sendable {
  private let probe: Probe
  private let verifyName: HostName?
  private let wantsAllAddresses: Bool

  init(_ invocation: Invocation) throws(CommandError) {
    let arguments = invocation.arguments
    var options = Probe.Options()
    options.serverName = try Self.serverName(arguments)
    options.timeout = try Self.timeout(arguments) ?? .seconds(10)
    options.overrides = try Self.overrides(arguments)
    options.clientIdentity = try Self.clientIdentity(invocation)
    self.probe = Probe(engine: try Self.engine(invocation), options: options)
    var verifyName: HostName?
    if let name = arguments.value(.verifyName) { verifyName = try HostOptions.host(name, .verifyName) }
    self.verifyName = verifyName
    self.wantsAllAddresses = arguments.has(.allAddresses)
  }

  /// The name of the library that performs handshakes.
  var engineName: String { probe.engine.name }

  /// Parses an operand.
  func target(_ text: String) throws(CommandError) -> Target {
    let endpoint: Endpoint
    do throws(HostNameError) {
      endpoint = try Endpoint(text)
    } catch {
      throw CommandError(
        .usage, code: "host-malformed", "\(error)", hint: "a target is host, host:port, [v6]:port or a URL")
    }
    if let scheme = endpoint.scheme, !["https", "tls", "wss"].contains(scheme) {
      throw .usage(
        "'\(text)': \(scheme) does not begin with TLS, so there is no chain to look at",
        hint: "give host:port of a port that speaks TLS at once, or an https URL")
    }
    return Target(
      text: text, endpoint: endpoint, port: endpoint.port ?? 443, verifiedHost: verifyName ?? endpoint.host)
  }

  /// Connects to a server, or to every address of it.
  func connect(_ target: Target) async -> [Connection] {
    do throws(ProbeError) {
      let outcomes =
        wantsAllAddresses
        ? try await probe.connectToAll(of: target.endpoint) : [.success(try await probe.connect(to: target.endpoint))]
      return outcomes.map { Connection(target, $0, engine: engineName, isOneOfMany: outcomes.count > 1) }
    } catch {
      return [Connection(target, .failure(error), engine: engineName, isOneOfMany: false)]
    }
  }

  /// Connects to servers, a few at a time; the connections come in the order of the servers.
  func connectAll(_ targets: [Target]) -> AsyncStream<[Connection]> {
    OrderedWork.results(of: targets, atOnce: 8) { await connect($0) }
  }
}

extension ConnectionOptions {
  private static func clientIdentity(_ invocation: Invocation) throws(CommandError) -> ClientIdentity? {
    let arguments = invocation.arguments
    guard let name = arguments.value(.clientCertificate) else {
      guard !arguments.has(.clientKey) else {
        throw .usage("--key needs a --cert", hint: "the key alone proves nothing")
      }
      return nil
    }
    let inputs = try Inputs(invocation)
    let certificates = try inputs.certificates(ofAll: [name])
    let key = try inputs.privateKey(of: arguments.value(.clientKey) ?? name)
    return ClientIdentity(certificates: certificates.map(\.der), privateKey: key)
  }

  private static func serverName(_ arguments: ParsedArguments) throws(CommandError) -> String? {
    guard let text = arguments.value(.serverName) else { return nil }
    let name = try HostOptions.host(text, .serverName)
    guard !name.isIPAddress else {
      throw .usage("--servername '\(text)' is an address, which cannot be sent as a server name")
    }
    return name.description
  }

  /// The time of `--max-time`; nil if it was not given.
  static func timeout(_ arguments: ParsedArguments) throws(CommandError) -> Duration? {
    guard let text = arguments.value(.maxTime) else { return nil }
    guard text.utf8.allSatisfy({ 0x30...0x39 ~= $0 || $0 == UInt8(ascii: ".") }), let seconds = Double(text),
      0.001...86400 ~= seconds
    else {
      throw .usage("--max-time '\(text)' is not a number of seconds from 0.001 to 86400", hint: "write 10, or 0.5")
    }
    return .milliseconds(Int64((seconds * 1000).rounded(.up)))
  }

  private static func overrides(_ arguments: ParsedArguments) throws(CommandError) -> AddressOverrides {
    var overrides = AddressOverrides()
    for (option, texts) in [(Option.connectTo, arguments.values(.connectTo)), (.resolve, arguments.values(.resolve))] {
      for text in texts {
        do throws(AddressOverrideError) {
          if option.name == Option.connectTo.name {
            try overrides.addConnectTo(text)
          } else {
            try overrides.addResolve(text)
          }
        } catch {
          throw .usage("--\(option.name) \(error)", hint: "IPv6 addresses stand in brackets")
        }
      }
    }
    return overrides
  }

  private static func engine(_ invocation: Invocation) throws(CommandError) -> any TLSEngine {
    if let name = invocation.arguments.value(.engine) {
      let backend = try TrustOptions.backend(name, option: .engine, invocation)
      if let engine = backend.engine { return engine }
    } else if let engine = invocation.backends.lazy.compactMap(\.engine).first {
      return engine
    }
    throw CommandError(
      .backendUnavailable, code: "backend-unavailable", "no library of this build performs handshakes",
      hint: "'steelpin version' lists the libraries")
  }
}
