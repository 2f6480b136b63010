// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinTestSupport
import Testing

/// Judges a chain with every backend, expects that all say the same, and returns the verdict of the first.
func judge(
  _ chain: CertificateChain, host: String? = "www.steelpin.test", _ policy: TrustPolicy, system: AnchorSet? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) throws -> Verdict {
  try judge(chain, host: host, by: policy, system: system, sourceLocation: sourceLocation)
}

/// Judges a chain under what a source demands of the host, as ``judge(_:host:_:system:sourceLocation:)`` does.
func judge(
  _ chain: CertificateChain, host: String? = "www.steelpin.test", by source: some PolicySource,
  at time: Timestamp = TestCerts.clock, system: AnchorSet? = nil, sourceLocation: SourceLocation = #_sourceLocation
) throws -> Verdict {
  let host = try host.map { try HostName($0) }
  let verdicts = try trustBackends(systemAnchors: system).map { backend in
    try backend.evaluate(chain, host: host, by: source, at: time)
  }
  let first = try #require(verdicts.first, sourceLocation: sourceLocation)
  for other in verdicts.dropFirst() {
    #expect(
      first.agrees(with: other), "\(first.errors) and \(other.errors)", sourceLocation: sourceLocation)
  }
  return first
}

extension Verdict {
  /// The codes of all errors with their depths, as in `expired@0`.
  var errorCodes: Set<String> {
    Set(errors.map { $0.code.rawValue + ($0.depth.map { "@\($0)" } ?? "") })
  }

  /// The codes of all warnings.
  var warningCodes: Set<String> {
    Set(findings.filter { $0.severity == .warning }.map(\.code.rawValue))
  }
}
