// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// A TCP server on a free loopback port that does one thing to every connection; it stops with its last reference.
final class ScriptedServer: @unchecked Sendable {
  /// What it does.
  enum Script: Sendable {
    /// Closes at once.
    case closes
    /// Says some bytes as soon as it has heard any, and goes on listening.
    case says([UInt8])
    /// Says nothing.
    case silent
  }

  struct Failure: Error {
    let call: String
  }

  let port: UInt16
  private let descriptor: Int32

  init(_ script: Script) throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw Failure(call: "socket") }
    self.descriptor = descriptor
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, length) == 0 && listen(descriptor, 16) == 0
          && getsockname(descriptor, address, &length) == 0
      }
    }
    guard result else { throw Failure(call: "listen") }
    self.port = UInt16(bigEndian: address.sin_port)
    // The thread ends when the descriptor is shut down.
    Thread.detachNewThread {
      while case let connection = accept(descriptor, nil, nil), connection >= 0 {
        Thread.detachNewThread { Self.serve(connection, script) }
      }
    }
  }

  deinit {
    shutdown(descriptor, Int32(SHUT_RDWR))
    close(descriptor)
  }

  private static func serve(_ connection: Int32, _ script: Script) {
    defer { close(connection) }
    if case .closes = script { return }
    var buffer = [UInt8](repeating: 0, count: 4096)
    var isFirst = true
    while recv(connection, &buffer, buffer.count, 0) > 0 {
      if case .says(let bytes) = script, isFirst {
        isFirst = false
        _ = bytes.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      }
    }
  }

  /// A port on which nobody listens: one that was free a moment ago.
  static func closedPort() throws -> UInt16 { try ScriptedServer(.closes).port }
}
