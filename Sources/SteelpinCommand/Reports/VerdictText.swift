// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinReports

/// Lines about verdicts, for people.
struct VerdictText {
  let verdicts: [Verdict]
  let isVerbose: Bool
  /// Whether every path that was tried is shown.
  let showsAttempts: Bool

  /// Whether all backends came to the same verdict.
  var agree: Bool { Decision(verdicts) != .disagreement }

  /// The status word, the target, and what was decided.
  func lines(for target: String, status: ExitCode) -> [[Span]] {
    guard let first = verdicts.first else { return [] }
    let names = verdicts.map(\.backend).joined(separator: ", ")
    var lines: [[Span]] = [[StatusWord.span(status), .bold(target), .plain("  \(headline(first, status)) (\(names))")]]
    guard agree else {
      for verdict in verdicts {
        lines.append([.bold(Self.indent + verdict.backend), .plain(" says: \(verdict.outcome.rawValue)")])
        lines += details(verdict, status: status)
      }
      return lines
    }
    return lines + details(first, status: status)
  }

  private func headline(_ verdict: Verdict, _ status: ExitCode) -> String {
    guard agree else { return "the backends disagree" }
    switch verdict.outcome {
    case .trusted:
      guard let match = verdict.pins?.match else { return verdict.pins == nil ? "trusted" : "trusted, no pin met" }
      return "trusted; pin met by " + Self.place(match.depth, of: verdict)
    case .pinMismatch: return "pin mismatch: the chain is trusted, but no configured pin is on its path"
    case .untrusted: return "not trusted"
    }
  }

  func details(_ verdict: Verdict, status: ExitCode) -> [[Span]] {
    let failed = status != .success
    var lines: [[Span]] = verdict.findings.flatMap(finding)
    let isMismatch = verdict.findings.contains { $0.code == .pinMismatch }
    if let pins = verdict.pins, isMismatch || isVerbose { lines += self.pins(pins) }
    if failed || isVerbose { lines += path(verdict) }
    if let pins = verdict.pins { lines += pins.nearMisses.flatMap { nearMiss($0, verdict) } }
    if isVerbose || showsAttempts { lines += attempts(verdict) }
    if let code = verdict.errors.first?.code {
      lines.append([.dim("\(Self.indent)'steelpin explain \(code.rawValue)' says what to do")])
    }
    return lines
  }

  private func finding(_ finding: Finding) -> [[Span]] {
    let isError = finding.severity == .error
    let word: Span = isError ? .bad("error   ") : .warning("warning ")
    let place = finding.depth.map { " (certificate \($0))" } ?? ""
    var lines: [[Span]] = [[.plain(Self.indent), word, .plain("\(finding.code.rawValue)\(place): \(finding.detail)")]]
    if isVerbose || finding.code == .backendRefused {
      lines += finding.native.map { [.dim("\(Self.indent)        \($0.library): \($0)")] }
    }
    return lines
  }

  private func pins(_ report: PinReport) -> [[Span]] {
    let scope = report.scope == .any ? "any certificate of the path" : "scope \(report.scope.rawValue)"
    return [[.plain("\(Self.indent)configured pins, to be met by \(scope)")]]
      + report.configured.map { [.plain("\(Self.indent)     \($0)")] }
  }

  private func path(_ verdict: Verdict) -> [[Span]] {
    guard !verdict.path.isEmpty else { return [] }
    let end = verdict.reachesAnchor ? "path, up to the anchor" : "path, which reaches no anchor"
    let names = verdict.path.map(CertificateText.shortName)
    let width = min(48, names.map(\.count).max() ?? 0)
    return [[.plain("\(Self.indent)\(end)")]]
      + verdict.path.enumerated().map { depth, certificate in
        let isMet = verdict.pins?.match?.depth == depth
        return [
          .plain("\(Self.indent)  \(depth)  "), Span.plain(names[depth]).padded(to: width + 2),
          .plain(Pin(.publicKey, of: certificate).description), isMet ? .good("  <- pin met") : .plain(""),
        ]
      }
  }

  private func attempts(_ verdict: Verdict) -> [[Span]] {
    guard verdict.attempts.count > 1 else { return [] }
    return [[.plain("\(Self.indent)paths tried")]]
      + verdict.attempts.map { attempt in
        let names = attempt.path.map(CertificateText.shortName).joined(separator: " > ")
        let errors = attempt.errors.map(\.code.rawValue).joined(separator: ", ")
        let pin = attempt.pin.map { ", pin met by certificate \($0.depth)" } ?? ""
        return [.plain("\(Self.indent)     \(names): \(errors.isEmpty ? "acceptable" : errors)\(pin)")]
      }
  }

  private func nearMiss(_ miss: PinNearMiss, _ verdict: Verdict) -> [[Span]] {
    let place = miss.index.map { Self.place($0, of: verdict) } ?? "no certificate"
    let text =
      switch miss.kind {
      case .certificateHash: "is the fingerprint of \(place), but a pin is the hash of its public key"
      case .hashOfNothing:
        "is the SHA-256 of no bytes: the command that made it got no input; 'steelpin pin show' computes the right one"
      case .keyWithoutAlgorithm: "is the hash of the bare key of \(place), without its algorithm"
      case .notOnPath:
        "belongs to certificate \(miss.index ?? 0) of those sent, which is not on the path, so it proves nothing"
      case .outsideScope: "belongs to \(place), which is outside the scope; see --pin-scope"
      case .publicKeyHash: "is the hash of the key of \(place), but the certificate itself is wanted"
      }
    let space = Span.plain(Self.indent + "           ")
    return [[.plain(Self.indent), .warning("near miss  "), .plain("\(miss.pin)")], [space, .plain(text)]]
      + (miss.suggestion.map { [[space, .plain("the right pin is \($0)")]] } ?? [])
  }

  private static func place(_ depth: Int, of verdict: Verdict) -> String {
    guard depth > 0 else { return "the leaf" }
    let isAnchor = verdict.reachesAnchor && depth == verdict.path.count - 1
    guard verdict.path.indices.contains(depth) else { return "certificate \(depth)" }
    let name = CertificateText.shortName(verdict.path[depth])
    return isAnchor ? "the anchor (\(name))" : "certificate \(depth) (\(name))"
  }

  static let indent = "      "
}

/// The word at the beginning of a target's line; colour only repeats what it says.
enum StatusWord {
  static func span(_ status: ExitCode) -> Span {
    switch status {
    case .success: .good("ok    ")
    case .warning: .warning("WARN  ")
    case .unreachable, .noTLS: .bad("NONE  ")
    default: .bad("FAIL  ")
    }
  }
}
