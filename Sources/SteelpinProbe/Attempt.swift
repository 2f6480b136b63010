// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Steelpin

/// One try at an endpoint under one deadline: resolve, connect, shake hands.
struct Attempt {
  private let probe: Probe
  private let endpoint: Endpoint
  private let port: UInt16
  private let deadline: Deadline
  private let start = ContinuousClock().now

  init(_ probe: Probe, _ endpoint: Endpoint, _ defaultPort: UInt16, _ cancellation: Cancellation) {
    self.probe = probe
    self.endpoint = endpoint
    self.port = endpoint.port ?? defaultPort
    self.deadline = Deadline(after: probe.options.timeout, cancellation)
  }

  /// The first address that answers, else the failure of the last.
  func first() throws(ProbeError) -> ProbeResult {
    let (addresses, port, resolved) = try resolve()
    var failure: ProbeError?
    for (index, address) in addresses.enumerated() {
      do {
        return try connect(to: address, port, resolved, parts: addresses.count - index)
      } catch {
        failure = error
        // Only a host that cannot be reached by one address may be reached by the next.
        guard error.reach == .unreachable, !deadline.isOver, !deadline.isCancelled else { break }
      }
    }
    throw failure ?? failed(.dnsFailed, nil, "the name has no address", "check the name")
  }

  /// What comes of every address.
  func all() throws(ProbeError) -> [Result<ProbeResult, ProbeError>] {
    let (addresses, port, resolved) = try resolve()
    return addresses.enumerated().map { index, address in
      Result { () throws(ProbeError) in
        try connect(to: address, port, resolved, parts: addresses.count - index)
      }
    }
  }

  private func resolve() throws(ProbeError) -> (addresses: [SocketAddress], port: UInt16, milliseconds: Double) {
    let isRenamed = probe.options.overrides.destination(endpoint.host.description, port)
    let names =
      isRenamed.addresses ?? [isRenamed.host == endpoint.host.description ? endpoint.connectName : isRenamed.host]
    var addresses: [SocketAddress] = []
    for name in names {
      do {
        addresses += try Resolver.addresses(of: name, port: isRenamed.port, deadline)
      } catch {
        switch error {
        case .timeout where deadline.isCancelled: throw cancelled(nil)
        case .timeout:
          throw failed(
            .timeout, nil, "the resolver gave no answer for '\(name)' within \(probe.options.timeout.text)",
            "check the resolver, or give the address with --resolve")
        case .refused(let message):
          throw failed(
            .dnsFailed, nil, "the name '\(name)' could not be resolved: \(message)",
            "check the spelling and the resolver, or give the address with --resolve")
        }
      }
    }
    return (addresses, isRenamed.port, milliseconds(since: start))
  }

  private func connect(
    to address: SocketAddress, _ port: UInt16, _ resolved: Double, parts: Int
  ) throws(ProbeError) -> ProbeResult {
    let begin = ContinuousClock().now
    let place = address.family == AF_INET6 ? "[\(address.text)]:\(port)" : "\(address.text):\(port)"
    let socket = try open(address, place, deadline.divided(by: parts))
    let connected = milliseconds(since: begin)
    let serverName = serverName
    let options = probe.options
    let session: any TLSSession
    do {
      session = try probe.engine.makeClientSession(
        TLSClientConfiguration(
          serverName: serverName, applicationProtocols: options.applicationProtocols,
          minimumVersion: options.minimumVersion, maximumVersion: options.maximumVersion,
          clientIdentity: options.clientIdentity))
    } catch {
      throw failed(
        .tlsFailed, place, "\(error)", "try the other engine with --engine", native: error.native)
    }
    let handshakeBegin = ContinuousClock().now
    var handshake = Handshake(session, deadline, options)
    do {
      let summary = try handshake.run(on: socket)
      return ProbeResult(
        address: address.text, port: port, serverName: serverName, handshake: summary, resolveMilliseconds: resolved,
        connectMilliseconds: connected, handshakeMilliseconds: milliseconds(since: handshakeBegin))
    } catch {
      if deadline.isCancelled { throw cancelled(place) }
      throw failed(
        error.code, place, error.detail, error.hint, native: error.native, served: session.summary)
    }
  }

  private func open(_ address: SocketAddress, _ place: String, _ deadline: Deadline) throws(ProbeError) -> Socket {
    do {
      let socket = try Socket(family: address.family)
      if try socket.connect(to: address, deadline) { return socket }
    } catch {
      let native = [NativeCode(library: "system", code: "errno \(error.number)", message: error.message)]
      switch error.number {
      case ECONNREFUSED:
        throw failed(
          .connectionRefused, place, "the connection was refused: nothing listens on port \(endpoint.port ?? port)",
          "check the port and that the server runs", native: native)
      case ETIMEDOUT:
        throw timedOut(place, "connecting")
      default:
        throw failed(
          .unreachable, place, "the address cannot be reached: \(error.message)", "check the route and the firewall",
          native: native)
      }
    }
    if deadline.isCancelled { throw cancelled(place) }
    throw timedOut(place, "connecting")
  }

  /// RFC 6066 section 3: a name without trailing dot, never an address.
  private var serverName: String? {
    if let name = probe.options.serverName { return name.isEmpty ? nil : name }
    return endpoint.host.isIPAddress ? nil : endpoint.host.description
  }

  private func milliseconds(since instant: ContinuousClock.Instant) -> Double {
    let elapsed = instant.duration(to: ContinuousClock().now) / .microseconds(10)
    return elapsed.rounded() / 100
  }

  private func timedOut(_ place: String, _ activity: String) -> ProbeError {
    failed(
      .timeout, place, "no answer while \(activity), within \(probe.options.timeout.text) for all",
      "check that a TLS server answers there, or give it more time with --max-time")
  }

  private func cancelled(_ place: String?) -> ProbeError { failed(.cancelled, place, "cancelled", "try again") }

  private func failed(
    _ code: ProbeError.Code, _ place: String?, _ detail: String, _ hint: String, native: [NativeCode] = [],
    served: HandshakeSummary? = nil
  ) -> ProbeError {
    let host = endpoint.host.description
    let target = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    return ProbeError(
      code, target: target, address: place, detail: detail, hint: hint, native: native, served: served)
  }
}

extension Duration {
  /// Seconds for people, as in `10 s`.
  var text: String {
    let seconds = self / .seconds(1)
    return seconds == seconds.rounded() && seconds < 1e9 ? "\(Int(seconds)) s" : "\(seconds) s"
  }
}
