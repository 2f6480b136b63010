// SPDX-License-Identifier: Apache-2.0
import Foundation
import Steelpin

@testable import SteelpinFormats

/// The files of testcerts.
enum Fixture {
  private static let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("testcerts")

  static func path(_ name: String) -> String { directory.appendingPathComponent(name).path }

  /// The bytes of a file; none if it is missing, which no test survives.
  static func bytes(_ name: String) -> [UInt8] {
    (try? Data(contentsOf: directory.appendingPathComponent(name))).map(Array.init) ?? []
  }

  /// The DER of the certificates of a PEM file, taken out without the loader.
  static func certificates(_ name: String) -> [[UInt8]] {
    String(decoding: bytes(name), as: UTF8.self).components(separatedBy: "-----BEGIN CERTIFICATE-----").dropFirst()
      .compactMap { part in
        let body = part.components(separatedBy: "-----END").first ?? ""
        return Data(base64Encoded: body, options: .ignoreUnknownCharacters).map(Array.init)
      }
  }

  static let leaf = certificates("leaf/p-256/cert.pem")[0]
  static let chain = certificates("leaf/p-256/chain.pem")
}

/// Text as its bytes.
func utf8(_ text: String) -> [UInt8] { Array(text.utf8) }
