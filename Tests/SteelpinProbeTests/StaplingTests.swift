// SPDX-License-Identifier: Apache-2.0
import Foundation
import Steelpin
import SteelpinProbe
import SteelpinTestSupport
import Testing

@Suite("stapled OCSP responses", .timeLimit(.minutes(10)))
struct StaplingTests {
  @Test("come byte for byte", .enabled(if: ExternalTool.openssl.isInstalled), arguments: ["-tls1_2", "-tls1_3"])
  func staple(_ version: String) async throws {
    let scratch = try ScratchDirectory()
    let intermediate = TestCerts.directory.appendingPathComponent("ca/intermediate-p256").path
    let leaf = TestCerts.directory.appendingPathComponent("leaf/p-256/cert.pem").path
    _ = try scratch.write([], as: "index.txt")
    let made = try ExternalTool.openssl.run(
      [
        "ocsp", "-index", "index.txt", "-CA", intermediate + "/cert.pem", "-rsigner", intermediate + "/cert.pem",
        "-rkey",
        intermediate + "/key.pem", "-issuer", intermediate + "/cert.pem", "-cert", leaf, "-ndays", "1", "-respout",
        "response.der",
      ], in: scratch)
    #expect(made.succeeded, "\(made.text)")
    let response = try scratch.read("response.der")
    let server = try await ServerFixture.openssl(
      "leaf/p-256", ["-status_file", scratch.url.appendingPathComponent("response.der").path, version])
    for engine in tlsEngines {
      let result = try await probe(engine.value, port: server.port).get()
      #expect(result.handshake.stapledOCSPResponse == response, "\(engine.name)")
    }
  }
}
