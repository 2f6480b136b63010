// SPDX-License-Identifier: Apache-2.0
// A wrapper around Alamofire, rebuilt: one tool for the whole app, a status for every response, signed requests, and a
// table of hosts with pinned certificates whose chain and host are validated as two flags say.
//
// Verdicts: a host of the table is trusted if Alamofire's PinnedCertificatesTrustEvaluator with the same flags would
// trust it; any other host is refused.
//
// Where the original was unsafe: it signed with MD5 of parameters and secret (HMAC-SHA-256 here); with both flags off it
// trusted any chain that contained the pinned certificate, whoever signed it (the flags are kept, the chain has to be
// one); and its table compared names letter by letter, so that `API.example.org` was never found.
import ExampleSupport
import Foundation
import FoundationNetworking
import Steelpin
import SteelpinHTTP
import SteelpinOpenSSL

/// What became of a request.
enum ResponseStatus: Sendable {
  case success(Data)
  case httpError(Int)
  case untrusted(PinningFailure)
  case offline(URLError)
}

/// The tool that the app has one of.
final class NetworkTool: Sendable {
  struct Host {
    var name: String
    var certificates: [Certificate]
    var validatesChain = true
    var validatesHost = true
  }

  private let session: PinnedURLSession

  init(hosts: [Host], secret: [UInt8], options: PinningOptions) throws {
    var table = HostTable()
    for host in hosts {
      let evaluator = AlamofireEvaluator.pinnedCertificates(
        host.certificates, acceptSelfSigned: true, performDefaultValidation: host.validatesChain,
        validateHost: host.validatesHost)
      let name = try HostName(host.name)
      table.rules[HostPattern(name)] = .demand(AlamofirePreset(evaluator).policy(for: name, at: .now()))
    }
    var options = options
    options.adapters = [SortedParameterSignature(secret: secret, signedFields: ["X-App-Version"])]
    session = .pinned(by: table, evaluator: OpenSSLTrustEvaluator(), options: options)
  }

  func get(_ url: URL) async -> ResponseStatus {
    var request = URLRequest(url: url)
    request.setValue("1.0", forHTTPHeaderField: "X-App-Version")
    do {
      let (data, response) = try await session.data(for: request)
      let status = (response as? HTTPURLResponse)?.statusCode ?? 0
      return status == 200 ? .success(data) : .httpError(status)
    } catch let error as URLError {
      return error.pinningFailure.map { .untrusted($0) } ?? .offline(error)
    } catch {
      return .offline(URLError(.unknown))
    }
  }
}

let lab = Lab()
let root = try lab.certificate("ca/root-p256/cert.pem")
let tool = try NetworkTool(
  hosts: [
    .init(name: "WWW.steelpin.test", certificates: [root]),
    .init(name: "other.steelpin.test", certificates: [root], validatesHost: false),
  ], secret: Array("secret".utf8), options: lab.options)

func show(_ name: String, _ url: URL) async {
  switch await tool.get(url) {
  case .success(let data): print("\(name): success \(data.count)")
  case .httpError(let status): print("\(name): status \(status)")
  case .untrusted(let failure):
    print("\(name): untrusted \(failure.verdict?.errors.first?.code.rawValue ?? "\(failure.reason)")")
  case .offline(let error): print("\(name): offline \(error.code.rawValue)")
  }
}
await show("pinned", try lab.url("p-256", path: "/?b=2&a=1"))
await show("missing page", try lab.url("p-256", path: "/missing"))
await show("expired", try lab.url("expired"))
await show("wrong host", try lab.url("wrong-host"))
await show("any host", try lab.url("p-256", host: "other.steelpin.test"))
await show("unknown host", try lab.url("p-256", host: "evil.example"))
