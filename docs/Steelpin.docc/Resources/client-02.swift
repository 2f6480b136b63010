import Foundation
import Steelpin
import SteelpinOpenSSL

let evaluator = OpenSSLTrustEvaluator()
let root = try Certificate(der: Array(Data(contentsOf: URL(fileURLWithPath: "ca.der"))))
let pin = try Pin(parsing: "sha256/vY0tPKh8Yrz92CNsiue2MowGZJ1a694th7HlI+6hBpU=")
let policy = TrustPolicy(anchors: .only(AnchorSet([root])), pinning: .pins(PinSet([pin]), scope: .leaf))

let leaf = try Array(Data(contentsOf: URL(fileURLWithPath: "leaf.der")))
let issuer = try Array(Data(contentsOf: URL(fileURLWithPath: "issuer.der")))
let verdict = try evaluator.evaluate(
  CertificateChain(der: [leaf, issuer]), host: HostName("localhost"), policy: policy)
print(verdict.isTrusted ? "trusted" : "refused: \(verdict.errors.map(\.code.rawValue))")
