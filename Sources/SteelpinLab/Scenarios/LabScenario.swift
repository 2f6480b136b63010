// SPDX-License-Identifier: Apache-2.0

/// Something that a server may do to a client, and what the client must make of it.
package struct LabScenario: Sendable {
  /// The name, as in `wrong-pin`.
  package let name: String
  /// What the server does, in one line.
  package let summary: String
  /// What the client must do.
  package let demand: LabDemand
  /// What the server does before and after TLS.
  package let behaviour: LabBehaviour
  /// Whether the pin is what stands between the client and the server.
  package let isAboutPins: Bool
  let material: LabMaterialKind

  private init(
    _ name: String, _ summary: String, _ demand: LabDemand, _ material: LabMaterialKind = .right,
    _ behaviour: LabBehaviour = .tls, isAboutPins: Bool = false
  ) {
    self.name = name
    self.summary = summary
    self.demand = demand
    self.behaviour = behaviour
    self.isAboutPins = isAboutPins
    self.material = material
  }

  /// The scenario of a name; nil if there is none.
  package static func named(_ name: String) -> LabScenario? { all.first { $0.name == name } }

  /// Every scenario, in the order of `lab --list`.
  package static let all: [LabScenario] = [
    LabScenario("right", "a server that is right in every way", .connect),
    LabScenario(
      "wrong-pin", "a trusted chain with another key than the pinned one", .refuse, .wrongPin, isAboutPins: true),
    LabScenario(
      "trusted-ca-mitm", "a chain of another CA, which is trusted too, as an interceptor has it", .refuse,
      .interception, isAboutPins: true),
    LabScenario("expired", "a certificate that ended yesterday", .refuse, .expired),
    LabScenario("self-signed", "a certificate that nobody vouches for", .refuse, .selfSigned),
    LabScenario("wrong-host", "a certificate for another host", .refuse, .wrongHost),
    LabScenario("missing-intermediate", "the leaf alone, without the intermediate", .refuse, .missingIntermediate),
    LabScenario(
      "wrong-order", "the leaf, then the root, then the intermediate (RFC 8446 4.4.2)", .connect, .wrongOrder),
    LabScenario(
      "must-staple", "a certificate that promises a stapled response, and none (RFC 7633)", .refuse, .mustStaple),
    LabScenario("revoked", "a revoked certificate, as the stapled response and crl.pem say", .refuse, .revoked),
    LabScenario("silent", "a server that accepts the connection and never says a word", .giveUp, .right, .silent),
    LabScenario("plain-http", "a server that answers in plain HTTP", .giveUp, .right, .plainHTTP),
    LabScenario("reset-in-handshake", "a connection reset after the ClientHello", .giveUp, .right, .reset),
    LabScenario("tls12-only", "a right server that speaks TLS 1.2 and nothing newer", .connect, .tls12),
    LabScenario("client-cert", "a right server that wants the client's certificate", .present, .clientCertificate),
    LabScenario(
      "post-handshake-alert", "a right server that breaks off with an alert after the handshake", .giveUp, .right,
      .breaksOff),
    LabScenario("slow", "a right server whose handshake takes two seconds", .connect, .right, .slow),
  ]
}

/// What a server does around its certificates.
package enum LabBehaviour: Sendable, Hashable {
  /// A handshake, then a fatal alert.
  case breaksOff
  /// Plain HTTP in answer to whatever comes first.
  case plainHTTP
  /// A reset in answer to whatever comes first.
  case reset
  /// Nothing.
  case silent
  /// A handshake in small pieces with pauses.
  case slow
  /// A handshake, and an answer to the request.
  case tls
}

/// Which certificates a scenario serves.
enum LabMaterialKind: Sendable, Hashable {
  case clientCertificate
  case expired
  case interception
  case missingIntermediate
  case mustStaple
  case revoked
  case right
  case selfSigned
  case tls12
  case wrongHost
  case wrongOrder
  case wrongPin
}
