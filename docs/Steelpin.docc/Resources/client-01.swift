import Foundation
import Steelpin
import SteelpinOpenSSL

let evaluator = OpenSSLTrustEvaluator()
let root = try Certificate(der: Array(Data(contentsOf: URL(fileURLWithPath: "ca.der"))))
