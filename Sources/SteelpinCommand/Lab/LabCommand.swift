// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinLab
internal import SteelpinMatrix
internal import SteelpinReports

extension Command {
  /// `steelpin lab`.
  static let lab = Command(
    "lab", "serve TLS rightly or wrongly on this machine, and judge a client", operands: "SCENARIO [-- COMMAND…]",
    completion: .suggested(LabScenario.all.map(\.name)),
    notes: """
      Listens on 127.0.0.1 with fresh keys and says of every connection what the client did. With a command, --once
      or --connections it ends with a judgement: 0 the client did what the scenario demands, 10 it accepted a
      server without the pinned key, 11 it did anything else, 20 it never came, 21 it spoke no TLS.
      The command finds STEELPIN_LAB_URL, _HOST, _PORT, _CA, _PIN, _DIRECTORY and _SCENARIO in its environment.
      A client refuses by an alert, or by closing without having sent anything: one that never says anything
      cannot be judged, which 'steelpin lab right' finds out.
      """,
    examples: [
      (
        "steelpin lab expired -- sh -c 'curl --cacert \"$STEELPIN_LAB_CA\" \"$STEELPIN_LAB_URL\"'",
        "does curl refuse an expired certificate?"
      ),
      (
        "steelpin lab wrong-pin --once --directory lab",
        "judge one connection of an app that pins the key of lab/pin.txt"
      ),
      ("steelpin lab --list", "every scenario, and what it demands of the client"),
    ],
    options: [.listScenarios, .host, .port, .caFile, .directory, .once, .connections, .maxTime, .json, .color],
    statuses: [
      .success, .pinMismatch, .trustFailed, .unreachable, .noTLS, .usage, .inputMissing, .backendUnavailable,
      .internalFault, .inputOutput, .interrupted,
    ]
  ) { (invocation: Invocation) async throws(CommandError) in
    let arguments = invocation.arguments
    if arguments.has(.listScenarios) { return try list(invocation) }
    guard let name = arguments.operands.first else {
      throw .usage("lab needs a scenario", hint: "'steelpin lab --list' shows them")
    }
    guard let scenario = LabScenario.named(name) else {
      let near = NearestWord.to(name, among: LabScenario.all.map(\.name))
      throw .usage(
        "there is no scenario '\(name)'",
        hint: near.map { "did you mean \($0)?" } ?? "'steelpin lab --list' shows them")
    }
    let options = try LabOptions(invocation, operands: 1)
    let host = try HostOptions.host(arguments.value(.host) ?? "localhost", .host)
    let material: LabMaterial
    do {
      material = try scenario.makeMaterial(host: host, keys: options.keys, clock: invocation.now)
    } catch {
      throw CommandError(.internalFault, code: "backend-failed", "the certificates cannot be made: \(error)")
    }
    let server: LabServer<LabConnection>
    do throws(LabError) {
      server = try LabServer(
        scenario, material, engine: options.server, port: options.port, lifetime: options.lifetime)
    } catch {
      throw CommandError(error)
    }
    let files = try options.write(material.files)
    defer { files.remove() }
    let authority = host.description.contains(":") ? "[\(host)]" : host.description
    let url = "https://\(authority):\(server.port)/"
    var environment = [
      ("STEELPIN_LAB_SCENARIO", scenario.name), ("STEELPIN_LAB_URL", url), ("STEELPIN_LAB_HOST", host.description),
      ("STEELPIN_LAB_PORT", "\(server.port)"), ("STEELPIN_LAB_CA", files.authorities),
      ("STEELPIN_LAB_PIN", material.pin.description),
    ]
    if let directory = files.directory { environment.append(("STEELPIN_LAB_DIRECTORY", directory)) }
    let run = LabRun(
      invocation, options, title: scenario.name, isAboutPins: scenario.isAboutPins, environment: environment,
      files: files)
    try run.announce([
      ("", url), ("server", scenario.summary), ("demand", scenario.demand.text), ("ca", files.authorities),
      ("pin", material.pin.description),
    ])
    return try await run.judge(server)
  }

  private static func list(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    if invocation.wantsJSON {
      try invocation.printer.result(
        JSONSchema.document("lab").adding([
          "scenarios": .array(
            LabScenario.all.map {
              [
                "name": .string($0.name), "server": .string($0.summary), "demand": .string("\($0.demand)"),
                "aboutPins": .bool($0.isAboutPins),
              ]
            })
        ]))
      return .success
    }
    let width = LabScenario.all.map(\.name.count).max() ?? 0
    try invocation.printer.result(
      LabScenario.all.flatMap { scenario -> [[Span]] in
        [
          [Span.bold(scenario.name).padded(to: width + 2), .plain(scenario.summary)],
          [Span.plain("").padded(to: width + 2), .dim(scenario.demand.text)],
        ]
      })
    return .success
  }
}
