// SPDX-License-Identifier: Apache-2.0
// A wrapper around AFNetworking, rebuilt: certificate pinning with `allowInvalidCertificates` on and
// `validatesDomainName` off, the settings that are copied from answer to answer.
//
// Verdicts: those of AFSecurityPolicy with these settings.
//
// Where the original was unsafe: without the name of the host, any certificate of the pinned authority is good for any
// host: whoever can get one for his own host can read everything. `strict` is what was meant.
import ExampleSupport
import Foundation
import FoundationNetworking
import Steelpin
import SteelpinHTTP
import SteelpinOpenSSL

/// AFHTTPSessionManager, as far as it is used.
struct HTTPSessionManager {
  var securityPolicy: AFNetworkingPreset
  let options: PinningOptions

  func get(_ url: URL) async throws -> Int {
    let host = try HostName(url.host ?? "")
    let rule = HostTable.Rule.demand(securityPolicy.policy(for: host, at: .now()))
    let session = URLSession.pinned(
      by: HostTable(HostMap([(HostPattern(host), rule)])), evaluator: OpenSSLTrustEvaluator(), options: options)
    let (_, response) = try await session.data(from: url)
    return (response as? HTTPURLResponse)?.statusCode ?? 0
  }
}

let lab = Lab()
let root = try lab.certificate("ca/root-p256/cert.pem")
let asCopied = HTTPSessionManager(
  securityPolicy: AFNetworkingPreset(
    mode: .certificate, allowInvalidCertificates: true, validatesDomainName: false, pinnedCertificates: [root]),
  options: lab.options)
var strict = asCopied
strict.securityPolicy.validatesDomainName = true
let unpinned = HTTPSessionManager(
  securityPolicy: AFNetworkingPreset(allowInvalidCertificates: true), options: lab.options)
for entry in ["p-256", "wrong-host", "expired", "self-signed"] {
  await report("\(entry), as copied") { try await asCopied.get(lab.url(entry)) }
  await report("\(entry), strict") { try await strict.get(lab.url(entry)) }
}
await report("p-256, allow invalid without pins") { try await unpinned.get(lab.url("p-256")) }
