// SPDX-License-Identifier: Apache-2.0
internal import Steelpin

extension Command {
  /// `steelpin check`.
  static let check = Command(
    "check", "check the pins and the trust of servers", operands: "HOST[:PORT]…", completion: .host,
    notes: """
      A target is host, host:port, [v6]:port or a URL. The chain is captured as served; each library has to prove
      one exact path to an anchor, and pins are matched on that path.
      """,
    examples: [
      (
        "steelpin check example.org --pin sha256/vY0tPKh8Yrz92CNsiue2MowGZJ1a694th7HlI+6hBpU=",
        "does the server still have the pinned key? (exit status 0, 10, 11, 20 or 21)"
      ),
      (
        "steelpin check localhost:8443 --cacert ca.pem --pin @pins.txt --fail-on warning",
        "a server of your own, before shipping"
      ),
      (
        "steelpin check example.org --connect-to example.org:443:staging.example.net:443 --json",
        "the new server, before DNS leads to it"
      ),
    ],
    options: .trust + [.verifyName] + .connection + [.passwordFile] + .output,
    statuses: [
      .success, .pinMismatch, .trustFailed, .warning, .backendsDisagree, .unreachable, .noTLS, .usage, .badData,
      .inputMissing, .backendUnavailable, .internalFault,
    ]
  ) { (invocation: Invocation) async throws(CommandError) in
    let arguments = invocation.arguments
    guard !arguments.operands.isEmpty else {
      throw .usage("check needs a host", hint: "steelpin check example.org --pin sha256/…")
    }
    let connections = try ConnectionOptions(invocation)
    var targets: [Target] = []
    for operand in arguments.operands { targets.append(try connections.target(operand)) }
    let trust = try TrustOptions(invocation, inputs: try Inputs(invocation))

    // Nothing was contacted so far, so that a mistake in the last argument does not waste the first.
    var statuses: [ExitCode] = []
    var documents: [JSONValue] = []
    for await connections in connections.connectAll(targets) {
      for connection in connections {
        let check = try ServerCheck(connection, trust)
        statuses.append(check.status)
        if invocation.wantsJSON {
          documents.append(check.json(invocation))
        } else {
          try invocation.printer.result(check.lines(invocation))
        }
      }
    }
    let status = ExitCode.worst(statuses)
    if invocation.wantsJSON {
      try invocation.printer.result(
        JSONSchema.document("check").adding([
          "status": .integer(Int(status.rawValue)), "targets": .array(documents),
        ]))
    }
    return status
  }
}

/// One server address, and what was decided about it.
private struct ServerCheck: Sendable {
  let connection: Connection
  let judgement: Judgement?
  let status: ExitCode

  init(_ connection: Connection, _ trust: TrustOptions) throws(CommandError) {
    self.connection = connection
    guard connection.failure == nil || connection.servedBrokenChain else {
      self.judgement = nil
      self.status = connection.status
      return
    }
    let judgement = try trust.judge(connection.chain, host: connection.target.verifiedHost)
    // A handshake that failed proves nobody's key, so nothing about it is ever trusted.
    let isVerdict = connection.failure == nil || judgement.status == .trustFailed
    self.judgement = isVerdict ? judgement : nil
    self.status = isVerdict ? judgement.status : connection.status
  }

  func lines(_ invocation: Invocation) -> [[Span]] {
    guard let judgement else { return connection.failureLines }
    var lines = judgement.lines(connection.title, invocation)
    if invocation.isVerbose { lines.insert(connection.line, at: 1) }
    return lines
  }

  func json(_ invocation: Invocation) -> JSONValue {
    let base: JSONValue =
      judgement?.json(connection.target.text, invocation)
      ?? ["target": .string(connection.target.text), "status": .integer(Int(status.rawValue)), "verdicts": []]
    return base.adding(["connection": connection.json])
  }
}
