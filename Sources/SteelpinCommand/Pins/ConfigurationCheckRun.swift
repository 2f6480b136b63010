// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinConfigurations
internal import SteelpinFormats
internal import SteelpinReports

/// `check --config`: what the system of each configuration does with each server.
struct ConfigurationCheckRun {
  private let invocation: Invocation
  private let inputs: Inputs
  private let trust: TrustOptions
  private let connections: ConnectionOptions
  private let configurations: [PinConfiguration]
  private let context: PlatformContext
  private let nextKey: PublicKeyInfo?
  /// The next certificate and the issuers beside it, where `--next` has them.
  private let nextChain: [Certificate]

  init(_ invocation: Invocation) throws(CommandError) {
    self.invocation = invocation
    let arguments = invocation.arguments
    let settled: [Option] = [
      .pin, .pinCert, .pinScope, .noDomain, .anyHost, .profile, .preset, .revocation, .revocationFail, .crl,
    ]
    for option in settled where arguments.has(option) {
      throw .usage(
        "--config and --\(option.name) exclude each other",
        hint: "the configuration says what counts; leave --\(option.name) out")
    }
    inputs = try Inputs(invocation)
    trust = try TrustOptions(invocation, inputs: inputs)
    connections = try ConnectionOptions(invocation)
    configurations = try PinConfigurationInputs.read(arguments.values(.config), from: arguments.value(.from))
    try PinConfigurationInputs.refuseErrors(in: configurations)
    context = PlatformContext(
      anchors: trust.policy.anchors, anchorCertificates: Self.certificates(trust),
      time: trust.policy.time ?? invocation.now)
    if let name = arguments.value(.next) {
      let file = try inputs.file(name)
      guard let key = file.publicKeys.first else {
        throw CommandError(
          .badData, code: "no-public-key", "'\(name)' has no public key",
          hint: "give a certificate, a request, or a public key; 'openssl pkey -pubout' makes one of a private key")
      }
      nextKey = key
      let certificates = file.certificates.map(\.certificate)
      nextChain = certificates.first?.publicKey == key ? certificates : []
    } else {
      nextKey = nil
      nextChain = []
    }
  }

  func run() async throws(CommandError) -> ExitCode {
    var outcomes: [Outcome] = []
    if let name = invocation.arguments.value(.chain) {
      let chain = try inputs.chain(ofAll: [name])
      for target in try targets() { outcomes.append(try judge(chain, host: target.verifiedHost, target)) }
    } else {
      let targets = try targets()
      for await served in connections.connectAll(targets) {
        for connection in served {
          guard connection.failure == nil else {
            outcomes.append(Outcome(title: connection.title, status: connection.status, failure: connection))
            continue
          }
          outcomes.append(try judge(connection.chain, host: connection.target.verifiedHost, connection.target))
        }
      }
    }
    let status = ExitCode.worst(outcomes.map(\.status))
    if invocation.wantsJSON {
      try invocation.printer.result(
        JSONSchema.document("check").adding([
          "status": .integer(Int(status.rawValue)), "targets": .array(outcomes.map(\.json)),
        ]))
    } else {
      for outcome in outcomes { try invocation.printer.result(outcome.lines(isVerbose: invocation.isVerbose)) }
    }
    return status
  }

  /// The hosts of the command line, else all that the configurations name.
  private func targets() throws(CommandError) -> [Target] {
    var targets: [Target] = []
    var seen = Set<String>()
    let named = invocation.arguments.operands
    let texts =
      named.isEmpty
      ? configurations.flatMap { ConfigurationChecker.targets(of: $0) }.map { host, port in
        host.isIPAddress && host.description.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
      } : named
    for text in texts where seen.insert(text).inserted { targets.append(try connections.target(text)) }
    guard !targets.isEmpty else {
      throw .usage(
        "the configuration names no host that could be asked", hint: "name the hosts: steelpin check HOST --config FILE"
      )
    }
    return targets
  }

  private func judge(_ chain: CertificateChain, host: HostName, _ target: Target) throws(CommandError) -> Outcome {
    var outcome = Outcome(title: target.title, status: .success, failure: nil)
    for configuration in configurations {
      var checks: [HostCheck] = []
      for evaluator in trust.evaluators {
        do throws(BackendError) {
          checks.append(
            try ConfigurationChecker(evaluator: evaluator, context: context)
              .check(configuration, host: host, port: target.port, chain: chain))
        } catch {
          throw CommandError(
            .internalFault, code: "backend-failed", "\(error)", hint: "nothing was judged; try the other --backend")
        }
      }
      if let nextKey {
        if let rehearsal = RotationRehearsal.rehearse(
          configuration, host: host, port: target.port, nextKey: nextKey, nextChain: nextChain,
          chain: chain.certificates, in: context)
        {
          outcome.add(rehearsal, failsOnWarning: trust.failsOnWarning)
        }
      }
      outcome.add(checks, failsOnWarning: trust.failsOnWarning)
    }
    return outcome
  }

  /// The certificates that the platform trusts.
  private static func certificates(_ trust: TrustOptions) -> [Certificate] {
    let system = trust.evaluators.first?.systemAnchors?.certificates ?? []
    return switch trust.policy.anchors {
    case .only(let own): own.certificates
    case .system: system
    case .systemAnd(let own): own.certificates + system
    }
  }
}
