// SPDX-License-Identifier: Apache-2.0
import Foundation
import SteelpinTesting
import Testing

/// A client, here curl, against servers that are right and wrong.
@Suite struct CurlTests {
  /// What a client of yours does: it trusts the authority, requires the pin, and sends a request.
  private func get(_ server: TestServer, pinned: Bool = true) async throws -> Int32 {
    let pin = "sha256//" + server.pin.description.dropFirst("sha256/".count)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["curl", "-sS", "--max-time", "5", "--cacert", server.authorityFile] + (pinned ? ["--pinnedpubkey", pin] : [])
      + [server.url]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    return try await withCheckedThrowingContinuation { continuation in
      process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
      do { try process.run() } catch { continuation.resume(throwing: error) }
    }
  }

  @Test(
    "curl does what it must",
    arguments: [
      .right, .wrongPin, .trustedInterceptor, .expired, .selfSigned, .wrongHost, .missingIntermediate, .plainHTTP,
    ] as [TestServer.Scenario])
  func behaves(_ scenario: TestServer.Scenario) async throws {
    let server = try TestServer(scenario)
    let status = try await get(server)
    #expect((status == 0) == (scenario == .right))
    try await server.expectBehaved()
  }

  @Test("without the pin it is fooled, and that is found out") func unpinned() async throws {
    let server = try TestServer(.trustedInterceptor)
    #expect(try await get(server, pinned: false) == 0)
    let failure = await #expect(throws: TestFailure.self) { try await server.expectBehaved() }
    #expect(failure?.description.contains("it was fooled") == true)
  }
}
