// SPDX-License-Identifier: Apache-2.0
import Foundation
import Steelpin
import SteelpinProbe
import SteelpinTestSupport
import Testing

/// What both engines bring back of servers that people run: the same, and what the server was told to do.
@Suite("real servers", .timeLimit(.minutes(10)))
struct RealServerTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let tool: ExternalTool
    let entry: String
    let start: @Sendable (String) async throws -> ServerFixture
    let version: TLSVersion
    let suite: String
    var group: String? = "x25519"
    var applicationProtocol: String?
    var requestsClientCertificate = false
  }

  private static func openssl(
    _ name: String, _ entry: String, _ arguments: [String], _ version: TLSVersion, _ suite: String,
    group: String? = "x25519", applicationProtocol: String? = nil, requestsClientCertificate: Bool = false
  ) -> Case {
    Case(
      testDescription: "openssl: \(name)", tool: .openssl, entry: entry,
      start: { try await ServerFixture.openssl($0, arguments) }, version: version, suite: suite, group: group,
      applicationProtocol: applicationProtocol, requestsClientCertificate: requestsClientCertificate)
  }

  private static func gnutls(
    _ name: String, _ entry: String, _ arguments: [String], _ version: TLSVersion, _ suite: String,
    group: String? = "x25519", applicationProtocol: String? = nil, requestsClientCertificate: Bool = false
  ) -> Case {
    Case(
      testDescription: "gnutls: \(name)", tool: .gnutlsServ, entry: entry,
      start: { try await ServerFixture.gnutls($0, arguments) }, version: version, suite: suite, group: group,
      applicationProtocol: applicationProtocol, requestsClientCertificate: requestsClientCertificate)
  }

  static let cases: [Case] = [
    openssl("TLS 1.3", "leaf/p-256", [], .tls13, "TLS_AES_256_GCM_SHA384"),
    openssl("TLS 1.2", "leaf/p-256", ["-tls1_2"], .tls12, "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"),
    openssl("RSA", "leaf/rsa-2048", ["-tls1_2"], .tls12, "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"),
    openssl("RSA-PSS key", "leaf/rsa-pss-key", [], .tls13, "TLS_AES_256_GCM_SHA384"),
    openssl("Ed25519", "leaf/ed25519", [], .tls13, "TLS_AES_256_GCM_SHA384"),
    openssl("P-521", "leaf/p-521", [], .tls13, "TLS_AES_256_GCM_SHA384"),
    openssl("expired", "leaf/expired", [], .tls13, "TLS_AES_256_GCM_SHA384"),
    openssl("another host", "leaf/wrong-host", [], .tls13, "TLS_AES_256_GCM_SHA384"),
    openssl("for clients only", "leaf/wrong-eku", [], .tls13, "TLS_AES_256_GCM_SHA384"),
    openssl("self-signed", "leaf/self-signed", [], .tls13, "TLS_AES_256_GCM_SHA384"),
    openssl("missing intermediate", "leaf/missing-intermediate", [], .tls13, "TLS_AES_256_GCM_SHA384"),
    openssl(
      "weak RSA and SHA-1", "leaf/rsa-1024", ["-cipher", "ALL:@SECLEVEL=0"], .tls13, "TLS_AES_256_GCM_SHA384"),
    openssl("P-384", "leaf/p-256", ["-groups", "P-384"], .tls13, "TLS_AES_256_GCM_SHA384", group: "secp384r1"),
    openssl("X448", "leaf/p-256", ["-groups", "X448"], .tls13, "TLS_AES_256_GCM_SHA384", group: "x448"),
    openssl("ffdhe2048", "leaf/p-256", ["-groups", "ffdhe2048"], .tls13, "TLS_AES_256_GCM_SHA384", group: "ffdhe2048"),
    openssl(
      "its own suite", "leaf/p-256", ["-ciphersuites", "TLS_AES_128_CCM_SHA256"], .tls13, "TLS_AES_128_CCM_SHA256"),
    openssl(
      "RSA key exchange", "leaf/rsa-2048", ["-tls1_2", "-cipher", "AES128-SHA"], .tls12, "TLS_RSA_WITH_AES_128_CBC_SHA",
      group: nil),
    openssl(
      "CBC", "leaf/rsa-2048", ["-tls1_2", "-cipher", "ECDHE-RSA-AES256-SHA384"], .tls12,
      "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384"),
    openssl(
      "DHE", "leaf/rsa-2048", ["-tls1_2", "-cipher", "DHE-RSA-AES256-GCM-SHA384"], .tls12,
      "TLS_DHE_RSA_WITH_AES_256_GCM_SHA384", group: nil),
    openssl("ALPN h2", "leaf/p-256", ["-alpn", "h2"], .tls13, "TLS_AES_256_GCM_SHA384", applicationProtocol: "h2"),
    openssl(
      "ALPN http/1.1 in TLS 1.2", "leaf/p-256", ["-alpn", "http/1.1", "-tls1_2"], .tls12,
      "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", applicationProtocol: "http/1.1"),
    openssl(
      "may have a client certificate", "leaf/p-256", ["-verify", "2"], .tls13, "TLS_AES_256_GCM_SHA384",
      requestsClientCertificate: true),
    openssl(
      "may have a client certificate, no tickets", "leaf/p-256", ["-verify", "2", "-num_tickets", "0"], .tls13,
      "TLS_AES_256_GCM_SHA384", requestsClientCertificate: true),
    openssl(
      "may have a client certificate in TLS 1.2", "leaf/p-256", ["-verify", "2", "-tls1_2"], .tls12,
      "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", requestsClientCertificate: true),
    gnutls("TLS 1.3", "leaf/p-256", [], .tls13, "TLS_AES_256_GCM_SHA384"),
    gnutls(
      "TLS 1.2", "leaf/rsa-2048", ["--priority", "NORMAL:-VERS-ALL:+VERS-TLS1.2"], .tls12,
      "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"),
    gnutls("ALPN", "leaf/p-256", ["--alpn", "h2"], .tls13, "TLS_AES_256_GCM_SHA384", applicationProtocol: "h2"),
    Case(
      testDescription: "nginx: TLS 1.3", tool: .nginx, entry: "leaf/p-256",
      start: { try await ServerFixture.nginx($0) },
      version: .tls13, suite: "TLS_AES_256_GCM_SHA384", applicationProtocol: "h2"),
    Case(
      testDescription: "nginx: TLS 1.2", tool: .nginx, entry: "leaf/rsa-2048",
      start: { try await ServerFixture.nginx($0, ["ssl_protocols TLSv1.2;"]) }, version: .tls12,
      suite: "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", applicationProtocol: "h2"),
    Case(
      testDescription: "nginx: may have a client certificate", tool: .nginx, entry: "leaf/p-256",
      start: { try await ServerFixture.nginx($0, ["ssl_verify_client optional_no_ca;"]) }, version: .tls13,
      suite: "TLS_AES_256_GCM_SHA384", applicationProtocol: "h2", requestsClientCertificate: true),
    Case(
      testDescription: "apache: TLS 1.3", tool: .apache, entry: "leaf/rsa-2048",
      start: { try await ServerFixture.apache($0) },
      version: .tls13, suite: "TLS_AES_256_GCM_SHA384", applicationProtocol: "http/1.1"),
    Case(
      testDescription: "apache: TLS 1.2", tool: .apache, entry: "leaf/p-256",
      start: { try await ServerFixture.apache($0, ["SSLProtocol TLSv1.2"]) }, version: .tls12,
      suite: "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", applicationProtocol: "http/1.1"),
  ].filter(\.tool.isInstalled)

  @Test("every engine brings back the same", arguments: cases)
  func handshake(_ test: Case) async throws {
    let server = try await test.start(test.entry)
    let expected = HandshakeSummary(
      version: test.version, cipherSuite: test.suite, group: test.group, applicationProtocol: test.applicationProtocol,
      certificates: try served(test.entry), stapledOCSPResponse: nil,
      requestsClientCertificate: test.requestsClientCertificate)
    for engine in tlsEngines {
      let result = try await probe(engine.value, port: server.port).get()
      #expect(Summary(result.handshake) == Summary(expected), "\(engine.name)")
      #expect(result.address == "127.0.0.1")
      #expect(result.port == server.port)
      #expect(result.serverName == "www.steelpin.test")
    }
  }

  @Test("a client certificate that is missing is told", arguments: ["-tls1_2", "-tls1_3"], tlsEngines)
  func clientCertificateRequired(_ version: String, _ engine: Named<any TLSEngine>) async throws {
    let server = try await ServerFixture.openssl("leaf/p-256", ["-Verify", "2", version])
    let error = try #require(try await probe(engine.value, port: server.port).failure)
    #expect(error.code == .clientCertificateRequired, "\(error) \(error.native)")
    #expect(error.reach == .withoutTLS)
    #expect(error.phase == (version == "-tls1_3" ? .afterHandshake : .handshake))
    #expect(try error.served?.certificates == served("leaf/p-256"))
    #expect(error.served?.requestsClientCertificate == true)
  }

  @Test("nginx's way to require a client certificate is no handshake's end", arguments: tlsEngines)
  func nginxRequires(_ engine: Named<any TLSEngine>) async throws {
    guard ExternalTool.nginx.isInstalled else { return }
    let anchors = TestCerts.directory.appendingPathComponent("bundle/roots.pem").path
    let server = try await ServerFixture.nginx(
      "leaf/p-256", ["ssl_verify_client on;", "ssl_client_certificate \(anchors);"])
    // It completes the handshake and answers requests with an error of HTTP.
    let result = try await probe(engine.value, port: server.port).get()
    #expect(result.handshake.requestsClientCertificate)
  }

  @Test("a client certificate is sent", arguments: ["-tls1_2", "-tls1_3"], tlsEngines)
  func clientCertificate(_ version: String, _ engine: Named<any TLSEngine>) async throws {
    let server = try await ServerFixture.openssl("leaf/p-256", ["-Verify", "2", version])
    let identity = ClientIdentity(
      certificates: try served("leaf/wrong-eku"), privateKey: try key("leaf/wrong-eku"))
    let result = try await probe(engine.value, port: server.port) { $0.clientIdentity = identity }.get()
    #expect(result.handshake.requestsClientCertificate)
  }

  @Test("a client's key that is another's is refused before anything is sent", arguments: tlsEngines)
  func unfitIdentity(_ engine: Named<any TLSEngine>) async throws {
    let server = try await ServerFixture.openssl("leaf/p-256")
    let identity = ClientIdentity(certificates: try served("leaf/wrong-eku"), privateKey: try key("leaf/p-384"))
    let error = try #require(try await probe(engine.value, port: server.port) { $0.clientIdentity = identity }.failure)
    #expect(error.code == .tlsFailed)
    #expect(error.hint.contains("belong together"))
  }

  @Test("versions that do not meet", arguments: ["-tls1_2", "-tls1_3"], tlsEngines)
  func versions(_ version: String, _ engine: Named<any TLSEngine>) async throws {
    let server = try await ServerFixture.openssl("leaf/p-256", [version])
    let outcome = try await probe(engine.value, port: server.port) { options in
      options.minimumVersion = version == "-tls1_2" ? .tls13 : .tls12
      options.maximumVersion = options.minimumVersion
    }
    let error = try #require(outcome.failure)
    #expect(error.code == .tlsNoCommonVersion, "\(error) \(error.native)")
  }

  @Test("suites that do not meet", arguments: tlsEngines)
  func suites(_ engine: Named<any TLSEngine>) async throws {
    let server = try await ServerFixture.openssl("leaf/p-256", ["-tls1_2", "-cipher", "aNULL:@SECLEVEL=0"])
    let error = try #require(try await probe(engine.value, port: server.port).failure)
    #expect(error.code == .tlsNoCommonVersion, "\(error) \(error.native)")
  }

  @Test("a chain of 200 certificates", arguments: tlsEngines)
  func longChain(_ engine: Named<any TLSEngine>) async throws {
    let leaf = TestCerts.directory.appendingPathComponent("leaf/rsa-2048")
    let chain = try String(contentsOf: leaf.appendingPathComponent("chain.pem"), encoding: .utf8)
    let intermediate = try String(
      contentsOf: TestCerts.directory.appendingPathComponent("ca/intermediate-rsa/cert.pem"), encoding: .utf8)
    let server = try await ServerFixture.openssl(
      chain: chain + String(repeating: intermediate, count: 198), key: leaf.appendingPathComponent("key.pem").path)
    let result = try await probe(engine.value, port: server.port).get()
    #expect(result.handshake.certificates.count == 200)
    #expect(try result.handshake.certificates[0] == served("leaf/rsa-2048")[0])
  }

  private func key(_ entry: String) throws -> [UInt8] {
    let pem = try String(
      contentsOf: TestCerts.directory.appendingPathComponent(entry + "/key.pem"), encoding: .utf8)
    let body = pem.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()
    return Array(try #require(Data(base64Encoded: body)))
  }
}

/// A summary with the hashes of its certificates, which themselves would fill a failed test's output.
private struct Summary: Equatable {
  let line: String
  let certificates: [String]

  init(_ summary: HandshakeSummary) {
    line =
      "\(summary.version) \(summary.cipherSuite) \(summary.group ?? "-") \(summary.applicationProtocol ?? "-") "
      + "\(summary.requestsClientCertificate) \(summary.stapledOCSPResponse.map(Hex.encode) ?? "-")"
    certificates = summary.certificates.map { SHA256Digest(of: $0).hex }
  }
}
