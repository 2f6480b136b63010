// SPDX-License-Identifier: Apache-2.0
private import Foundation
private import Glibc

/// A plain HTTP server on a free port of 127.0.0.1, for one test: it answers each connection once, by a closure.
public final class LoopbackHTTPServer: Sendable {
  /// What a client sent.
  public struct Request: Sendable {
    /// The method, as in `POST`.
    public let method: String
    /// The path, as in `/list`.
    public let path: String
    /// The head, up to the empty line.
    public let head: String
    /// The body.
    public let body: [UInt8]
  }

  /// What it gets.
  public struct Response: Sendable {
    /// The status.
    public var status: Int
    /// Header lines beside those about length and connection.
    public var headers: [String]
    /// The body.
    public var body: [UInt8]
    /// How long the client waits.
    public var delay: Duration

    /// A response, good unless something else is said.
    public init(_ body: [UInt8], status: Int = 200, headers: [String] = [], delay: Duration = .zero) {
      self.body = body
      self.status = status
      self.headers = headers
      self.delay = delay
    }
  }

  /// A system call that failed.
  public struct SocketError: Error {
    /// The call.
    public let call: String
    /// Its errno.
    public let number: Int32
  }

  /// The URL of the server's root, as in `http://127.0.0.1:40123`.
  public let url: String
  private let listener: Int32

  /// Starts the server.
  public init(_ answer: @escaping @Sendable (Request) -> Response) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard listener >= 0 else { throw SocketError(call: "socket", number: errno) }
    self.listener = listener
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let port = try withUnsafeMutablePointer(to: &address) { address in
      try address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard bind(listener, address, length) == 0, listen(listener, 16) == 0,
          getsockname(listener, address, &length) == 0
        else { throw SocketError(call: "bind", number: errno) }
      }
      return UInt16(bigEndian: address.pointee.sin_port)
    }
    url = "http://127.0.0.1:\(port)"
    Thread.detachNewThread {
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { break }
        // A program that another test starts would keep it open.
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        Thread.detachNewThread {
          if let request = Self.receive(connection) { Self.send(answer(request), to: connection) }
          close(connection)
        }
      }
      close(listener)
    }
  }

  // accept returns with an error, and the thread closes the socket.
  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  private static func receive(_ connection: Int32) -> Request? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16384)
    while true {
      if let request = parse(bytes) { return request }
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      bytes += buffer.prefix(count)
    }
  }

  private static func parse(_ bytes: [UInt8]) -> Request? {
    guard let end = bytes.indices.first(where: { bytes[$0...].starts(with: Array("\r\n\r\n".utf8)) }) else {
      return nil
    }
    let head = String(decoding: bytes[..<end], as: UTF8.self)
    let lines = head.components(separatedBy: "\r\n")
    let length = lines.first { $0.lowercased().hasPrefix("content-length:") }
      .flatMap { Int($0.dropFirst("content-length:".count).trimmingCharacters(in: .whitespaces)) }
    let body = Array(bytes[(end + 4)...])
    guard body.count >= length ?? 0 else { return nil }
    let words = lines[0].split(separator: " ")
    guard words.count == 3 else { return nil }
    return Request(method: String(words[0]), path: String(words[1]), head: head, body: body)
  }

  private static func send(_ response: Response, to connection: Int32) {
    Thread.sleep(forTimeInterval: Double(response.delay.components.seconds))
    let lines =
      ["HTTP/1.1 \(response.status) Answer", "Content-Length: \(response.body.count)", "Connection: close"]
      + response.headers + ["", ""]
    let bytes = Array(lines.joined(separator: "\r\n").utf8) + response.body
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      sent += count
    }
  }
}
