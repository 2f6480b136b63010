// SPDX-License-Identifier: Apache-2.0
// A small request library, rebuilt: a builder with a pinned leaf and a callback for pinning errors.
//
// Verdicts: the leaf must be the pinned certificate, byte for byte, and the chain must be trusted for the host.
//
// Where the original was unsafe: it compared the leaf and nothing else, so an expired certificate, or one for another
// host, was good as long as it was the pinned one; and the callback came after the request had failed on its own, or not
// at all. `asTheOriginal` keeps the first, to show what it lets through.
import ExampleSupport
import Foundation
import FoundationNetworking
import Steelpin
import SteelpinHTTP
import SteelpinOpenSSL

/// A request that is built step by step.
struct Request {
  private var url: URL
  private var method = "GET"
  private var policy = CompositePolicy.policy(TrustPolicy())
  private var onPinningError: (@Sendable (PinningFailure) -> Void)?
  private let options: PinningOptions

  init(_ url: URL, options: PinningOptions) {
    self.url = url
    self.options = options
  }

  func method(_ method: String) -> Request { with { $0.method = method } }

  func pin(leaf: Certificate, anchors: TrustPolicy.Anchors, asTheOriginal: Bool = false) -> Request {
    with {
      $0.policy =
        asTheOriginal
        ? PitayaPreset(leaf: leaf).policy(for: nil, at: .now())
        : .policy(TrustPolicy(anchors: anchors, pinning: .leafData([leaf])))
    }
  }

  func onPinningError(_ body: @escaping @Sendable (PinningFailure) -> Void) -> Request {
    with { $0.onPinningError = body }
  }

  func send() async throws -> (Data, HTTPURLResponse) {
    var options = options
    options.onFailure = onPinningError
    let session = URLSession.pinned(
      by: HostTable(unknownHost: .demand(policy)), evaluator: OpenSSLTrustEvaluator(), options: options)
    var request = URLRequest(url: url)
    request.httpMethod = method
    let (data, response) = try await session.data(for: request)
    guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
    return (data, response)
  }

  private func with(_ change: (inout Request) -> Void) -> Request {
    var copy = self
    change(&copy)
    return copy
  }
}

let lab = Lab()
let anchors = TrustPolicy.Anchors.only(AnchorSet([try lab.certificate("ca/root-p256/cert.pem")]))
for (entry, pinned, asTheOriginal) in [
  ("p-256", "p-256", false), ("p-256", "rsa-2048", false), ("expired", "expired", false), ("expired", "expired", true),
] {
  let leaf = try lab.certificate("leaf/\(pinned)/cert.pem")
  await report("\(entry) pinned to \(pinned)\(asTheOriginal ? " as the original" : "")") {
    try await Request(lab.url(entry), options: lab.options).method("POST")
      .pin(leaf: leaf, anchors: anchors, asTheOriginal: asTheOriginal)
      .onPinningError { print("callback: \($0.verdict?.outcome.rawValue ?? "-")") }
      .send().1.statusCode
  }
}
