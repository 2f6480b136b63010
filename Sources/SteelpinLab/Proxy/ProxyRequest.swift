// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinProbe

/// What a client asks of a proxy.
struct ProxyRequest: Sendable {
  /// Where a CONNECT leads to.
  struct Destination: Sendable {
    let host: HostName
    let port: UInt16
    /// Host and port as the client wrote them.
    let text: String
  }

  /// The first line.
  let line: String
  /// The destination of a CONNECT (RFC 9110 9.3.6); nil for anything else.
  let destination: Destination?

  /// Reads the head of a request, which may be none; nil if the client said nothing.
  static func receive(from socket: borrowing Socket, _ deadline: Deadline) -> ProxyRequest? {
    var head: [UInt8] = []
    while head.count < limit {
      if let end = head.firstRange(of: Array("\r\n\r\n".utf8)), end.upperBound == head.count {
        return ProxyRequest(String(decoding: head.prefix { $0 != 0x0D }, as: UTF8.self))
      }
      guard case .data(let bytes) = try? socket.receive(deadline) else { break }
      head += bytes
    }
    return head.isEmpty ? nil : ProxyRequest(String(decoding: head.prefix { $0 != 0x0D }.prefix(80), as: UTF8.self))
  }

  private init(_ line: String) {
    self.line = line
    let words = line.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, words[0] == "CONNECT", let endpoint = try? Endpoint(words[1]), let port = endpoint.port,
      endpoint.scheme == nil
    else {
      destination = nil
      return
    }
    destination = Destination(host: endpoint.host, port: port, text: String(words[1]))
  }

  /// The answer to a CONNECT.
  static let established = Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8)
  /// The answer to anything else.
  static let notAllowed = Array(
    "HTTP/1.1 405 Method Not Allowed\r\nAllow: CONNECT\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)

  /// More than any client sends before the empty line.
  private static let limit = 65536
}
