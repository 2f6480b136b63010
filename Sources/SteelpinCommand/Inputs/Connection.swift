// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinConfigurations
internal import SteelpinProbe
internal import SteelpinReports

/// What came of connecting to one address of a target.
struct Connection: Sendable {
  let target: Target
  let outcome: Result<ProbeResult, ProbeError>
  let engine: String
  private let isOneOfMany: Bool

  init(_ target: Target, _ outcome: Result<ProbeResult, ProbeError>, engine: String, isOneOfMany: Bool) {
    self.target = target
    self.outcome = outcome
    self.engine = engine
    self.isOneOfMany = isOneOfMany
  }

  /// Why there is no chain to judge; nil if there is one.
  var failure: ProbeError? {
    if case .failure(let error) = outcome { error } else { nil }
  }

  /// What was served, perhaps in a handshake that failed.
  var handshake: HandshakeSummary? {
    switch outcome {
    case .failure(let error): error.served
    case .success(let result): result.handshake
    }
  }

  /// The chain as served; empty if there is none.
  var chain: CertificateChain {
    guard let handshake else { return CertificateChain(der: []) }
    var chain = CertificateChain(handshake)
    // A handshake that failed may have ended before the response was due.
    if failure != nil, handshake.stapledOCSPResponse == nil { chain.evidence.staple = .unknown }
    return chain
  }

  /// Whether a library gave up a handshake over a certificate that cannot be read: that is a verdict about the chain.
  var servedBrokenChain: Bool {
    guard failure?.code == .tlsFailed, handshake != nil else { return false }
    return chain.certificates.count < chain.elements.count
  }

  /// The status of the connection alone.
  var status: ExitCode {
    switch failure?.reach {
    case nil: .success
    case .unreachable: .unreachable
    case .withoutTLS: .noTLS
    }
  }

  /// Host and port, and the address if it is one of several.
  var title: String {
    guard isOneOfMany, let address else { return target.title }
    return "\(target.title) at \(address)"
  }

  private var address: String? {
    switch outcome {
    case .failure(let error): error.address
    case .success(let result): result.address
    }
  }

  /// The address alone; one of IPv6 without brackets.
  private var addressWithoutPort: String? {
    switch outcome {
    case .failure(let error):
      error.address.flatMap { $0.lastIndex(of: ":").map($0.prefix(upTo:)) }
        .map { String($0.drop { $0 == "[" }.prefix { $0 != "]" }) }
    case .success(let result): result.address
    }
  }

  /// Lines for people about a connection that failed.
  var failureLines: [[Span]] {
    guard let failure else { return [] }
    return [
      [StatusWord.span(status), .bold(title), .plain("  no verdict: \(failure.detail)")],
      [.dim(VerdictText.indent), .plain("\(failure.hint) ('steelpin explain \(failure.code.rawValue)')")],
    ]
  }

  /// One line about a handshake, complete or not.
  var line: [Span] {
    guard let handshake else { return [.plain("\(VerdictText.indent)nothing was served")] }
    var parts = ["\(handshake.version)", handshake.cipherSuite]
    if let group = handshake.group { parts.append(group) }
    if let choice = handshake.applicationProtocol { parts.append("ALPN \(choice)") }
    if let ocsp = handshake.stapledOCSPResponse { parts.append("OCSP response of \(ocsp.count) bytes stapled") }
    if handshake.requestsClientCertificate { parts.append("asks for a client certificate") }
    var place = ""
    if case .success(let result) = outcome {
      place = "\(result.address) port \(result.port), "
      parts.append("\(Int(result.connectMilliseconds + result.handshakeMilliseconds)) ms")
    }
    return [
      .dim("\(VerdictText.indent)connection  "), .plain("\(place)\(parts.joined(separator: ", ")), by \(engine)"),
    ]
  }

  /// The connection as JSON.
  var json: JSONValue {
    let served: JSONValue =
      handshake.map { handshake in
        [
          "version": .string(handshake.version.description), "cipherSuite": .string(handshake.cipherSuite),
          "group": .optional(handshake.group), "applicationProtocol": .optional(handshake.applicationProtocol),
          "certificates": .strings(handshake.certificates.map { Base64.encode($0) }),
          "stapledOCSPResponse": .optional(handshake.stapledOCSPResponse.map { Base64.encode($0) }),
          "requestsClientCertificate": .bool(handshake.requestsClientCertificate),
        ]
      } ?? .null
    let error: JSONValue =
      failure.map { failure in
        ["code": .string(failure.code.rawValue), "detail": .string(failure.detail), "hint": .string(failure.hint)]
      } ?? .null
    // With --connect-to the connection may have gone to another port than that of the target.
    var port = target.port
    if case .success(let result) = outcome { port = result.port }
    return [
      "address": .optional(addressWithoutPort), "port": .integer(Int(port)), "engine": .string(engine),
      "handshake": served, "error": error,
    ]
  }
}

extension CommandError {
  /// A server that could not be looked at.
  init(_ error: ProbeError) {
    self.init(
      error.reach == .unreachable ? .unreachable : .noTLS, code: error.code.rawValue, "\(error)", hint: error.hint)
  }
}
