// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinReports

/// What a command line demands of a chain, and who judges it.
struct TrustOptions: Sendable {
  private(set) var policy: TrustPolicy
  /// The system that is emulated; nil if the policy decides.
  private let preset: (any PolicySource)?
  let evaluators: [any TrustBackend]
  let failsOnWarning: Bool
  private let revocation: RevocationOptions

  /// Reads the options of ``[Option]/trust``. With `needsPolicy` false only the anchors count, as for showing a path.
  init(_ invocation: Invocation, inputs: Inputs) throws(CommandError) {
    let arguments = invocation.arguments
    let anchors = try Self.anchors(arguments, inputs)
    self.revocation = try RevocationOptions(arguments, inputs)
    self.preset = try PresetOptions.source(arguments, anchors: anchors, inputs)
    self.policy = TrustPolicy(
      anchors: anchors, domain: try Self.domain(arguments),
      pinning: preset == nil ? try Self.pinning(arguments, inputs) : .none,
      profile: arguments.value(.profile).flatMap(TrustPolicy.Profile.init) ?? .standard,
      revocation: revocation.policy, time: try Self.time(arguments) ?? invocation.now)
    let backends = try Self.backends(invocation)
    var system: AnchorSet?
    if case .only = anchors {} else { system = inputs.systemAnchors() }
    self.evaluators = backends.map { [system] in $0.makeEvaluator(system) }
    self.failsOnWarning = arguments.has(.failOn)
  }

  /// The same demands at another time.
  func at(_ time: Timestamp) -> TrustOptions {
    var copy = self
    copy.policy.time = time
    return copy
  }

  /// Judges a chain with every evaluator.
  func judge(
    _ chain: CertificateChain, host: HostName?, allPaths: Bool = false
  ) throws(CommandError) -> Judgement {
    let chain = revocation.addingEvidence(to: chain)
    var verdicts: [Verdict] = []
    let source: any PolicySource = preset ?? policy
    for evaluator in evaluators {
      do throws(BackendError) {
        verdicts.append(
          allPaths
            ? try evaluator.evaluateAllPaths(chain, host: host, policy: policy)
            : try evaluator.evaluate(chain, host: host, by: source, at: policy.time))
      } catch {
        throw CommandError(
          .internalFault, code: "backend-failed", "\(error)", hint: "nothing was judged; try the other --backend")
      }
    }
    return Judgement(verdicts: verdicts, failsOnWarning: failsOnWarning)
  }
}

extension TrustOptions {
  private static func anchors(
    _ arguments: ParsedArguments, _ inputs: Inputs
  ) throws(CommandError) -> TrustPolicy.Anchors {
    guard arguments.has(.cacert) else { return .system }
    let own = AnchorSet(try inputs.certificates(ofAll: arguments.values(.cacert)))
    return arguments.has(.withSystemAnchors) ? .systemAnd(own) : .only(own)
  }

  private static func domain(_ arguments: ParsedArguments) throws(CommandError) -> TrustPolicy.DomainValidation {
    switch (arguments.has(.noDomain), arguments.has(.anyHost)) {
    case (true, true):
      throw .usage(
        "--no-domain and --any-host cannot be combined",
        hint: "--any-host still checks that the certificate is for TLS servers")
    case (true, false): return .basicX509
    case (false, true): return .sslAnyHost
    case (false, false): return .ssl
    }
  }

  private static func pinning(
    _ arguments: ParsedArguments, _ inputs: Inputs
  ) throws(CommandError) -> TrustPolicy.Pinning {
    let scope = arguments.value(.pinScope).flatMap(TrustPolicy.PinScope.init)
    if arguments.has(.pinCert) {
      guard !arguments.has(.pin) else {
        throw .usage(
          "--pin and --pin-cert cannot be combined", hint: "--pin names keys, --pin-cert the whole leaf; choose one")
      }
      guard scope == nil || scope == .leaf else {
        throw .usage("--pin-cert is about the leaf only", hint: "leave --pin-scope out")
      }
      return .leafData(try inputs.certificates(ofAll: arguments.values(.pinCert)))
    }
    guard arguments.has(.pin) else {
      guard scope == nil else { throw .usage("--pin-scope needs a --pin") }
      return .none
    }
    return .pins(PinSet(try PinOptions.pins(arguments.values(.pin), inputs: inputs)), scope: scope ?? .any)
  }

  static func time(_ arguments: ParsedArguments) throws(CommandError) -> Timestamp? {
    guard let text = arguments.value(.at) else { return nil }
    guard let time = Timestamp(text) else {
      throw .usage(
        "--at '\(text)' is not a time", hint: "write 2027-03-01, 2027-03-01T12:00:00Z, or @ and seconds since 1970")
    }
    return time
  }

  /// The backends that judge: those asked for, else all of this build.
  static func backends(_ invocation: Invocation) throws(CommandError) -> [Backend] {
    guard let name = invocation.arguments.value(.backend) else { return invocation.backends }
    guard name == "both" else { return [try backend(name, option: .backend, invocation)] }
    guard invocation.backends.count > 1 else {
      throw CommandError(
        .backendUnavailable, code: "backend-unavailable", "--backend both needs two libraries, this build has one",
        hint: "use --backend \(invocation.backends.map(\.name).joined())")
    }
    return invocation.backends
  }

  /// The backend that an option names.
  static func backend(_ name: String, option: Option, _ invocation: Invocation) throws(CommandError) -> Backend {
    if let backend = invocation.backends.first(where: { $0.name == name }) { return backend }
    let names = invocation.backends.map(\.name)
    let known: [String] = if case .suggested(let words) = option.completion { words } else { [] }
    guard known.contains(name) else {
      let choices = names + known.filter { $0 == "both" && names.count > 1 }
      let near = NearestWord.to(name, among: choices)
      throw .usage(
        "--\(option.name) '\(name)' is no library that Steelpin knows",
        hint: near.map { "did you mean \($0)?" } ?? "this build has \(choices.joined(separator: ", "))")
    }
    throw CommandError(
      .backendUnavailable, code: "backend-unavailable", "\(name) is not in this build",
      hint: "this build has \(names.joined(separator: ", "))")
  }
}

/// What the evaluators said of one chain.
struct Judgement: Sendable {
  let verdicts: [Verdict]
  let status: ExitCode

  init(verdicts: [Verdict], failsOnWarning: Bool) {
    self.verdicts = verdicts
    switch Decision(verdicts) {
    case .disagreement: self.status = .backendsDisagree
    case .nothing: self.status = .internalFault
    case .outcome(.pinMismatch): self.status = .pinMismatch
    case .outcome(.trusted):
      self.status = failsOnWarning && verdicts.contains { !$0.findings.isEmpty } ? .warning : .success
    case .outcome(.untrusted): self.status = .trustFailed
    }
  }
}
