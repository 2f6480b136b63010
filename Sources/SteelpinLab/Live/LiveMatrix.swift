// SPDX-License-Identifier: Apache-2.0
package import Steelpin
package import SteelpinMatrix
internal import SteelpinProbe

/// Takes the chains of a matrix through real handshakes: each is served by a TLS server of the lab, and what a library
/// captures of it takes its place.
package struct LiveMatrix: Sendable {
  private let server: any TLSServerEngine
  private let engines: [any TLSEngine]
  private let keys: KeyRing

  /// The ring must have the keys of the leaves.
  package init(server: any TLSServerEngine, engines: [any TLSEngine], keys: KeyRing) {
    self.server = server
    self.engines = engines
    self.keys = keys
  }

  /// The rows once for each library that shakes hands, in the same order; the scenario's name says which it was.
  ///
  /// Throws ``LabError`` if a chain cannot be served, or if a library saw another one than was served.
  package func rows(_ rows: [MatrixRow]) async throws(LabError) -> [MatrixRow] {
    var captured: [[[UInt8]]: [CertificateChain]] = [:]
    for row in rows {
      let served = row.chain.certificates.map(\.der)
      if captured[served] == nil { captured[served] = try await capture(served, row) }
    }
    return engines.indices.flatMap { index in
      rows.map { row in
        MatrixRow(
          scenario: "\(row.scenario), shown to \(engines[index].name)", clause: row.clause,
          chain: captured[row.chain.certificates.map(\.der)]?[index] ?? CertificateChain(der: []), host: row.host,
          policy: row.policy, judge: row.judge, time: row.time, expected: row.expected)
      }
    }
  }

  /// What each library sees of one chain.
  private func capture(_ served: [[UInt8]], _ row: MatrixRow) async throws(LabError) -> [CertificateChain] {
    guard let leaf = row.chain.certificates.first, let key = keys.key(ofPublicKeyInfo: Array(leaf.publicKey.encoded))
    else { throw LabError("'\(row.scenario)' cannot be served: its key is not at hand") }
    let configuration: TLSServerConfiguration
    do throws(BackendError) {
      configuration = TLSServerConfiguration(certificates: served, privateKey: try key.pkcs8())
    } catch {
      throw LabError("'\(row.scenario)' cannot be served: \(error)")
    }
    let listener = try LabServer<LabObservation>(port: 0, lifetime: .seconds(3600)) { [server] _, socket, deadline in
      var conversation = LabConversation(server, configuration, .tls, deadline)
      return conversation.run(on: socket)
    }
    defer { listener.cancel() }
    var chains: [CertificateChain] = []
    for engine in engines {
      let handshake = try await shake(engine, port: listener.port, row)
      guard handshake.certificates == served else {
        throw LabError("'\(row.scenario)': \(engine.name) saw another chain than was served")
      }
      chains.append(CertificateChain(der: handshake.certificates))
    }
    return chains
  }

  private func shake(_ engine: any TLSEngine, port: UInt16, _ row: MatrixRow) async throws(LabError) -> HandshakeSummary
  {
    var options = Probe.Options()
    options.timeout = .seconds(300)
    options.serverName = row.host.flatMap { $0.isIPAddress ? nil : $0.description }
    do {
      return try await Probe(engine: engine, options: options).connect(to: Endpoint("127.0.0.1:\(port)")).handshake
    } catch {
      throw LabError("'\(row.scenario)' cannot be shown to \(engine.name): \(error)")
    }
  }
}
