// SPDX-License-Identifier: Apache-2.0
// An interceptor that registers a URLProtocol for everything an app loads, rebuilt: a white list whose hosts it leaves
// alone, no plain http, pins for the rest, and a cache of downloads that goes through the same policy.
//
// Verdicts: hosts of the table as it says; the white list takes the default handling; all others and plain http are
// refused. Table, evaluator and connections are one for the sessions and the cache.
//
// Where the original was unsafe: it matched its white list by `contains`, so that `www.steelpin.test.evil.example` was on
// it; its cache loaded by a session of its own without pins; and redirects were followed before they were looked at.
import ExampleSupport
import Foundation
import FoundationNetworking
import Steelpin
import SteelpinHTTP
import SteelpinOpenSSL

/// Files that were downloaded, by their URL, in a directory of their own.
actor DownloadCache {
  private let session: PinnedURLSession
  private var files: [URL: Data] = [:]
  private(set) var loads = 0

  init(_ client: PinnedClient) { session = .pinned(by: client) }

  func file(_ url: URL) async throws -> Data {
    if let data = files[url] { return data }
    let (file, response) = try await session.download(from: url)
    defer { try? FileManager.default.removeItem(at: file) }
    guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
    let data = try Data(contentsOf: file)
    files[url] = data
    loads += 1
    return data
  }
}

let lab = Lab()
let policy = TrustPolicy(
  anchors: .only(AnchorSet([try lab.certificate("ca/root-p256/cert.pem")])),
  pinning: .pins(PinSet([Pin(.publicKey, of: try lab.certificate("leaf/p-256/cert.pem"))]), scope: .leaf))
let client = PinnedClient(
  hosts: SharedHostTable(try HostTable(["www.steelpin.test": .policy(policy), "*.white.example": .bypass])),
  evaluator: OpenSSLTrustEvaluator(), options: lab.options)

// Any session of the app, made by whomever: its configuration names the class, and no other.
let registration = PinningRegistration(client)
let configuration = URLSessionConfiguration.ephemeral
configuration.protocolClasses = [registration.protocolClass]
let intercepted = URLSession(configuration: configuration)
func status(_ url: URL) async throws -> Int {
  (try await intercepted.data(from: url).1 as? HTTPURLResponse)?.statusCode ?? 0
}

await report("pinned") { try await status(lab.url("p-256")) }
await report("wrong pin") { try await status(lab.url("expired")) }
await report("plain http") { try await status(lab.url("plain", scheme: "http")) }
await report("redirect to plain http") { try await status(lab.url("p-256", path: "/to-plain")) }
// The default handling does not know the root of this lab.
await report("white list") { try await status(lab.url("p-256", host: "a.white.example")) }
await report("not on the white list") { try await status(lab.url("p-256", host: "a.white.example.evil.example")) }

let cache = DownloadCache(client)
for _ in 0..<2 { await report("cached") { try await cache.file(lab.url("p-256")).count } }
print("loads: \(await cache.loads)")
await report("cache with the wrong pin") { try await cache.file(lab.url("expired")).count }
