// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinConfigurations
internal import SteelpinReports

/// Judges recordings, server by server, for `verify`.
struct RecordingCheck {
  private let invocation: Invocation
  private let trust: TrustOptions
  private let host: HostName?

  init(_ invocation: Invocation, _ trust: TrustOptions) throws(CommandError) {
    self.invocation = invocation
    self.trust = trust
    var host: HostName?
    if let text = invocation.arguments.value(.host) { host = try HostOptions.host(text, .host) }
    self.host = host
  }

  func run(_ recordings: [(name: String, recording: Recording)]) throws(CommandError) -> ExitCode {
    var statuses: [ExitCode] = []
    var documents: [JSONValue] = []
    for (name, recording) in recordings {
      guard !recording.servers.isEmpty else {
        throw CommandError(
          .badData, code: "recording-empty", "\(name): no server is recorded", hint: "record one with check --record")
      }
      for server in recording.servers {
        let judgement = try judge(server)
        statuses.append(judgement.status)
        if invocation.wantsJSON {
          documents.append(
            judgement.json(name, invocation).adding([
              "recorded": [
                "host": .string(server.host.description), "port": .integer(Int(server.port)),
                "time": .string(server.time.description),
              ]
            ]))
        } else {
          try invocation.printer.result(lines(name, server, judgement))
        }
      }
    }
    let status = ExitCode.worst(statuses)
    if invocation.wantsJSON {
      try invocation.printer.result(
        JSONSchema.document("verify").adding([
          "status": .integer(Int(status.rawValue)), "targets": .array(documents),
        ]))
    }
    return status
  }

  private func judge(_ server: Recording.Server) throws(CommandError) -> Judgement {
    try (invocation.arguments.has(.at) ? trust : trust.at(server.time)).judge(
      server.chain, host: host ?? server.host, allPaths: invocation.arguments.has(.allPaths))
  }

  private func lines(_ name: String, _ server: Recording.Server, _ judgement: Judgement) -> [[Span]] {
    var lines = judgement.lines("\(name) (\(server.host):\(server.port))", invocation)
    let time =
      invocation.arguments.has(.at) ? "recorded at \(server.time), judged at --at" : "judged as of \(server.time)"
    lines.insert([.dim(VerdictText.indent + "recording  "), .plain(time)], at: min(1, lines.count))
    return lines
  }
}
