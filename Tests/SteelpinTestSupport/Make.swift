// SPDX-License-Identifier: Apache-2.0
import Steelpin

/// Makes the texts in which people have certificates.
public enum Make {
  /// Base64 in lines of a width.
  public static func base64(_ der: [UInt8], width: Int = 64, end: String = "\n") -> String {
    let text = Array(Base64.encode(der))
    return stride(from: 0, to: text.count, by: width)
      .map { String(text[$0..<min($0 + width, text.count)]) + end }.joined()
  }

  /// One block of PEM.
  public static func pem(
    _ der: [UInt8], _ label: String = "CERTIFICATE", width: Int = 64, end: String = "\n"
  ) -> String {
    "-----BEGIN \(label)-----\(end)\(base64(der, width: width, end: end))-----END \(label)-----\(end)"
  }

  /// Text in UTF-16.
  public static func utf16(_ text: String, bigEndian: Bool, mark: Bool = true) -> [UInt8] {
    ((mark ? [0xFEFF] : []) + Array(text.utf16)).flatMap {
      let pair = [UInt8($0 & 0xFF), UInt8($0 >> 8)]
      return bigEndian ? pair.reversed() : pair
    }
  }

  /// Text with something in place of something else.
  public static func replace(_ text: String, _ what: String, _ with: String) -> String {
    text.split(separator: what, omittingEmptySubsequences: false).joined(separator: with)
  }
}
