// SPDX-License-Identifier: Apache-2.0
package import Steelpin

/// One connection of a client, and what was made of it.
package struct LabConnection: Sendable {
  /// Its number, from 1, in the order in which connections were accepted.
  package let number: Int
  /// Where the client wanted to go through the proxy; nil without one.
  package var destination: String?
  /// What the server saw.
  package let observation: LabObservation
  /// What that means.
  package let judgement: LabJudgement
}

/// What all connections of a client come to.
package enum LabResult: Sendable, Hashable, CaseIterable {
  /// The client did what the scenario demands, in every connection.
  case behaved
  /// It did something else at least once.
  case misbehaved
  /// It spoke no TLS at all.
  case notTLS
  /// It never came, or never stayed until the server had said something.
  case nobody

  /// What a client does beside TLS counts once it spoke TLS: it fell back to plain text then.
  package init(_ judgements: some Sequence<LabJudgement>) {
    let counted = judgements.filter { $0.outcome != .leftEarly }
    let spokeTLS = counted.contains { $0.outcome != .notTLS }
    self =
      if counted.isEmpty {
        .nobody
      } else if !spokeTLS {
        .notTLS
      } else {
        counted.allSatisfy(\.isAsDemanded) ? .behaved : .misbehaved
      }
  }
}

extension LabServer where Event == LabConnection {
  /// Serves a scenario.
  ///
  /// Throws ``LabError`` if the port is taken or the library cannot serve the certificates.
  package convenience init(
    _ scenario: LabScenario, _ material: LabMaterial, engine: any TLSServerEngine, port: UInt16 = 0,
    lifetime: Duration
  ) throws(LabError) {
    // A certificate that the library does not take is an error now, not with the first client.
    do throws(BackendError) {
      _ = try engine.makeServerSession(material.server)
    } catch {
      throw LabError("\(error)")
    }
    try self.init(port: port, lifetime: lifetime) { number, socket, deadline in
      var conversation = LabConversation(engine, material.server, scenario.behaviour, deadline)
      guard let seen = conversation.run(on: socket) else { return nil }
      return LabConnection(
        number: number, observation: seen,
        judgement: scenario.demand.judge(seen, clientCertificate: material.client.certificates.first))
    }
  }
}
