// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinConfigurations
internal import SteelpinFormats
internal import SteelpinReports

extension Command {
  /// `steelpin verify`.
  static let verify = Command(
    "verify", "judge a chain from files, offline", operands: "FILE…", completion: .file,
    notes: """
      The files together are the chain as a server would send it: the first certificate is the leaf, the rest
      are intermediates in any order. PEM, DER, PKCS#7 and PKCS#12 are recognised; - is standard input.
      Recordings of 'steelpin check --record' are judged server by server, with the host, the stapled response
      and the time of the recording unless --host and --at say otherwise.
      """,
    examples: [
      ("steelpin verify chain.pem --host example.org", "against the system's anchors, with both libraries"),
      (
        "steelpin verify seen.json --pin @pins.txt",
        "what 'steelpin check --record seen.json' saw, judged as of then"
      ),
      (
        "steelpin verify chain.pem --host example.org --at 2027-03-01 --pin @pins.txt",
        "will clients with these pins accept it on 1 March 2027?"
      ),
    ],
    options: [.host] + .trust + [.allPaths, .passwordFile] + .output,
    statuses: [
      .success, .pinMismatch, .trustFailed, .warning, .backendsDisagree, .usage, .badData, .inputMissing,
      .backendUnavailable, .internalFault,
    ]
  ) { (invocation: Invocation) async throws(CommandError) in
    let arguments = invocation.arguments
    guard !arguments.operands.isEmpty else {
      throw .usage("verify needs a file", hint: "steelpin verify chain.pem --host example.org")
    }
    let inputs = try Inputs(invocation)
    let trust = try TrustOptions(invocation, inputs: inputs)
    let (files, recordings) = try read(arguments.operands, inputs)
    guard recordings.isEmpty else { return try RecordingCheck(invocation, trust).run(recordings) }
    let host = try host(invocation)
    var certificates: [Certificate] = []
    for file in files { certificates += try inputs.certificates(in: file.bytes, of: file.name) }
    let judgement = try trust.judge(
      CertificateChain(certificates), host: host, allPaths: arguments.has(.allPaths))
    let target = arguments.operands.joined(separator: " ")
    if invocation.wantsJSON {
      try invocation.printer.result(
        JSONSchema.document("verify").adding([
          "status": .integer(Int(judgement.status.rawValue)), "targets": [judgement.json(target, invocation)],
        ]))
    } else {
      try invocation.printer.result(judgement.lines(target, invocation))
    }
    return judgement.status
  }

  private typealias NamedFile = (name: String, bytes: [UInt8])

  /// Reads all files once, as standard input can be read no second time: certificates, or else recordings.
  private static func read(
    _ names: [String], _ inputs: Inputs
  ) throws(CommandError) -> (files: [NamedFile], recordings: [(name: String, Recording)]) {
    var files: [NamedFile] = []
    for name in names { files.append((name, try inputs.bytes(of: name))) }
    for file in files where isOtherObject(file.bytes) {
      throw CommandError(
        .badData, code: "not-a-certificate",
        "'\(file.name)' is a JSON object that is no recording: it has no 'schema' such as '\(Recording.schema)'",
        hint: "record a server with 'steelpin check --record FILE'")
    }
    let other = files.first { !Recording.recognizes($0.bytes) }
    guard let recorded = files.first(where: { Recording.recognizes($0.bytes) }) else { return (files, []) }
    if let other {
      throw .usage(
        "'\(recorded.name)' is a recording and '\(other.name)' is not: a recording has the whole chain",
        hint: "judge them in two runs")
    }
    var recordings: [(String, Recording)] = []
    for file in files {
      do throws(ConfigurationError) {
        recordings.append((file.name, try Recording(file.bytes, file: FileReader.name(of: file.name))))
      } catch {
        throw CommandError(error)
      }
    }
    return ([], recordings)
  }

  /// Whether a file is a JSON object and means to be neither a recording nor certificates.
  private static func isOtherObject(_ bytes: [UInt8]) -> Bool {
    bytes.first { $0 > 0x20 } == UInt8(ascii: "{") && !Recording.recognizes(bytes)
      && bytes.firstRange(of: Array("-----BEGIN ".utf8)) == nil
  }

  /// The host of `--host`, which is needed unless the host is said not to matter.
  private static func host(_ invocation: Invocation) throws(CommandError) -> HostName? {
    let arguments = invocation.arguments
    guard let text = arguments.value(.host) else {
      guard arguments.has(.noDomain) || arguments.has(.anyHost) || arguments.has(.preset) else {
        throw .usage(
          "verify needs --host", hint: "or say that the host does not matter, with --any-host or --no-domain")
      }
      return nil
    }
    for option in [Option.noDomain, .anyHost] where arguments.has(option) {
      invocation.printer.note("the host '\(text)' is not checked, because of --\(option.name)")
    }
    return try HostOptions.host(text, .host)
  }
}

/// The hosts of a command line.
enum HostOptions {
  /// The host that an option names, or an operand if there is none.
  static func host(_ text: String, _ option: Option?) throws(CommandError) -> HostName {
    do throws(HostNameError) {
      return try HostName(text)
    } catch {
      throw CommandError(.usage, code: "host-malformed", "\(option.map { "--\($0.name): " } ?? "")\(error)")
    }
  }
}

extension Judgement {
  /// Lines for people.
  func lines(_ target: String, _ invocation: Invocation) -> [[Span]] {
    VerdictText(verdicts: verdicts, isVerbose: invocation.isVerbose, showsAttempts: invocation.arguments.has(.allPaths))
      .lines(for: target, status: status)
  }

  /// A target of a JSON document.
  func json(_ target: String, _ invocation: Invocation) -> JSONValue {
    [
      "target": .string(target), "status": .integer(Int(status.rawValue)),
      "agree": .bool(status != .backendsDisagree),
      "verdicts": .array(verdicts.map { .verdict($0, now: invocation.now) }),
    ]
  }
}
