// SPDX-License-Identifier: Apache-2.0
package import Steelpin

extension JSONValue {
  /// The facts about a certificate; with `full`, also what `inspect` shows.
  package static func certificate(_ certificate: Certificate, full: Bool, now: Timestamp) -> JSONValue {
    let brief: JSONValue = [
      "subject": .string("\(certificate.subject)"),
      "issuer": .string("\(certificate.issuer)"),
      "notBefore": .optional(certificate.validity.notBefore?.description),
      "notAfter": .optional(certificate.validity.notAfter?.description),
      "pin": .string(Pin(.publicKey, of: certificate).description),
      "sha256": .string(certificate.sha256.hex),
    ]
    guard full else { return brief }
    let decoded = certificate.decoded
    return brief.adding([
      "daysLeft": certificate.validity.notAfter.map {
        .integer(Int(($0.seconds(since: now)) / 86400))
      } ?? .null,
      "version": .integer(certificate.version),
      "serial": .string(Hex.encode(certificate.serialNumber)),
      "names": .strings((decoded.subjectAlternativeNames ?? []).map(CertificateNames.text)),
      "key": .string("\(certificate.publicKey.kind)"),
      "signatureAlgorithm": .string(CertificateNames.signature(certificate.signatureAlgorithm)),
      "isCA": .bool(decoded.basicConstraints?.isCA ?? false),
      "pathLength": decoded.basicConstraints?.pathLength.map(JSONValue.integer) ?? .null,
      "keyUsage": decoded.keyUsage.map { .strings(CertificateNames.usages($0)) } ?? .null,
      "extendedKeyUsage": decoded.extendedKeyUsage.map { .strings($0.map(CertificateNames.purpose)) } ?? .null,
      "subjectKeyIdentifier": .optional(decoded.subjectKeyIdentifier.map { Hex.encode($0) }),
      "authorityKeyIdentifier": .optional(decoded.authorityKeyIdentifier?.keyIdentifier.map { Hex.encode($0) }),
      "notes": .strings(CertificateNames.notes(certificate)),
      "der": .string(Base64.encode(certificate.der)),
    ])
  }

  /// A verdict, whole.
  package static func verdict(_ verdict: Verdict, now: Timestamp) -> JSONValue {
    [
      "backend": .string(verdict.backend),
      "outcome": .string(verdict.outcome.rawValue),
      "host": .optional(verdict.host?.description),
      "time": .string(verdict.time.description),
      "reachesAnchor": .bool(verdict.reachesAnchor),
      "findings": .array(verdict.findings.map(finding)),
      "path": .array(verdict.path.map { .certificate($0, full: false, now: now) }),
      "pins": verdict.pins.map(pins) ?? .null,
      "attempts": .array(verdict.attempts.map(attempt)),
    ]
  }

  private static func finding(_ finding: Finding) -> JSONValue {
    [
      "code": .string(finding.code.rawValue),
      "severity": .string(finding.severity.rawValue),
      "depth": finding.depth.map(JSONValue.integer) ?? .null,
      "detail": .string(finding.detail),
      "clause": .optional(Explanation.of(finding.code.rawValue)?.clause),
      "native": .array(
        finding.native.map {
          ["library": .string($0.library), "code": .string($0.code), "message": .string($0.message)]
        }),
    ]
  }

  private static func pins(_ report: PinReport) -> JSONValue {
    [
      "configured": .strings(report.configured.map(\.description)),
      "scope": .string(report.scope.rawValue),
      "match": report.match.map(match) ?? .null,
      "nearMisses": .array(
        report.nearMisses.map { miss in
          [
            "pin": .string(miss.pin.description), "kind": .string(miss.kind.rawValue),
            "index": miss.index.map(JSONValue.integer) ?? .null,
            "suggestion": .optional(miss.suggestion?.description),
          ]
        }),
    ]
  }

  private static func match(_ match: PinMatch) -> JSONValue {
    ["pin": .string(match.pin.description), "depth": .integer(match.depth)]
  }

  /// A path that was tried, its certificates by their fingerprints.
  private static func attempt(_ attempt: PathAttempt) -> JSONValue {
    [
      "path": .strings(attempt.path.map(\.sha256.hex)),
      "errors": .strings(attempt.errors.map(\.code.rawValue)),
      "pin": attempt.pin.map(match) ?? .null,
    ]
  }
}
