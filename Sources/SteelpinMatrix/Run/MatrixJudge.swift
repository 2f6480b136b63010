// SPDX-License-Identifier: Apache-2.0
package import Steelpin
package import SteelpinConfigurations

/// What decides about a chain: a policy of ours, or a pin configuration under the rules of its own system.
package enum MatrixJudge: Sendable {
  case configuration(PinConfiguration, anchors: TrustPolicy.Anchors, port: UInt16)
  case source(any PolicySource)

  func verdict(of row: MatrixRow, by evaluator: any TrustBackend) throws(BackendError) -> Verdict {
    switch self {
    case .configuration(let configuration, let anchors, let port):
      let system = evaluator.systemAnchors?.certificates ?? []
      let known =
        switch anchors {
        case .only(let own): own.certificates
        case .system: system
        case .systemAnd(let own): own.certificates + system
        }
      let context = PlatformContext(anchors: anchors, anchorCertificates: known, time: row.time)
      guard let host = row.host else {
        return refusal(.hostMissing, "a pin configuration is for hosts, but no host is given", row, evaluator)
      }
      let check = try ConfigurationChecker(evaluator: evaluator, context: context)
        .check(configuration, host: host, port: port, chain: row.chain)
      switch check.outcome {
      case .blocked: return refusal(.hostNotAllowed, check.requirement.reason, row, evaluator)
      case .forbidden: return refusal(.keyForbidden, "a key that is forbidden is on the path", row, evaluator, check)
      case .accepted, .acceptedUnpinned, .pinMismatch, .untrusted:
        return check.verdict ?? refusal(.hostNotAllowed, check.requirement.reason, row, evaluator)
      }
    case .source(let source):
      return try evaluator.evaluate(row.chain, host: row.host, by: source, at: row.time)
    }
  }

  private func refusal(
    _ code: FindingCode, _ detail: String, _ row: MatrixRow, _ evaluator: any TrustBackend, _ check: HostCheck? = nil
  ) -> Verdict {
    let path = check?.verdict?.path ?? Array(row.chain.certificates.prefix(1))
    return Verdict(
      backend: evaluator.name, outcome: .untrusted, host: row.host, time: row.time, path: path,
      reachesAnchor: check?.verdict?.reachesAnchor ?? false, findings: [Finding(code, detail: detail)], pins: nil,
      attempts: [])
  }
}
