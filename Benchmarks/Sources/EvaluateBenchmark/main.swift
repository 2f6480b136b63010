// SPDX-License-Identifier: Apache-2.0
import Foundation
import RawLoops
import Steelpin
import SteelpinGnuTLS
import SteelpinOpenSSL

// Usage: EvaluateBenchmark DIRECTORY, with what scripts/bench-evaluate made in it: rsa/ and p256/, each with
// leaf.der, intermediate.der, root.der and fresh/0.der, fresh/1.der, …

guard CommandLine.arguments.count == 2 else {
  FileHandle.standardError.write(Data("usage: EvaluateBenchmark DIRECTORY\n".utf8))
  exit(64)
}
let directory = URL(fileURLWithPath: CommandLine.arguments[1])

func read(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: directory.appendingPathComponent(name))) }

/// Memory that the peers read, kept until the end of the process.
func permanent(_ bytes: [UInt8]) -> raw_der {
  let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
  buffer.initialize(from: bytes, count: bytes.count)
  return raw_der(bytes: UnsafePointer(buffer), count: bytes.count)
}

/// The peers' objects are only read by several threads.
struct Shared<Value>: @unchecked Sendable { let value: Value }

let hostText = "bench.steelpin.test"
let host = try HostName(hostText)
let now = Timestamp.now()

for kind in ["rsa", "p256"] {
  let (leaf, intermediate, root) = (
    try read("\(kind)/leaf.der"), try read("\(kind)/intermediate.der"), try read("\(kind)/root.der")
  )
  let fresh = try (0..<64).map { try read("\(kind)/fresh/\($0).der") }
  let policy = TrustPolicy(anchors: .only(AnchorSet([try Certificate(der: root)])), time: now)
  let chain = CertificateChain(der: [leaf, intermediate])
  let openSSL = Shared(value: raw_openssl_new(permanent(leaf), permanent(intermediate), permanent(root)))
  let gnuTLS = Shared(value: raw_gnutls_new(permanent(leaf), permanent(intermediate), permanent(root)))
  let seconds = time_t(now.secondsSince1970)

  @Sendable func repeated(_ evaluator: some TrustEvaluator, _ times: Int) {
    for _ in 0..<times {
      demand((try? evaluator.evaluate(chain, host: host, policy: policy).isTrusted) == true, evaluator.name)
    }
  }

  for threads in [1, 2] {
    let (cached, direct) = (OpenSSLTrustEvaluator(), OpenSSLTrustEvaluator(cachedProofs: 0))
    let peer: @Sendable () -> Void = {
      demand(raw_openssl_verify(openSSL.value, hostText, seconds, 200) == 200, "X509_verify_cert")
    }
    let label = "\(kind), \(threads) thread\(threads == 1 ? "" : "s"), OpenSSL"
    report(
      "same chain, \(label)",
      Comparison(threads: threads, operations: (2000, 200), ours: { repeated(cached, 2000) }, peer: peer),
      peer: "X509_verify_cert", target: "10")
    report(
      "same chain, no proof cache, \(label)",
      Comparison(threads: threads, operations: (200, 200), ours: { repeated(direct, 200) }, peer: peer),
      peer: "X509_verify_cert", target: "0.9")
    let (cachedGnu, directGnu) = (GnuTLSTrustEvaluator(), GnuTLSTrustEvaluator(cachedProofs: 0))
    let peerGnu: @Sendable () -> Void = {
      demand(raw_gnutls_verify(gnuTLS.value, hostText, 200) == 200, "gnutls_x509_trust_list_verify_crt2")
    }
    let labelGnu = "\(kind), \(threads) thread\(threads == 1 ? "" : "s"), GnuTLS"
    report(
      "same chain, \(labelGnu)",
      Comparison(threads: threads, operations: (2000, 200), ours: { repeated(cachedGnu, 2000) }, peer: peerGnu),
      peer: "gnutls_x509_trust_list_verify_crt2", target: "10")
    report(
      "same chain, no proof cache, \(labelGnu)",
      Comparison(threads: threads, operations: (200, 200), ours: { repeated(directGnu, 200) }, peer: peerGnu),
      peer: "gnutls_x509_trust_list_verify_crt2", target: "0.9")
  }

  // Caches that hold a few paths and no leaf, so that each of the 64 is new whenever its turn comes. The intermediate is
  // known to both sides.
  let raw = Shared(value: fresh.map(permanent))
  let issuer = try Certificate(der: intermediate)
  let evaluator = OpenSSLTrustEvaluator(cachedProofs: 8, cachedLeaves: 0)
  report(
    "fresh leaf, \(kind), OpenSSL",
    Comparison(
      operations: (64, 64),
      ours: {
        for der in fresh {
          guard let leaf = try? Certificate(der: der) else { return demand(false, "parsing") }
          let chain = CertificateChain([leaf, issuer])
          demand((try? evaluator.evaluate(chain, host: host, policy: policy).isTrusted) == true, "fresh leaf")
        }
      },
      peer: {
        demand(
          raw.value.withUnsafeBufferPointer {
            raw_openssl_parse_and_verify(openSSL.value, $0.baseAddress, 64, hostText, seconds)
          } == 64, "d2i_X509 and X509_verify_cert")
      }),
    peer: "d2i_X509 and X509_verify_cert", target: "1.5")

  // Leaf-data equality and a pin among a thousand, as an evaluation does them.
  let certificate = try Certificate(der: leaf)
  let again = try Certificate(der: leaf)
  let others = (0..<999).map { Pin(.publicKey, SHA256Digest(of: Array("\($0)".utf8))) }
  let pins = PinSet(others + [Pin(.publicKey, of: certificate)])
  for (name, work) in [
    ("leaf-data equality", { @Sendable in demand(certificate == again, "equality") }),
    ("pin among 1,000", { @Sendable in demand(pins.match(for: certificate) != nil, "pin lookup") }),
  ] {
    let start = DispatchTime.now().uptimeNanoseconds
    for _ in 0..<100_000 { work() }
    let nanoseconds = Double(DispatchTime.now().uptimeNanoseconds - start) / 100_000
    print("\(name), \(kind): \(nanoseconds.rounded()) ns (target: under 200)")
  }
  raw_openssl_free(openSSL.value)
  raw_gnutls_free(gnuTLS.value)
}
