// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinLab
internal import SteelpinReports

/// One run of a lab: tells what happens, and judges.
struct LabRun: Sendable {
  private let invocation: Invocation
  private let options: LabOptions
  private let title: String
  private let isAboutPins: Bool
  private let environment: [(name: String, value: String)]
  private let files: LabFiles

  init(
    _ invocation: Invocation, _ options: LabOptions, title: String, isAboutPins: Bool,
    environment: [(name: String, value: String)], files: LabFiles
  ) {
    self.invocation = invocation
    self.options = options
    self.title = title
    self.isAboutPins = isAboutPins
    self.environment = environment
    self.files = files
  }

  /// Says where the lab is and what it demands; the first fact is where.
  func announce(_ facts: [(name: String, value: String)]) throws(CommandError) {
    guard invocation.wantsJSON else {
      var lines: [[Span]] = [[.bold("lab \(title)"), .plain("  \(facts.first?.value ?? "")")]]
      for fact in facts.dropFirst() {
        lines.append([Span.dim(VerdictText.indent + fact.name).padded(to: 14), .plain(fact.value)])
      }
      return try invocation.printer.result(lines)
    }
    let variables = environment.filter { $0.name.hasPrefix("STEELPIN_LAB_") }
    try event(
      "listening",
      variables.map { variable in
        let name = variable.name.dropFirst("STEELPIN_LAB_".count).lowercased()
        let value = name == "port" ? Int(variable.value).map(JSONValue.integer) : nil
        return (name: name, value ?? .string(variable.value))
      })
  }

  /// Serves until the command, the connections or the time is over, and judges what was seen.
  func judge(_ server: LabServer<LabConnection>) async throws(CommandError) -> ExitCode {
    let count = Counter()
    let child = try start()
    invocation.console.onInterrupt { [files, printer = invocation.printer] in
      files.remove()
      printer.note("interrupted after \(count.value) connections")
      // Last, since the end of the command is the end of the lab, and there is nothing to judge any more.
      child?.interrupt()
    }
    let end = Task { () -> Int32? in
      let status = await child?.wait()
      if child != nil { server.finish() }
      return status
    }
    var judgements: [LabJudgement] = []
    for await connection in server.events {
      judgements.append(connection.judgement)
      count.value = judgements.count
      try report(connection)
      if judgements.count(where: { $0.outcome != .leftEarly }) == options.limit { server.cancel() }
    }
    if let child {
      await child.terminate()
      let status = await end.value ?? 0
      try report(commandStatus: status)
    }
    return try conclude(judgements)
  }

  private func start() throws(CommandError) -> ChildProcess? {
    guard !options.command.isEmpty else { return nil }
    do throws(LabError) {
      return try ChildProcess(options.command, environment: environment)
    } catch {
      throw CommandError(.inputMissing, code: "lab-failed", "\(error)", hint: "the command follows --")
    }
  }

  private func report(_ connection: LabConnection) throws(CommandError) {
    let judgement = connection.judgement
    let seen = connection.observation
    guard invocation.wantsJSON else {
      let place = connection.destination.map { " to \($0)" } ?? ""
      return try invocation.printer.result([
        [
          judgement.isAsDemanded ? .good("ok    ") : .bad("FAIL  "),
          .plain("connection \(connection.number)\(place): \(judgement.text)"),
        ]
      ])
    }
    let alert: JSONValue =
      seen.client.alert.map { ["number": .integer(Int($0.rawValue)), "name": .string("\($0)")] } ?? .null
    try event(
      "connection",
      [
        ("number", .integer(connection.number)), ("destination", .optional(connection.destination)),
        ("outcome", .string(judgement.outcome.rawValue)), ("asDemanded", .bool(judgement.isAsDemanded)),
        ("detail", .string(judgement.text)), ("alert", alert), ("tls", .optional(seen.client.version?.description)),
        ("serverName", .optional(seen.client.serverName)), ("finishedHandshake", .bool(seen.finishedHandshake)),
        ("received", .integer(seen.received)), ("ending", .string(seen.ending.rawValue)),
      ])
  }

  private func report(commandStatus status: Int32) throws(CommandError) {
    guard invocation.wantsJSON else {
      return invocation.printer.note("the command ended with status \(status)")
    }
    try event("command", [("status", .integer(Int(status)))])
  }

  private func conclude(_ judgements: [LabJudgement]) throws(CommandError) -> ExitCode {
    let result = LabResult(judgements)
    let isFooled = judgements.contains { !$0.isAsDemanded && $0.outcome == .accepted }
    let (status, text): (ExitCode, String) =
      switch result {
      case .behaved: (.success, "the client did what it must")
      case .misbehaved: (isAboutPins && isFooled ? .pinMismatch : .trustFailed, "the client did not do what it must")
      case .nobody:
        (.unreachable, "no verdict: no client \(judgements.isEmpty ? "came" : "stayed to see the certificate")")
      case .notTLS: (.noTLS, "the client spoke no TLS")
      }
    if invocation.wantsJSON {
      try event(
        "result", [("status", .integer(Int(status.rawValue))), ("connections", .integer(judgements.count))])
    } else {
      try invocation.printer.result([
        [
          StatusWord.span(status), .bold(title),
          .plain("  \(text) (\(judgements.count == 1 ? "1 connection" : "\(judgements.count) connections"))"),
        ]
      ])
    }
    return status
  }

  private func event(_ name: String, _ members: [(name: String, JSONValue)]) throws(CommandError) {
    let head = JSONSchema.document("lab").adding(["event": .string(name)])
    try invocation.printer.resultLine(members.reduce(head) { $0.adding([$1.name: $1.1]) })
  }

  /// How many connections ended, for whoever interrupts.
  private final class Counter: Sendable {
    private let count = Locked(0)

    var value: Int {
      get { count.withLock { $0 } }
      set { count.withLock { $0 = newValue } }
    }
  }
}
