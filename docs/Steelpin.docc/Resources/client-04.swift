import Foundation
import FoundationNetworking
import Steelpin
import SteelpinHTTP
import SteelpinOpenSSL

let root = try Certificate(der: Array(Data(contentsOf: URL(fileURLWithPath: "ca.der"))))
let pin = try Pin(parsing: "sha256/vY0tPKh8Yrz92CNsiue2MowGZJ1a694th7HlI+6hBpU=")
let policy = TrustPolicy(anchors: .only(AnchorSet([root])), pinning: .pins(PinSet([pin]), scope: .leaf))
let hosts = try HostTable(["localhost": .policy(policy)])
let session = URLSession.pinned(by: hosts, evaluator: OpenSSLTrustEvaluator())

func size(of address: String) async throws -> Int {
  guard let url = URL(string: address) else { throw URLError(.badURL) }
  return try await session.data(from: url).0.count
}

do {
  print("trusted: \(try await size(of: "https://localhost:8443/")) octets")
} catch {
  let failure = (error as? URLError)?.userInfo[NSUnderlyingErrorKey] as? PinningFailure
  print("refused: \(failure?.verdict?.errors.map(\.code.rawValue) ?? ["\(error)"])")
}
