// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Steelpin

/// One try at an endpoint under one deadline: resolve, connect, shake hands.
struct Attempt {
  private let probe: Probe
  private let endpoint: Endpoint
  private let port: UInt16
  private let deadline: Deadline

  init(_ probe: Probe, _ endpoint: Endpoint, _ defaultPort: UInt16, _ cancellation: Cancellation) {
    self.probe = probe
    self.endpoint = endpoint
    self.port = endpoint.port ?? defaultPort
    self.deadline = Deadline(after: probe.options.timeout, cancellation)
  }

  /// The first address that answers, else the failure of the last.
  func first() throws(ProbeError) -> ProbeResult {
    let lookup = try resolve()
    var failures: [ProbeError] = []
    for (index, address) in lookup.addresses.enumerated() {
      do {
        // An address that does not answer leaves time for the others.
        let connecting = deadline.divided(by: lookup.addresses.count - index)
        let notes = failures.map { ProbeNote(.otherAddressFailed, "\($0.address ?? $0.target): \($0.detail)") }
        return try handshake(with: address, lookup, notes, connecting: connecting, deadline)
      } catch {
        failures.append(error)
        // Only a host that cannot be reached by one address may be reached by the next.
        guard error.reach == .unreachable, !deadline.isOver, !deadline.isCancelled else { break }
      }
    }
    throw failures.last ?? failed(.dnsFailed, .lookup, nil, "the name has no address", "check the name")
  }

  /// What comes of every address; each gets an equal share of the time that is left.
  func all() throws(ProbeError) -> [Result<ProbeResult, ProbeError>] {
    let lookup = try resolve()
    return lookup.addresses.enumerated().map { index, address in
      Result { () throws(ProbeError) in
        let share = deadline.divided(by: lookup.addresses.count - index)
        return try handshake(with: address, lookup, [], connecting: share, share)
      }
    }
  }

  private struct Lookup {
    var addresses: [SocketAddress] = []
    let port: UInt16
    var milliseconds = 0.0
  }

  private func resolve() throws(ProbeError) -> Lookup {
    let begin = ContinuousClock().now
    let destination = probe.options.overrides.destination(endpoint.host.description, port)
    let name = destination.host == endpoint.host.description ? endpoint.connectName : destination.host
    var lookup = Lookup(port: destination.port)
    for name in destination.addresses ?? [name] {
      do {
        lookup.addresses += try Resolver.addresses(of: name, port: destination.port, deadline)
      } catch {
        switch error {
        case .timeout where deadline.isCancelled: throw cancelled(.lookup, nil)
        case .timeout:
          throw failed(
            .timeout, .lookup, nil, "the resolver gave no answer for '\(name)' within \(probe.options.timeout.text)",
            "check the resolver, or give the address with --resolve")
        case .refused(let message):
          throw failed(
            .dnsFailed, .lookup, nil, "the name '\(name)' could not be resolved: \(message)",
            "check the spelling and the resolver, or give the address with --resolve")
        }
      }
    }
    lookup.milliseconds = milliseconds(since: begin)
    return lookup
  }

  private func handshake(
    with address: SocketAddress, _ lookup: Lookup, _ notes: [ProbeNote], connecting: Deadline, _ deadline: Deadline
  ) throws(ProbeError) -> ProbeResult {
    let begin = ContinuousClock().now
    let place = address.family == AF_INET6 ? "[\(address.text)]:\(lookup.port)" : "\(address.text):\(lookup.port)"
    let socket = try open(address, lookup.port, place, connecting)
    let connected = milliseconds(since: begin)
    let session = try makeSession(place)
    let handshakeBegin = ContinuousClock().now
    var handshake = Handshake(session, deadline, probe.options, roundTrip: .milliseconds(connected))
    do {
      let summary = try handshake.run(on: socket)
      let finished = milliseconds(since: handshakeBegin)
      try handshake.awaitVerdictOnClient(from: socket)
      handshake.close(socket)
      return ProbeResult(
        address: address.text, port: lookup.port, serverName: serverName, handshake: summary,
        resolveMilliseconds: lookup.milliseconds, connectMilliseconds: connected, handshakeMilliseconds: finished,
        notes: notes)
    } catch {
      if deadline.isCancelled { throw cancelled(error.phase, place) }
      throw failed(
        error.code, error.phase, place, error.detail, error.hint, alert: error.alert,
        plainProtocol: error.plainProtocol, native: error.native, served: session.summary)
    }
  }

