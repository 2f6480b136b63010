// SPDX-License-Identifier: Apache-2.0
// A verification callback for swift-nio-ssl and AsyncHTTPClient, explained in docs/nio.md. The protocols below have the
// shape of NIOSSLCertificate, EventLoopPromise and NIOSSLVerificationResultWithMetadata, so that this builds without them; with
// swift-nio-ssl at hand, leave them out and conform the real types.
import Steelpin

/// The shape of NIOSSLCertificate.
protocol CertificateOfNIO {
  /// The DER.
  func toDERBytes() throws -> [UInt8]
}

/// The shape of EventLoopPromise<NIOSSLVerificationResult>.
protocol PromiseOfNIO<Value> {
  associatedtype Value
  /// Fulfils the promise.
  func succeed(_ value: Value)
  /// Breaks the promise.
  func fail(_ error: any Error)
}

/// The shape of NIOSSLVerificationResult.
enum VerificationResultOfNIO: Sendable {
  case certificateVerified
  case failed
}

/// A NIOSSLCustomVerificationCallback that judges what the server sent by what a table demands of the host.
///
/// The callback replaces all verification of the library: set `certificateVerification` to `.noHostnameVerification` or
/// `.fullVerification`, never to `.none`, under which it is not called. swift-nio-ssl hands it the certificates as they
/// were sent, and no host; so there is one callback for each host.
struct NIOVerification: Sendable {
  let host: HostName
  let table: HostTable
  let evaluator: any TrustEvaluator
  /// Called once for each connection that is refused, before its promise is.
  var onFailure: @Sendable (Verdict) -> Void = { _ in }

  func callAsFunction(
    _ certificates: [some CertificateOfNIO], _ promise: some PromiseOfNIO<VerificationResultOfNIO>
  ) {
    do {
      let chain = CertificateChain(der: try certificates.map { try $0.toDERBytes() })
      let verdict = try evaluator.evaluate(chain, host: host, by: table)
      // `.performDefaultHandling` cannot be had here, as there is no other verification: it counts as a refusal unless
      // the system trusts the chain, which is what the verdict of such a host says.
      guard verdict.isTrusted else {
        onFailure(verdict)
        return promise.succeed(.failed)
      }
      promise.succeed(.certificateVerified)
    } catch {
      promise.fail(error)
    }
  }
}
