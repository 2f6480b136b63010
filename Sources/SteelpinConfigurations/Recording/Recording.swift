// SPDX-License-Identifier: Apache-2.0
package import Steelpin

/// What servers sent, kept so that it can be judged again without them: `check --record` writes it, `verify` and suites
/// read it.
///
/// It holds nothing but what a server sent, the host that it was sent for, and when: no address, no pin, no policy.
package struct Recording: Sendable, Hashable {
  /// One finished handshake.
  package struct Server: Sendable, Hashable {
    /// Whom the certificate had to be for.
    package let host: HostName
    /// The port that was asked for.
    package let port: UInt16
    /// When the handshake took place.
    package let time: Timestamp
    /// What was negotiated and served.
    package let handshake: HandshakeSummary

    package init(host: HostName, port: UInt16, time: Timestamp, handshake: HandshakeSummary) {
      self.host = host
      self.port = port
      self.time = time
      self.handshake = handshake
    }

    /// The chain as served, with the staple or the knowledge that there was none.
    package var chain: CertificateChain { CertificateChain(handshake) }
  }

  /// The handshakes, in the order of the command line.
  package var servers: [Server]

  package init(_ servers: [Server]) { self.servers = servers }

  /// What stands under `schema`.
  package static let schema = "steelpin-record/1"

  /// Whether a file means to be a recording, of this version or another: it is a JSON object that names the schema.
  package static func recognizes(_ bytes: [UInt8]) -> Bool {
    let mark = Array("steelpin-record/".utf8)
    guard bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") else { return false }
    return bytes.firstRange(of: mark) != nil
  }

  /// Reads a recording. Everything in it must be known, once and of its kind: what was bent by hand is not evidence.
  ///
  /// Throws ``ConfigurationError`` with the place of what is wrong.
  package init(_ bytes: [UInt8], file: String) throws(ConfigurationError) {
    self.init(try RecordingReader(file: file).read(bytes))
  }

  /// The recording as JSON with a line break at the end.
  package func encoded() -> [UInt8] {
    let items = servers.map { "    " + $0.json }
    let list = items.isEmpty ? "[]" : "[\n" + items.joined(separator: ",\n") + "\n  ]"
    return Array("{\n  \"schema\": \(JSONText.quote(Self.schema)),\n  \"servers\": \(list)\n}\n".utf8)
  }
}

extension CertificateChain {
  /// The chain of a finished handshake, with the staple or the knowledge that there was none.
  package init(_ handshake: HandshakeSummary) {
    self.init(der: handshake.certificates)
    evidence.staple = handshake.stapledOCSPResponse.map { .response($0) } ?? .notSent
  }
}

extension Recording.Server {
  fileprivate var json: String {
    func optional(_ text: String?) -> String { text.map { JSONText.quote($0) } ?? "null" }
    let certificates = handshake.certificates.map { "\n          " + JSONText.quote(Base64.encode($0)) }
    let members = [
      "\"host\": \(JSONText.quote(host.description))", "\"port\": \(port)",
      "\"time\": \(JSONText.quote(time.description))",
      "\"handshake\": {\n        "
        + [
          "\"version\": \(JSONText.quote(handshake.version.description))",
          "\"cipherSuite\": \(JSONText.quote(handshake.cipherSuite))", "\"group\": \(optional(handshake.group))",
          "\"applicationProtocol\": \(optional(handshake.applicationProtocol))",
          "\"requestsClientCertificate\": \(handshake.requestsClientCertificate)",
          "\"certificates\": [" + certificates.joined(separator: ",") + (certificates.isEmpty ? "]" : "\n        ]"),
          "\"stapledOCSPResponse\": \(optional(handshake.stapledOCSPResponse.map { Base64.encode($0) }))",
        ].joined(separator: ",\n        ") + "\n      }",
    ]
    return "{\n      " + members.joined(separator: ",\n      ") + "\n    }"
  }
}
