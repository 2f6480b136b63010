// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinConfigurations
internal import SteelpinReports

extension ConfigurationCheckRun {
  /// What came of one server: of every configuration, or of the connection.
  struct Outcome {
    let title: String
    private(set) var status: ExitCode
    let failure: Connection?
    private var checks: [HostCheck] = []
    private var rehearsals: [RotationRehearsal] = []

    init(title: String, status: ExitCode, failure: Connection?) {
      self.title = title
      self.status = status
      self.failure = failure
    }

    /// Adds what the backends said of one configuration; they must agree.
    mutating func add(_ checks: [HostCheck], failsOnWarning: Bool) {
      guard let first = checks.first else {
        status = ExitCode.worst([status, .internalFault])
        return
      }
      self.checks.append(first)
      let agree = checks.allSatisfy { $0.outcome == first.outcome }
      status = ExitCode.worst([status, agree ? first.outcome.status(failsOnWarning) : .backendsDisagree])
    }

    mutating func add(_ rehearsal: RotationRehearsal, failsOnWarning: Bool) {
      rehearsals.append(rehearsal)
      switch rehearsal.outcome {
      case .breaks: status = ExitCode.worst([status, .pinMismatch])
      case .holds: return
      case .holdsIfSameIssuer, .unpinned: if failsOnWarning { status = ExitCode.worst([status, .warning]) }
      }
    }

    /// Lines for people.
    func lines(isVerbose: Bool) -> [[Span]] {
      if let failure { return failure.failureLines }
      var lines: [[Span]] = [[StatusWord.span(status), .bold(title)]]
      let width = checks.map { $0.file.count + $0.format.count + 3 }.max() ?? 0
      for check in checks {
        let name = "\(check.file) (\(check.format))"
        let word: Span =
          check.outcome == .accepted
          ? .good(check.outcome.words) : check.connects ? .warning(check.outcome.words) : .bad(check.outcome.words)
        lines.append([.plain(VerdictText.indent), Span.plain(name).padded(to: width + 2), word])
        if check.outcome != .accepted || isVerbose {
          lines.append([.dim("\(VerdictText.indent)  rule: \(check.requirement.reason)")])
          for entry in check.requirement.entries {
            if let position = entry.position { lines.append([.dim("\(VerdictText.indent)  at \(position)")]) }
          }
        }
        if !check.connects, let verdict = check.verdict {
          for finding in verdict.errors {
            lines.append([.plain("\(VerdictText.indent)  \(finding.code.rawValue): \(finding.detail)")])
          }
        }
      }
      if Set(checks.map(\.connects)).count > 1 {
        let yes = checks.filter(\.connects).map(\.format).joined(separator: ", ")
        let no = checks.filter { !$0.connects }.map(\.format).joined(separator: ", ")
        lines.append([.plain(VerdictText.indent), .bad("drift   "), .plain("\(yes) connect, \(no) do not")])
      } else if Set(checks.map(\.outcome)).count > 1 {
        let pinned = checks.filter { $0.outcome == .accepted }.map(\.format).joined(separator: ", ")
        lines.append([.plain(VerdictText.indent), .warning("drift   "), .plain("only \(pinned) enforce a pin")])
      }
      for rehearsal in rehearsals {
        let word: Span = rehearsal.outcome == .breaks ? .bad(rehearsal.outcome.words) : .plain(rehearsal.outcome.words)
        lines.append([.plain("\(VerdictText.indent)next key  \(rehearsal.file) (\(rehearsal.format)): "), word])
      }
      return lines
    }

    /// The outcome as JSON.
    var json: JSONValue {
      let base: JSONValue = [
        "target": .string(title), "status": .integer(Int(status.rawValue)),
        "drift": .bool(Set(checks.map(\.outcome)).count > 1),
        "configurations": .array(checks.map(Self.json)),
        "rehearsal": .array(
          rehearsals.map {
            ["file": .string($0.file), "format": .string($0.format), "outcome": .string($0.outcome.rawValue)]
          }),
      ]
      return base.adding(["connection": failure?.json ?? .null])
    }

    private static func json(_ check: HostCheck) -> JSONValue {
      [
        "file": .string(check.file), "format": .string(check.format), "outcome": .string(check.outcome.rawValue),
        "connects": .bool(check.connects), "rule": .string(check.requirement.reason),
        "entries": .strings(check.requirement.entries.compactMap { $0.position?.description }),
        "findings": .strings(check.verdict?.errors.map(\.code.rawValue) ?? []),
      ]
    }
  }
}

extension HostCheck.Outcome {
  fileprivate func status(_ failsOnWarning: Bool) -> ExitCode {
    switch self {
    case .accepted: .success
    case .acceptedUnpinned: failsOnWarning ? .warning : .success
    case .blocked, .forbidden, .pinMismatch: .pinMismatch
    case .untrusted: .trustFailed
    }
  }

  fileprivate var words: String {
    switch self {
    case .accepted: "connects, a pin is met"
    case .acceptedUnpinned: "connects, but no pin is enforced"
    case .blocked: "refuses every server"
    case .forbidden: "refuses: a forbidden key is on the path"
    case .pinMismatch: "refuses: no pin is met"
    case .untrusted: "refuses: the chain is not trusted"
    }
  }
}

extension RotationRehearsal.Outcome {
  fileprivate var words: String {
    switch self {
    case .breaks: "breaks: no pin will be met"
    case .holds: "holds: the next key is pinned"
    case .holdsIfSameIssuer: "holds if the same CA signs the next certificate"
    case .unpinned: "nothing is pinned, so nothing breaks"
    }
  }
}
