// SPDX-License-Identifier: Apache-2.0
import Foundation
import Steelpin
import SteelpinProbe
import SteelpinTestSupport
import Testing

/// What came of a probe.
typealias Outcome = Result<ProbeResult, ProbeError>

/// Probes a port of the loopback interface under the name that the fixtures have.
func probe(
  _ engine: any TLSEngine, port: UInt16, address: String = "127.0.0.1",
  _ configure: (inout Probe.Options) -> Void = { _ in }
) async throws -> Outcome {
  var options = Probe.Options()
  try options.overrides.addResolve("*:\(port):\(address)")
  configure(&options)
  let endpoint = try Endpoint("www.steelpin.test:\(port)")
  do throws(ProbeError) {
    return .success(try await Probe(engine: engine, options: options).connect(to: endpoint))
  } catch {
    return .failure(error)
  }
}

extension Outcome {
  /// The error; nil if there is none.
  var failure: ProbeError? {
    if case .failure(let error) = self { error } else { nil }
  }
}

/// The DER certificates that a server sends for an entry of testcerts.
func served(_ entry: String) throws -> [[UInt8]] {
  try TestCerts.chain(entry).certificates.map { Array($0.der) }
}
