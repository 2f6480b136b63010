// SPDX-License-Identifier: Apache-2.0
// A wrapper for a server with a self-signed certificate, rebuilt: the `.crt` of the server is converted to the `.cer`
// that the app carries, and set as an anchor with SecTrustSetAnchorCertificates and `…AnchorCertificatesOnly(false)`.
//
// Verdicts: the chain must end at the certificate or at an authority of the system, for the right host and date.
//
// Where the original was unsafe: as the anchors are not exclusive, every public authority can vouch for the server, too:
// it looks like a pin and is none. `exclusive` makes it one. Besides it took the whole `.crt` for one certificate.
import ExampleSupport
import Foundation
import FoundationNetworking
import Steelpin
import SteelpinFormats
import SteelpinHTTP
import SteelpinOpenSSL

let lab = Lab()
// server.crt, as it comes from the administrator, becomes server.cer.
let loaded = try CertificateLoader().load(try lab.file("leaf/self-signed/cert.pem"), name: "server.crt")
let cer = try CertificateWriter(.der).encode(loaded.certificates.map(\.certificate), name: "server.cer")
let certificate = try Certificate(der: cer)
print("converted: \(cer.count == certificate.der.count)")

// Stands for the authorities of the system, of which this one has issued the other servers' certificates.
let system = AnchorSet([try lab.certificate("ca/root-p256/cert.pem")])
let evaluator = OpenSSLTrustEvaluator(systemAnchors: system)
for isExclusive in [false, true] {
  let trust = SecurityFrameworkPreset(
    .setAnchorCertificates([certificate]), .setAnchorCertificatesOnly(isExclusive))
  let host = try HostName("www.steelpin.test")
  let table = HostTable(HostMap([(HostPattern(host), .demand(trust.policy(for: host, at: .now())))]))
  let session = URLSession.pinned(by: table, evaluator: evaluator, options: lab.options)
  for entry in ["self-signed", "p-256", "expired"] {
    await report("\(entry), \(isExclusive ? "exclusive" : "not exclusive")") {
      (try await session.data(from: lab.url(entry)).1 as? HTTPURLResponse)?.statusCode ?? 0
    }
  }
}
