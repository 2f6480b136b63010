// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import SteelpinTestSupport
import Synchronization

/// An HTTP or SOCKS 5 proxy that leads to one port of this machine, wherever it is asked to lead, and keeps what it was
/// asked and what it could read.
final class RelayProxy: Sendable {
  enum Kind: Sendable {
    case http
    case socks
  }

  private let server: ScriptedServer
  private let seen: Seen

  private final class Seen: Sendable {
    let asked = Mutex<[String]>([])
    let octets = Mutex<[UInt8]>([])
  }

  var port: UInt16 { server.port }
  /// Where it was asked to lead.
  var asked: [String] { seen.asked.withLock { $0 } }
  /// What went through from the client.
  var octets: [UInt8] { seen.octets.withLock { $0 } }

  init(_ kind: Kind, to target: UInt16) throws {
    let seen = Seen()
    self.seen = seen
    server = try ScriptedServer { connection in
      let destination = kind == .http ? Self.acceptHTTP(connection) : Self.acceptSOCKS(connection)
      guard let destination, let upstream = Self.connect(target) else { return }
      seen.asked.withLock { $0.append(destination) }
      Thread.detachNewThread {
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
          let count = recv(upstream, &buffer, buffer.count, 0)
          guard count > 0, connection.send(Array(buffer.prefix(count))) else { break }
        }
        shutdown(upstream, Int32(SHUT_RDWR))
      }
      while true {
        let bytes = connection.receive()
        guard !bytes.isEmpty else { break }
        seen.octets.withLock { $0 += bytes }
        guard bytes.withUnsafeBytes({ send(upstream, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }) > 0 else {
          break
        }
      }
      close(upstream)
    }
  }

  private static func acceptHTTP(_ connection: ScriptedConnection) -> String? {
    let head = String(decoding: connection.receive(), as: UTF8.self)
    let words = head.split(separator: " ")
    guard words.count > 1, words[0] == "CONNECT" else { return nil }
    connection.send(Array("HTTP/1.1 200 Connected\r\nX-Proxy: yes\r\n\r\n".utf8))
    return String(words[1])
  }

  /// RFC 1928, of which only CONNECT with a name.
  private static func acceptSOCKS(_ connection: ScriptedConnection) -> String? {
    guard connection.receive().first == 5 else { return nil }
    connection.send([5, 0])
    let request = connection.receive()
    guard request.count > 5, request[3] == 3, request.count == 7 + Int(request[4]) else { return nil }
    connection.send([5, 0, 0, 1, 127, 0, 0, 1, 0, 0])
    let name = String(decoding: request[5..<5 + Int(request[4])], as: UTF8.self)
    return "\(name):\(Int(request[request.count - 2]) << 8 | Int(request[request.count - 1]))"
  }

  private static func connect(_ port: UInt16) -> Int32? {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = port.bigEndian
    let result = withUnsafeBytes(of: &address) { bytes in
      Glibc.connect(
        descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
    }
    if result == 0 { return descriptor }
    close(descriptor)
    return nil
  }
}
