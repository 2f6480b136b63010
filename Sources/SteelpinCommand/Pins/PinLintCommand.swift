// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinConfigurations
internal import SteelpinFormats

extension Command {
  /// `steelpin pin lint`.
  static let pinLint = Command(
    "pin lint", "look for mistakes in pin configurations", operands: "FILE…", completion: .file,
    notes: """
      Reads Info.plist (NSPinnedDomains, TrustKit), network_security_config.xml, OkHttp in Kotlin and Java, curl,
      HPKP, TLSA, Wultra, react-native-ssl-public-key-pinning, folders of certificates, and steelpin.json. Nothing
      is contacted unless --live is given; with a chain, pins are also compared with it. --format takes github, json,
      junit, sarif and text.
      """,
    examples: [
      ("steelpin pin lint Info.plist res/xml/network_security_config.xml", "before every release, offline"),
      ("steelpin pin lint Info.plist --chain chain.pem --held backup.csr", "is the backup a key that you hold?"),
      ("steelpin pin lint Pins.kt --format github --format sarif=pins.sarif", "in CI"),
    ],
    options: [.from, .chain, .live, .held, .format, .at, .failOn] + .connection + [.passwordFile] + .output,
    statuses: [
      .success, .warning, .unreachable, .noTLS, .usage, .badData, .inputMissing, .inputOutput, .configuration,
    ]
  ) { (invocation: Invocation) async throws(CommandError) in
    let arguments = invocation.arguments
    guard !arguments.operands.isEmpty else {
      throw .usage("pin lint needs a file", hint: "steelpin pin lint Info.plist")
    }
    let inputs = try Inputs(invocation)
    let reports = try LintReports(invocation)
    let configurations = try PinConfigurationInputs.read(arguments.operands, from: arguments.value(.from))
    var linter = Linter(time: try TrustOptions.time(arguments) ?? invocation.now)
    if arguments.has(.held) {
      var held = Set<Pin>()
      for name in arguments.values(.held) {
        held.formUnion(try inputs.file(name).publicKeys.map { Pin(.publicKey, $0.sha256) })
      }
      linter.heldKeys = held
    }
    if let name = arguments.value(.chain) { linter.chain = try inputs.certificates(ofAll: [name]) }
    var findings = configurations.flatMap(linter.findings)
    var statuses: [ExitCode] = []
    if arguments.has(.live) {
      let live = try await LiveLint(invocation, linter).findings(configurations)
      statuses += live.statuses
      let known = Set(findings)
      findings += live.findings.filter { !known.contains($0) }
    }
    findings.sort { $0.position < $1.position }
    try reports.write(findings, files: arguments.operands)
    let worst = findings.map(\.severity).max()
    if worst == .error {
      statuses.append(.configuration)
    } else if worst == .warning, arguments.has(.failOn) {
      statuses.append(.warning)
    }
    return ExitCode.worst(statuses)
  }
}

/// Lint with the chains that the servers have now.
private struct LiveLint {
  private let invocation: Invocation
  private let linter: Linter
  private let connections: ConnectionOptions

  init(_ invocation: Invocation, _ linter: Linter) throws(CommandError) {
    self.invocation = invocation
    self.linter = linter
    self.connections = try ConnectionOptions(invocation)
  }

  func findings(
    _ configurations: [PinConfiguration]
  ) async throws(CommandError) -> (findings: [LintFinding], statuses: [ExitCode]) {
    var findings: [LintFinding] = []
    var seen = Set<LintFinding>()
    var statuses: [ExitCode] = []
    for configuration in configurations {
      for entry in configuration.entries {
        guard let name = entry.pattern.representative, !entry.isExcluded else { continue }
        let target = try connections.target(entry.port.map { "\(name):\($0)" } ?? name)
        for connection in await connections.connect(target) {
          statuses.append(connection.status)
          if let failure = connection.failure {
            invocation.printer.report(CommandError(failure))
            continue
          }
          var own = configuration
          own.entries = [entry]
          own.findings = []
          var linter = linter
          linter.chain = connection.chain.certificates
          findings += linter.findings(in: own).filter { seen.insert($0).inserted }
        }
      }
    }
    return (findings, statuses)
  }
}

/// Where findings are written, and how.
struct LintReports {
  private var targets: [(reporter: LintReporter, file: String?)] = []
  private let invocation: Invocation

  init(_ invocation: Invocation) throws(CommandError) {
    self.invocation = invocation
    let texts = invocation.arguments.values(.format)
    for argument in try FormatArgument.parse(texts, known: LintReporter.all.map(\.name)) {
      guard let reporter = LintReporter.all.first(where: { $0.name == argument.format }) else { continue }
      targets.append((reporter, argument.file))
    }
    if targets.isEmpty {
      let name = invocation.wantsJSON ? "json" : "text"
      if let reporter = LintReporter.all.first(where: { $0.name == name }) { targets.append((reporter, nil)) }
    }
  }

  func write(_ findings: [LintFinding], files: [String]) throws(CommandError) {
    for (reporter, file) in targets {
      let bytes = reporter.render(findings, files)
      guard let file else {
        try invocation.printer.result(text: String(decoding: bytes, as: UTF8.self))
        continue
      }
      do throws(LoadError) {
        try AtomicFile.write(bytes, to: file, mayReplace: true)
      } catch {
        throw CommandError(error)
      }
    }
  }
}
