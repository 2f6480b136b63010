// SPDX-License-Identifier: Apache-2.0
import Foundation
import Steelpin
import SteelpinConfigurations
import SteelpinTestSupport
import Testing

@Suite("recordings") struct RecordingTests {
  private static func recording(staple: [UInt8]? = [0x30, 0x03], applicationProtocol: String? = "h2") throws
    -> Recording
  {
    let handshake = HandshakeSummary(
      version: .tls13, cipherSuite: "TLS_AES_128_GCM_SHA256", group: nil, applicationProtocol: applicationProtocol,
      certificates: try TestCerts.chain("leaf/p-256").certificates.map(\.der), stapledOCSPResponse: staple,
      requestsClientCertificate: true)
    return Recording([
      Recording.Server(
        host: try HostName("www.steelpin.test"), port: 8443, time: TestCerts.clock, handshake: handshake),
      Recording.Server(host: try HostName("2001:db8::1"), port: 443, time: TestCerts.clock, handshake: handshake),
    ])
  }

  @Test("what is written is read back", arguments: [nil, [0x30, 0x00]] as [[UInt8]?])
  func roundTrip(_ staple: [UInt8]?) throws {
    let recording = try Self.recording(staple: staple, applicationProtocol: staple == nil ? nil : "\u{1}\"h2")
    let bytes = recording.encoded()
    #expect(Recording.recognizes(bytes))
    #expect(try Recording(bytes, file: "r") == recording)
    #expect(try Recording(Recording([]).encoded(), file: "r") == Recording([]))
  }

  @Test("a chain knows whether there was a staple") func staple() throws {
    #expect(try Self.recording().servers[0].chain.evidence.staple == .response([0x30, 0x03]))
    #expect(try Self.recording(staple: nil).servers[0].chain.evidence.staple == .notSent)
  }

  @Test("other files are no recordings", arguments: ["", "{}", "[\"steelpin-record/1\"]", "-----BEGIN", "{\"a\": 1}"])
  func others(_ text: String) { #expect(!Recording.recognizes(Array(text.utf8))) }

  @Test(
    "what is not as it was written is refused, with its place",
    arguments: [
      ("steelpin-record/1", "steelpin-record/2", "the schema is 'steelpin-record/2'"),
      ("\"port\": 8443", "\"port\": 0", "'port' is no number from 1 to 65535"),
      ("\"port\": 8443", "\"port\": 65536", "'port' is no number from 1 to 65535"),
      ("\"port\": 8443", "\"port\": \"8443\"", "'port' is no number from 1 to 65535"),
      ("\"port\": 8443,", "", "a server has no 'port'"),
      ("\"port\": 8443,", "\"port\": 8443, \"pin\": 1,", "'pin' means nothing in a server"),
      ("\"port\": 8443,", "\"port\": 8443, \"port\": 8443,", "the key 'port' stands twice"),
      ("www.steelpin.test", "www..test", "'host' is no host"),
      ("2026-01-01T00:00:00Z", "yesterday", "'time' is no time of RFC 3339"),
      ("TLS 1.3", "TLS 9", "'version' is no version of TLS"),
      ("\"MII", "\"!II", "a certificate is not base64"),
      ("MAM=", "", "the stapled response is not base64"),
      ("\"cipherSuite\": \"TLS_AES_128_GCM_SHA256\"", "\"cipherSuite\": null", "'cipherSuite' is not a string"),
      ("\"requestsClientCertificate\": true", "\"requestsClientCertificate\": 1", "is neither true nor false"),
      ("\"servers\": [", "\"servers\": 1, \"x\": [", "'x' means nothing in the recording"),
    ])
  func refused(_ part: String, _ other: String, _ message: String) throws {
    let text = String(decoding: try Self.recording().encoded(), as: UTF8.self)
    let range = try #require(text.firstRange(of: part))
    let bent = text.replacingCharacters(in: range, with: other)
    let error = #expect(throws: ConfigurationError.self) { try Recording(Array(bent.utf8), file: "r.json") }
    #expect(error?.message.contains(message) == true, "\(error.map { "\($0)" } ?? "")")
    #expect(error?.position.file == "r.json")
  }

  @Test("no prefix of a recording is one, and none crashes") func prefixes() throws {
    let bytes = try Self.recording().encoded()
    for count in stride(from: 0, to: bytes.count - 2, by: 7) {
      #expect(throws: ConfigurationError.self) { try Recording(Array(bytes.prefix(count)), file: "r") }
    }
  }
}
