// SPDX-License-Identifier: Apache-2.0
import Foundation
import SteelpinTestSupport

/// `openssl s_server` that answers nothing and writes down every octet that it decrypts.
final class TLSListener: Sendable {
  private let server: ServerFixture

  init(_ options: String...) async throws {
    let leaf = TestCerts.directory.appendingPathComponent("leaf/p-256")
    let issuer = TestCerts.directory.appendingPathComponent("ca/intermediate-p256/cert.pem")
    server = try await ServerFixture(.openssl, holdsInput: true) { port, _ in
      [
        "s_server", "-accept", "127.0.0.1:\(port)", "-quiet", "-cert", leaf.appendingPathComponent("cert.pem").path,
        "-key", leaf.appendingPathComponent("key.pem").path, "-cert_chain", issuer.path,
      ] + options
    }
  }

  var port: UInt16 { server.port }

  /// All that the server wrote.
  var text: String { server.output }

  /// Waits until the server has heard something.
  func waits(for part: String) async throws {
    for _ in 0..<600 {
      if text.contains(part) { return }
      try await Task.sleep(for: .milliseconds(50))
    }
    throw Unexpected(what: "the server never heard \(part): \(text)")
  }
}
