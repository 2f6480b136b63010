// SPDX-License-Identifier: Apache-2.0
private import Foundation

/// PEM for tools that read no DER; the product's own writer is under test elsewhere.
public enum PEM {
  /// A certificate.
  public static func certificate(_ der: [UInt8]) -> String { block("CERTIFICATE", der) }

  /// An unencrypted PKCS#8 key.
  public static func privateKey(_ pkcs8: [UInt8]) -> String { block("PRIVATE KEY", pkcs8) }

  private static func block(_ label: String, _ der: [UInt8]) -> String {
    let body = Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
    return "-----BEGIN \(label)-----\n\(body)\n-----END \(label)-----\n"
  }
}
