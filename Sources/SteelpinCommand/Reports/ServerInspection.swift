// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinReports

extension Inspection {
  /// What a server sent, as it was served and as it was built. The verdict is shown, but does not decide the status:
  /// to look is not to judge.
  init(connection: Connection, judgement: Judgement?, _ invocation: Invocation, now: Timestamp) {
    let chain = connection.chain
    var lines: [[Span]] =
      connection.failure == nil
      ? [
        [
          .bold(connection.title),
          .plain("  \(chain.elements.count) certificate\(chain.elements.count == 1 ? "" : "s") as served"),
        ], connection.line,
      ]
      : connection.failureLines
    for (index, element) in chain.elements.enumerated() {
      switch element {
      case .certificate(let certificate):
        lines += CertificateText.full(certificate, title: "  \(index)", now: now)
      case .malformed(let bytes, let error):
        lines.append([.bold("  \(index)"), .bad("  cannot be read"), .plain(" (\(bytes.count) bytes): \(error)")])
      }
    }
    if let judgement, let verdict = judgement.verdicts.first {
      lines += Self.built(verdict.path, of: chain.certificates)
      lines.append([.dim("  trust "), .plain(Self.headline(judgement))])
      lines += verdict.findings.map { [.dim("  note  "), .plain("\($0.code.rawValue): \($0.detail)")] }
    }
    self.status = connection.status
    self.lines = lines
    self.json = [
      "target": .string(connection.target.text), "status": .integer(Int(connection.status.rawValue)),
      "connection": connection.json, "certificates": .array(chain.elements.map { .element($0, now: now) }),
      "verdicts": .array((judgement?.verdicts ?? []).map { .verdict($0, now: now) }),
    ]
  }

  private static func headline(_ judgement: Judgement) -> String {
    let names = judgement.verdicts.map(\.backend).joined(separator: ", ")
    switch judgement.status {
    case .backendsDisagree: return "the backends disagree (\(names))"
    case .success, .warning: return "trusted by \(names)"
    default: return "not trusted by \(names)"
    }
  }
}

extension JSONValue {
  /// A certificate as served, or why it cannot be read.
  fileprivate static func element(_ element: CertificateChain.Element, now: Timestamp) -> JSONValue {
    switch element {
    case .certificate(let certificate): .certificate(certificate, full: true, now: now)
    case .malformed(let bytes, let error): ["error": .string("\(error)"), "der": .string(Base64.encode(bytes))]
    }
  }
}
