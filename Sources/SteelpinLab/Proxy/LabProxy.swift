// SPDX-License-Identifier: Apache-2.0
package import Steelpin
package import SteelpinMatrix
internal import SteelpinProbe

/// An intercepting proxy: it answers CONNECT, meets the client with a certificate of its own CA for the host that was
/// asked for, and passes on what the client sends to the real server, whose certificate it does not look at.
///
/// A client that trusts the CA is fooled unless it pins. Whatever sends a request through it has lost.
package struct LabProxy: Sendable {
  /// The CA's certificate, DER.
  package let authority: [UInt8]
  private let forger: Forger
  private let server: any TLSServerEngine
  private let client: any TLSEngine

  /// A proxy with a fresh CA.
  ///
  /// Throws ``RecipeError`` if the library cannot make one.
  package init(
    server: any TLSServerEngine, client: any TLSEngine, keys: KeyRing, clock: Timestamp
  ) throws(RecipeError) {
    self.forger = try Forger(keys: keys, clock: clock)
    self.authority = forger.authority
    self.server = server
    self.client = client
  }

  /// Starts to listen.
  ///
  /// Throws ``LabError`` if the port is taken.
  package func start(port: UInt16 = 0, lifetime: Duration) throws(LabError) -> LabServer<LabConnection> {
    try LabServer(port: port, lifetime: lifetime) { number, socket, deadline in
      guard let request = ProxyRequest.receive(from: socket, deadline) else { return nil }
      guard let destination = request.destination else {
        _ = try? socket.send(ProxyRequest.notAllowed, deadline)
        return connection(number, request.line, LabObservation())
      }
      var interception = Interception(server: server, client: client, destination, deadline)
      do throws(RecipeError) {
        return connection(
          number, destination.text, interception.run(on: socket, try forger.configuration(for: destination.host)))
      } catch {
        var seen = LabObservation()
        seen.spokeTLS = true
        seen.serverFailure = "\(error)"
        return connection(number, destination.text, seen)
      }
    }
  }

  private func connection(_ number: Int, _ destination: String, _ seen: LabObservation) -> LabConnection {
    var connection = LabConnection(number: number, observation: seen, judgement: LabDemand.refuse.judge(seen))
    connection.destination = destination
    return connection
  }
}

/// Makes certificates for hosts, one for each, under one CA.
private struct Forger: Sendable {
  private let lab: Lab
  private let known: KnownHosts

  private final class KnownHosts: Sendable {
    let configurations = Locked<[HostName: TLSServerConfiguration]>([:])
  }

  init(keys: KeyRing, clock: Timestamp) throws(RecipeError) {
    lab = try Lab(keys: keys, clock: clock)
    known = KnownHosts()
  }

  var authority: [UInt8] { lab.root.der }

  func configuration(for host: HostName) throws(RecipeError) -> TLSServerConfiguration {
    if let known = known.configurations.withLock({ $0[host] }) { return known }
    let name: GeneralNameRecipe =
      switch host {
      case .dns(let name): .dns(name.text)
      case .ipv4(let octets), .ipv6(let octets): .ipOctets(octets)
      }
    let leaf = try lab.leaf(names: [name])
    let privateKey: [UInt8]
    do throws(BackendError) { privateKey = try leaf.key.pkcs8() } catch { throw .backend(error) }
    let made = TLSServerConfiguration(certificates: [leaf.der, lab.intermediate.der], privateKey: privateKey)
    known.configurations.withLock { $0[host] = made }
    return made
  }
}
