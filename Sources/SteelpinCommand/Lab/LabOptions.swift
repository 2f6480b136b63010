// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinFormats
internal import SteelpinLab
internal import SteelpinMatrix
internal import SteelpinReports

/// The options of `lab` and `lab proxy`.
extension Option {
  static let caFile = Option(
    "ca-file", "FILE", completion: .file, "write what the client must trust to FILE, as PEM (replaced)")
  static let connections = Option("connections", "N", "end with a judgement after N connections")
  static let directory = Option(
    "directory", "DIRECTORY", completion: .file,
    "write ca.pem, pin.txt, chain.pem, crl.pem, client.pem and client.key there (replaced)")
  static let listScenarios = Option(flag: "list", "list the scenarios and what each demands of the client")
  static let once = Option(flag: "once", "end with a judgement after one connection")
  static let port = Option("port", "PORT", "listen on PORT of 127.0.0.1 (default: a free port)")
}

/// What a command line wants of a lab, apart from the scenario.
struct LabOptions: Sendable {
  let port: UInt16
  /// After how many connections the lab ends; nil if it does not count.
  let limit: Int?
  /// How long it may take at most.
  let lifetime: Duration
  /// The client to run; empty if it comes by itself.
  let command: [String]
  let server: any TLSServerEngine
  let client: any TLSEngine
  let keys: KeyRing
  private let caFile: String?
  private let directory: String?

  /// The options of a command line with so many operands before the command to run.
  init(_ invocation: Invocation, operands count: Int) throws(CommandError) {
    let arguments = invocation.arguments
    guard (arguments.countBeforeSeparator ?? arguments.operands.count) <= count else {
      throw .usage(
        "'\(arguments.operands[count])' is one word too many", hint: "the command of the client follows --")
    }
    let command = arguments.operands.dropFirst(count)
    guard arguments.countBeforeSeparator == nil || !command.isEmpty else {
      throw .usage("there is no command after --", hint: "leave -- out to serve until interrupted")
    }
    guard let backend = invocation.backends.first(where: { $0.serverEngine != nil && $0.engine != nil }),
      let server = backend.serverEngine, let client = backend.engine
    else {
      throw CommandError(
        .backendUnavailable, code: "backend-unavailable", "lab serves TLS with OpenSSL, which is not in this build",
        hint: "build with the trait OpenSSL")
    }
    self.server = server
    self.client = client
    self.keys = KeyRing(backend.keyProvider)
    self.command = Array(command)
    self.port = try Self.number(arguments, .port, 1...65535).flatMap(UInt16.init(exactly:)) ?? 0
    let limit = try Self.number(arguments, .connections, 1...1_000_000)
    guard limit == nil || !arguments.has(.once) else { throw .usage("--once and --connections exclude each other") }
    self.limit = arguments.has(.once) ? 1 : limit
    guard self.limit == nil || self.command.isEmpty else {
      throw .usage("a command and a number of connections exclude each other", hint: "the lab ends with the command")
    }
    let isJudged = self.limit != nil || !self.command.isEmpty
    self.lifetime = try ConnectionOptions.timeout(arguments) ?? (isJudged ? .seconds(60) : .seconds(31_536_000))
    self.caFile = arguments.value(.caFile)
    self.directory = arguments.value(.directory)
  }

  /// Writes the files that the client reads.
  func write(_ entries: [LabFiles.Entry]) throws(CommandError) -> LabFiles {
    do throws(LoadError) {
      return try LabFiles(entries, authorities: caFile, directory: directory)
    } catch {
      throw CommandError(error)
    }
  }

  private static func number(
    _ arguments: ParsedArguments, _ option: Option, _ range: ClosedRange<Int>
  ) throws(CommandError) -> Int? {
    guard let text = arguments.value(option) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw .usage("--\(option.name) '\(text)' is not a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}

extension CommandError {
  /// A lab that cannot do its work.
  init(_ error: LabError) {
    self.init(.inputOutput, code: "lab-failed", "\(error)", hint: "leave --port out for a free port")
  }
}
