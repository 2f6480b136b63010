// SPDX-License-Identifier: Apache-2.0
public import Steelpin
internal import SteelpinFormats
internal import SteelpinLab
internal import SteelpinMatrix

#if OpenSSL
  internal import SteelpinOpenSSL
#endif

/// A TLS server on a free port of 127.0.0.1 that is right or wrong in one way, with fresh keys, and that judges the
/// client that comes.
///
///     let server = try TestServer(.expired)
///     _ = try? await client.get(server.url, trusting: server.authorityFile, pin: server.pin)
///     try await server.expectBehaved()
///
/// It needs the trait OpenSSL. It works in a test of Swift Testing and of XCTest alike: what is not as it must be is a
/// thrown error that says so.
public final class TestServer: Sendable {
  /// What a server does, and with it what the client must do; `docs/lab.md` has the table.
  public enum Scenario: String, Sendable, Hashable, CaseIterable {
    /// A server that wants a client certificate: present ``TestServer/clientIdentity``.
    case clientCertificate = "client-cert"
    /// A certificate that ended yesterday.
    case expired
    /// The leaf alone, without the intermediate.
    case missingIntermediate = "missing-intermediate"
    /// A certificate that promises a stapled response, and none (RFC 7633).
    case mustStaple = "must-staple"
    /// An answer in plain HTTP.
    case plainHTTP = "plain-http"
    /// A fatal alert after the handshake.
    case postHandshakeAlert = "post-handshake-alert"
    /// A reset after the ClientHello.
    case resetInHandshake = "reset-in-handshake"
    /// A revoked certificate, as the stapled response says.
    case revoked
    /// A server that is right in every way: the client must send a request.
    case right
    /// A certificate that nobody vouches for.
    case selfSigned = "self-signed"
    /// A server that never says a word.
    case silent
    /// A right server whose handshake takes two seconds.
    case slow
    /// A right server that speaks TLS 1.2 and nothing newer.
    case tls12Only = "tls12-only"
    /// A chain of another CA, which is trusted too, as an interceptor has it.
    case trustedInterceptor = "trusted-ca-mitm"
    /// A certificate for another host.
    case wrongHost = "wrong-host"
    /// A chain in the wrong order, which a client must put up with (RFC 8446 4.4.2).
    case wrongOrder = "wrong-order"
    /// A trusted chain with another key than the pinned one.
    case wrongPin = "wrong-pin"
  }

  /// What the server does.
  public let scenario: Scenario
  /// Where the client connects to, as in `https://localhost:40123/`.
  public let url: String
  /// The host of ``url``.
  public let host: String
  /// The port of ``url``.
  public let port: UInt16
  /// What the client must trust.
  public let anchors: AnchorSet
  /// The pin that the client must require.
  public let pin: Pin
  /// What the client must present if the server asks for a certificate.
  public let clientIdentity: ClientIdentity
  /// The directory with `ca.pem`, `pin.txt`, `chain.pem`, `crl.pem`, `client.pem` and `client.key`; it goes with the
  /// server.
  public let directory: String

  private let server: LabServer<LabConnection>
  private let files: LabFiles

  /// The file of what the client must trust, PEM.
  public var authorityFile: String { files.authorities }

  /// Starts a server with a certificate for a host and for the loopback addresses. After its lifetime it stops by itself.
  ///
  /// Throws ``TestFailure`` if that is not possible, as in a build without OpenSSL.
  public init(
    _ scenario: Scenario, host: String = "localhost", lifetime: Duration = .seconds(60), clock: Timestamp = .now()
  ) throws(TestFailure) {
    #if OpenSSL
      do {
        guard let known = LabScenario.named(scenario.rawValue) else {
          throw TestFailure("there is no scenario '\(scenario.rawValue)'")
        }
        let material = try known.makeMaterial(
          host: HostName(host), keys: KeyRing(OpenSSLKeyProvider()), clock: clock)
        self.anchors = AnchorSet(try material.authorities.map { try Certificate(der: $0) })
        self.server = try LabServer(known, material, engine: OpenSSLTLSEngine(), lifetime: lifetime)
        self.files = try LabFiles(material.files, authorities: nil, directory: nil)
        self.pin = material.pin
        self.clientIdentity = material.client
      } catch {
        throw TestFailure("the server cannot be started: \(error)")
      }
      self.scenario = scenario
      self.host = host
      self.port = server.port
      self.url = "https://\(host.contains(":") ? "[\(host)]" : host):\(server.port)/"
      self.directory = files.directory ?? ""
    #else
      throw TestFailure("the server cannot be started: this build is without OpenSSL; use the trait OpenSSL")
    #endif
  }

  deinit {
    server.cancel()
    files.remove()
  }

  /// Waits until the connections that were made have ended, stops the server, and judges the client.
  ///
  /// Call it once. A client that holds a connection open has the patience to say or do what it must. Throws
  /// ``TestFailure`` if a connection was not as the scenario demands, or if there was none.
  public func expectBehaved(patience: Duration = .seconds(10)) async throws(TestFailure) {
    server.finish()
    let timer = Task { [server] in
      try await Task.sleep(for: patience)
      server.cancel()
    }
    var judgements: [LabJudgement] = []
    for await connection in server.events { judgements.append(connection.judgement) }
    timer.cancel()
    let demand = LabScenario.named(scenario.rawValue)?.demand.text ?? ""
    switch LabResult(judgements) {
    case .behaved: return
    case .nobody: throw TestFailure("\(scenario.rawValue): no client came; \(demand)")
    case .misbehaved, .notTLS:
      let said = judgements.filter { !$0.isAsDemanded }.map(\.text).joined(separator: "; ")
      throw TestFailure("\(scenario.rawValue): \(demand), but \(said)")
    }
  }
}

/// Why a test fails.
public struct TestFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is not as it must be.
  public let description: String

  /// A failure for a reason.
  public init(_ description: String) { self.description = description }
}
