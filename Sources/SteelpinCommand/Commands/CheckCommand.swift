// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinReports

extension Command {
  /// `steelpin check`.
  static let check = Command(
    "check", "check the pins and the trust of servers", operands: "HOST[:PORT]…", completion: .host,
    notes: """
      A target is host, host:port, [v6]:port or a URL. The chain is captured as served; each library has to prove
      one exact path to an anchor, and pins are matched on that path. --record keeps what was served for
      'steelpin verify' and for suites of 'steelpin matrix': all servers of the run in one file.
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
    options: [.config, .from, .chain, .next] + .trust + [.verifyName] + .connection + [.record, .force, .passwordFile]
      + .output,
    statuses: [
      .success, .pinMismatch, .trustFailed, .warning, .backendsDisagree, .unreachable, .noTLS, .usage, .badData,
      .inputMissing, .backendUnavailable, .internalFault, .wouldOverwrite, .inputOutput, .configuration, .interrupted,
    ]
  ) { (invocation: Invocation) async throws(CommandError) in
    let arguments = invocation.arguments
    let recorder = try Recorder(invocation)
    if arguments.has(.config) {
      guard recorder == nil else {
        throw .usage("--config and --record exclude each other", hint: "record in a run without --config")
      }
      return try await ConfigurationCheckRun(invocation).run()
    }
    for option in [Option.chain, .from, .next] where arguments.has(option) {
      throw .usage("--\(option.name) needs --config", hint: "steelpin check --config FILE --\(option.name) …")
    }
    guard !arguments.operands.isEmpty else {
      throw .usage("check needs a host", hint: "steelpin check example.org --pin sha256/…")
    }
    let connections = try ConnectionOptions(invocation)
    var targets: [Target] = []
    for operand in arguments.operands { targets.append(try connections.target(operand)) }
    let trust = try TrustOptions(invocation, inputs: try Inputs(invocation))

    // Nothing was contacted so far, so that a mistake in the last argument does not waste the first.
    let report = CheckReport(invocation, targets: targets.count)
    invocation.console.onInterrupt { report.interrupt() }
    var served: [Connection] = []
    for await connections in connections.connectAll(targets) {
      for connection in connections { try report.add(try ServerCheck(connection, trust)) }
      served += connections
      report.finishTarget()
    }
    try recorder?.write(served)
    return try report.finish()
  }
}

/// What is known of all targets so far; printed as it comes, or as one document at the end.
private final class CheckReport: Sendable {
  private struct State: Sendable {
    var statuses: [ExitCode] = []
    var documents: [JSONValue] = []
    var finishedTargets = 0
  }

  private let invocation: Invocation
  private let targets: Int
  private let state = Locked(State())

  init(_ invocation: Invocation, targets: Int) {
    self.invocation = invocation
    self.targets = targets
  }

  func add(_ check: ServerCheck) throws(CommandError) {
    state.withLock { state in
      state.statuses.append(check.status)
      if invocation.wantsJSON { state.documents.append(check.json(invocation)) }
    }
    if !invocation.wantsJSON { try invocation.printer.result(check.lines(invocation)) }
  }

  func finishTarget() { state.withLock { $0.finishedTargets += 1 } }

  func finish() throws(CommandError) -> ExitCode {
    let state = state.withLock { $0 }
    let status = ExitCode.worst(state.statuses)
    if invocation.wantsJSON { try invocation.printer.result(document(state, status)) }
    return status
  }

  /// Prints what is known.
  func interrupt() {
    let state = state.withLock { $0 }
    if invocation.wantsJSON { try? invocation.printer.result(document(state, .interrupted)) }
    invocation.printer.note("interrupted after \(state.finishedTargets) of \(targets) targets")
  }

  private func document(_ state: State, _ status: ExitCode) -> JSONValue {
    JSONSchema.document("check").adding([
      "status": .integer(Int(status.rawValue)), "targets": .array(state.documents),
    ])
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
