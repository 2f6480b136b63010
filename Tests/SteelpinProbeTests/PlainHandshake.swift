// SPDX-License-Identifier: Apache-2.0

/// Messages of a TLS 1.2 server, as far as they are not encrypted; RFC 5246.
enum PlainHandshake {
  /// A record of a content type, in as many records as its length takes.
  static func record(_ type: UInt8, _ content: [UInt8]) -> [UInt8] {
    stride(from: 0, to: content.count, by: 16384).flatMap { start -> [UInt8] in
      let part = content[start..<min(start + 16384, content.count)]
      return [type, 3, 3] + bigEndian(part.count, octets: 2) + part
    }
  }

  /// A fatal alert.
  static func alert(_ description: UInt8) -> [UInt8] { record(21, [2, description]) }

  /// A handshake message, in records.
  static func message(_ type: UInt8, _ body: [UInt8]) -> [UInt8] {
    record(22, [type] + bigEndian(body.count, octets: 3) + body)
  }

  /// A ServerHello without session and extensions; TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256 unless told otherwise.
  static func serverHello(version: UInt8 = 3, suite: [UInt8] = [0xC0, 0x2F]) -> [UInt8] {
    message(2, [3, version] + [UInt8](repeating: 7, count: 32) + [0] + suite + [0])
  }

  /// A Certificate message with any bytes for certificates.
  static func certificate(_ certificates: [[UInt8]]) -> [UInt8] {
    let list = certificates.flatMap { bigEndian($0.count, octets: 3) + $0 }
    return message(11, bigEndian(list.count, octets: 3) + list)
  }

  static func bigEndian(_ number: Int, octets: Int) -> [UInt8] {
    (0..<octets).map { UInt8(truncatingIfNeeded: number >> (8 * (octets - 1 - $0))) }
  }
}
