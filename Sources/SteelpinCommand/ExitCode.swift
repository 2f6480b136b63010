// SPDX-License-Identifier: Apache-2.0

/// How the command ends. Status 1 is never used on purpose; a number below 20 is a verdict, all others are none.
public enum ExitCode: Int32, Sendable, CaseIterable {
  /// Every target passed.
  case success = 0
  /// The chain is trusted, but no configured pin is on the path.
  case pinMismatch = 10
  /// The chain is not trusted.
  case trustFailed = 11
  /// There is a warning, and `--fail-on warning` was given.
  case warning = 12
  /// The backends do not agree.
  case backendsDisagree = 13
  /// The server could not be reached.
  case unreachable = 20
  /// The server was reached but did not complete a TLS handshake.
  case noTLS = 21
  /// The command line is wrong.
  case usage = 64
  /// An input does not hold what it should.
  case badData = 65
  /// An input does not exist or cannot be read.
  case inputMissing = 66
  /// A backend is not in this build.
  case backendUnavailable = 69
  /// A library failed for a reason of its own.
  case internalFault = 70
  /// A file exists and would be overwritten.
  case wouldOverwrite = 73
  /// Reading or writing failed.
  case inputOutput = 74
  /// A configuration is wrong.
  case configuration = 78
  /// The user interrupted the command.
  case interrupted = 130

  /// What the status means, for `--help` and the manual.
  package var meaning: String {
    switch self {
    case .success: "every target passed"
    case .pinMismatch: "pin mismatch: the chain is trusted, but no configured pin is on its path"
    case .trustFailed: "not trusted: chain, host name, dates or purpose"
    case .warning: "a warning, with --fail-on warning"
    case .backendsDisagree: "the backends disagree"
    case .unreachable: "no verdict: the server could not be reached (DNS, TCP, time-out)"
    case .noTLS: "no verdict: the server was reached, but there was no TLS handshake"
    case .usage: "the command line is wrong"
    case .badData: "an input does not hold what it should"
    case .inputMissing: "an input is missing or cannot be read"
    case .backendUnavailable: "a backend is not in this build"
    case .internalFault: "a library failed"
    case .wouldOverwrite: "a file would be overwritten"
    case .inputOutput: "reading or writing failed"
    case .configuration: "a configuration is wrong"
    case .interrupted: "interrupted"
    }
  }

  /// What decides of several targets: a fault of ours comes first, since it means that something was not judged, then a
  /// disagreement, then what is worst for a client.
  package var rank: Int {
    switch self {
    case .success: 0
    case .warning: 1
    case .noTLS: 2
    case .unreachable: 3
    case .trustFailed: 4
    case .pinMismatch: 5
    case .backendsDisagree: 6
    case .usage, .badData, .inputMissing, .backendUnavailable, .internalFault, .wouldOverwrite, .inputOutput,
      .configuration, .interrupted:
      7
    }
  }

  /// The most serious of the statuses of several targets.
  package static func worst(_ statuses: some Sequence<ExitCode>) -> ExitCode {
    statuses.reduce(.success) { $1.rank > $0.rank ? $1 : $0 }
  }
}
