// SPDX-License-Identifier: Apache-2.0

/// Other protocols than TLS, told by the first bytes of a server.
enum OtherProtocol {
  /// The protocol's name for people; nil if the bytes are of none that is known.
  static func name(_ bytes: [UInt8]) -> String? {
    let text = String(decoding: bytes, as: UTF8.self)
    for (prefix, name) in prefixes where text.hasPrefix(prefix) { return name }
    if text.hasPrefix("220") { return text.uppercased().contains("FTP") ? "FTP" : "SMTP" }
    // The length of MySQL's greeting takes three octets, its number one, and its protocol is 10.
    if bytes.count > 5, bytes[3] == 0, bytes[4] == 10 { return "MySQL" }
    return nil
  }

  private static let prefixes: [(String, String)] = [
    ("HTTP/", "plain HTTP"), ("<!DOCTYPE", "plain HTTP"), ("<html", "plain HTTP"), ("SSH-", "SSH"), ("* OK", "IMAP"),
    ("* BYE", "IMAP"), ("+OK", "POP3"), ("-ERR", "POP3 or Redis"), ("RFB ", "VNC"), ("<?xml", "XMPP"),
    ("<stream:", "XMPP"),
  ]

  /// The first bytes as a person can read them, without control characters.
  static func shown(_ bytes: [UInt8]) -> String {
    let readable = bytes.prefix(32).map { 0x20...0x7E ~= $0 ? Character(UnicodeScalar($0)) : "." }
    return "'" + String(readable) + "'"
  }
}
