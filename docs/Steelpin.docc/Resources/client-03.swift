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
