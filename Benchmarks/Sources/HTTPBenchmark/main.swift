// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Steelpin
import SteelpinFormats
import SteelpinGnuTLS
import SteelpinHTTP
import SteelpinOpenSSL

// HTTPBenchmark plain|openssl|gnutls URL COUNT AT_ONCE ROUNDS CACERT PIN
//
// Prints for each round the requests per second, the memory that the process has and had at most, in KiB, and the
// requests that failed. Plain URLSession has the trust of the system.

let arguments = CommandLine.arguments
guard arguments.count == 8, let url = URL(string: arguments[2]), let count = Int(arguments[3]),
  let atOnce = Int(arguments[4]), let rounds = Int(arguments[5]), let host = url.host
else {
  FileHandle.standardError.write(
    Data("usage: HTTPBenchmark plain|openssl|gnutls URL COUNT AT_ONCE ROUNDS CACERT PIN\n".utf8))
  exit(64)
}

/// Who carries the requests.
let load: @Sendable (URL) async throws -> (Data, URLResponse)
if arguments[1] == "plain" {
  let session = URLSession(configuration: .ephemeral)
  load = { try await session.data(from: $0) }
} else {
  let anchors = try CertificateLoader().load(
    Array(Data(contentsOf: URL(fileURLWithPath: arguments[6]))), name: "anchors")
  let policy = TrustPolicy(
    anchors: .only(AnchorSet(anchors.certificates.map(\.certificate))),
    pinning: .pins(PinSet([try Pin(parsing: arguments[7])]), scope: .any))
  let evaluator: any TrustEvaluator = arguments[1] == "gnutls" ? GnuTLSTrustEvaluator() : OpenSSLTrustEvaluator()
  let session = URLSession.pinned(by: try HostTable([host: .policy(policy)]), evaluator: evaluator)
  load = { try await session.data(from: $0) }
}

/// A line of /proc/self/status, in KiB.
func memory(_ name: String) -> String {
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") } ?? ""
  return line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.map(String.init) ?? "?"
}

for _ in 0..<rounds {
  let start = ContinuousClock.now
  let failures = await withTaskGroup(of: Bool.self) { group in
    var failures = 0
    for number in 0..<count {
      if number >= atOnce, await group.next() == false { failures += 1 }
      group.addTask { ((try? await load(url))?.1 as? HTTPURLResponse)?.statusCode == 200 }
    }
    for await isGood in group where !isGood { failures += 1 }
    return failures
  }
  let seconds =
    Double((ContinuousClock.now - start).components.attoseconds) / 1e18
    + Double((ContinuousClock.now - start).components.seconds)
  print(Int(Double(count) / seconds), memory("VmRSS"), memory("VmHWM"), failures)
}
