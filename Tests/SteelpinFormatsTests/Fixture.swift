// SPDX-License-Identifier: Apache-2.0
import Foundation
import Steelpin
import SteelpinTestSupport

@testable import SteelpinFormats

/// The files of testcerts.
enum Fixture {
  /// The bytes of a file; none if it is missing, which no test survives.
  static func bytes(_ name: String) -> [UInt8] {
    (try? Data(contentsOf: TestCerts.directory.appendingPathComponent(name))).map(Array.init) ?? []
  }

  /// The DER of the certificates of a PEM file.
  static func certificates(_ name: String) -> [[UInt8]] {
    (try? TestCerts.certificates(name))?.map(\.der) ?? []
  }

  static let leaf = certificates("leaf/p-256/cert.pem")[0]
  static let chain = certificates("leaf/p-256/chain.pem")
}

/// Text as its bytes.
func utf8(_ text: String) -> [UInt8] { Array(text.utf8) }
