// SPDX-License-Identifier: Apache-2.0
import ExampleSupport
import Steelpin
import SteelpinOpenSSL

extension Certificate: CertificateOfNIO {
  func toDERBytes() throws -> [UInt8] { der }
}

struct PrintingPromise: PromiseOfNIO {
  let name: String

  func succeed(_ value: VerificationResultOfNIO) { print("\(name): \(value)") }
  func fail(_ error: any Error) { print("\(name): error \(error)") }
}

let lab = Lab()
let policy = TrustPolicy(anchors: .only(AnchorSet([try lab.certificate("ca/root-p256/cert.pem")])))
let verification = NIOVerification(
  host: try HostName("www.steelpin.test"), table: try HostTable(["www.steelpin.test": .policy(policy)]),
  evaluator: OpenSSLTrustEvaluator())
for entry in ["p-256", "expired", "wrong-host"] {
  let chain = [
    try lab.certificate("leaf/\(entry)/cert.pem"), try lab.certificate("ca/intermediate-p256/cert.pem"),
  ]
  verification(chain, PrintingPromise(name: entry))
}