  private func makeSession(_ place: String) throws(ProbeError) -> any TLSSession {
    let options = probe.options
    do {
      return try probe.engine.makeClientSession(
        TLSClientConfiguration(
          serverName: serverName, applicationProtocols: options.applicationProtocols,
          minimumVersion: options.minimumVersion, maximumVersion: options.maximumVersion,
          clientIdentity: options.clientIdentity))
    } catch {
      let hint =
        options.clientIdentity == nil
        ? "try the other engine with --engine" : "check that the client's certificate and key belong together"
      throw failed(.tlsFailed, .handshake, place, "\(error)", hint, native: error.native)
    }
  }

  private func open(
    _ address: SocketAddress, _ port: UInt16, _ place: String, _ deadline: Deadline
  ) throws(ProbeError) -> Socket {
    do {
      let socket = try Socket(family: address.family)
      if try socket.connect(to: address, deadline) { return socket }
    } catch {
      let native = [NativeCode(error)]
      switch error.number {
      case ECONNREFUSED:
        throw failed(
          .connectionRefused, .connect, place, "the connection was refused: nothing listens on port \(port)",
          "check the port and that the server runs", native: native)
      case ETIMEDOUT:
        throw timedOut(place)
      default:
        throw failed(
          .unreachable, .connect, place, "the address cannot be reached: \(error.message)",
          "check the route and the firewall", native: native)
      }
    }
    if deadline.isCancelled { throw cancelled(.connect, place) }
    throw timedOut(place)
  }

  /// What is sent in server_name, RFC 6066 section 3: a name without trailing dot, never an address.
  private var serverName: String? {
    guard let name = probe.options.serverName else {
      return endpoint.host.isIPAddress ? nil : endpoint.host.description
    }
    guard let host = try? HostName(name) else { return name.isEmpty ? nil : name }
    return host.isIPAddress ? nil : host.description
  }

  private func milliseconds(since instant: ContinuousClock.Instant) -> Double {
    let elapsed = instant.duration(to: ContinuousClock().now) / .microseconds(10)
    return elapsed.rounded() / 100
  }

  private func timedOut(_ place: String) -> ProbeError {
    failed(
      .timeout, .connect, place, "no answer while connecting, within \(probe.options.timeout.text) in all",
      "check that a TLS server answers there, or give it more time with --max-time")
  }

  private func cancelled(_ phase: ProbeError.Phase, _ place: String?) -> ProbeError {
    failed(.cancelled, phase, place, "cancelled", "try again")
  }

  private func failed(
    _ code: ProbeError.Code, _ phase: ProbeError.Phase, _ place: String?, _ detail: String, _ hint: String,
    alert: TLSAlert? = nil, plainProtocol: String? = nil, native: [NativeCode] = [], served: HandshakeSummary? = nil
  ) -> ProbeError {
    let host = endpoint.host.description
    let target = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    return ProbeError(
      code, phase, target: target, address: place, detail: detail, hint: hint, alert: alert,
      plainProtocol: plainProtocol, native: native, served: served)
  }
}

extension NativeCode {
  /// What the system said.
  init(_ error: SystemError) {
    self.init(library: "system", code: "errno \(error.number)", message: error.message)
  }
}

extension Duration {
  /// Seconds for people, as in `10 s`.
  var text: String {
    let seconds = self / .seconds(1)
    return seconds == seconds.rounded() && abs(seconds) < 1e9 ? "\(Int(seconds)) s" : "\(seconds) s"
  }
}
