// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Steelpin

/// The fixtures of `testcerts/`. They are read here without the loader, which is itself under test.
public enum TestCerts {
  /// The directory.
  public static let directory = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("testcerts")

  /// The moment at which the fixtures are judged, 2026-01-01T00:00:00Z.
  public static let clock = Timestamp(secondsSince1970: 1_767_225_600)

  /// The certificates of a PEM file, as in `bundle/roots.pem`, in order.
  public static func certificates(_ file: String) throws -> [Certificate] {
    let text = try String(contentsOf: directory.appendingPathComponent(file), encoding: .utf8)
    return try text.components(separatedBy: "-----BEGIN CERTIFICATE-----").dropFirst().map { block in
      let body = block.components(separatedBy: "-----END CERTIFICATE-----")[0]
      let data = Data(base64Encoded: body, options: .ignoreUnknownCharacters) ?? Data()
      return try Certificate(der: Array(data))
    }
  }

  /// The first certificate of an entry, as in `leaf/wildcard`.
  public static func certificate(_ entry: String) throws -> Certificate {
    try certificates(entry + "/cert.pem")[0]
  }

  /// The chain that a server sends for an entry, as in `leaf/wildcard`.
  public static func chain(_ entry: String) throws -> CertificateChain {
    CertificateChain(try certificates(entry + "/chain.pem"))
  }

  /// Both roots, the usual anchors.
  public static func roots() throws -> AnchorSet { AnchorSet(try certificates("bundle/roots.pem")) }
}
