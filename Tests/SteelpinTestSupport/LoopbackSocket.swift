// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import Synchronization

/// An error of the system in a test's own plumbing.
public struct SocketFailure: Error {
  /// What could not be done, and why.
  public let reason: String

  init(_ operation: String) { reason = "\(operation): \(String(cString: strerror(errno)))" }
}

/// A listening TCP socket of the loopback interface, closed with its last reference.
public final class LoopbackListener: Sendable {
  let descriptor: Int32
  /// The port.
  public let port: UInt16

  /// Listens on 127.0.0.1, or on ::1, at a port that the system chooses if it is 0.
  public init(isIPv6: Bool = false, port wanted: UInt16 = 0, backlog: Int32 = 64) throws {
    let opened = socket(isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard opened >= 0 else { throw SocketFailure("socket") }
    descriptor = opened
    var port: in_port_t = 0
    if isIPv6 {
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_addr = in6addr_loopback
      address.sin6_port = wanted.bigEndian
      try Self.bind(opened, &address)
      port = address.sin6_port
    } else {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      address.sin_port = wanted.bigEndian
      try Self.bind(opened, &address)
      port = address.sin_port
    }
    self.port = UInt16(bigEndian: port)
    guard listen(opened, backlog) == 0 else { throw SocketFailure("listen") }
  }

  deinit { Glibc.close(descriptor) }

  /// Makes a blocked accept return.
  func stop() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// A port at which nothing listens, and which is given to nobody else: it is not one of those that the system hands
  /// out by itself, and the tests of this process get it once.
  public static func freePort() throws -> UInt16 {
    for _ in 0..<100 {
      let port = UInt16.random(in: 20000..<32000)
      guard givenPorts.withLock({ $0.insert(port).inserted }) else { continue }
      if (try? LoopbackListener(port: port)) != nil { return port }
    }
    throw SocketFailure("find a free port")
  }

  private static let givenPorts = Mutex<Set<UInt16>>([])

  private static func bind<Address>(_ descriptor: Int32, _ address: inout Address) throws {
    var size = socklen_t(MemoryLayout<Address>.size)
    let result = withUnsafeMutableBytes(of: &address) { bytes -> Int32 in
      guard let base = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return -1 }
      let bound = Glibc.bind(descriptor, base, size)
      return bound == 0 ? getsockname(descriptor, base, &size) : bound
    }
    guard result == 0 else { throw SocketFailure("bind") }
  }
}

/// A TCP server of the loopback interface that does as it is told with every connection.
public final class ScriptedServer: Sendable {
  private let listener: LoopbackListener

  /// The port.
  public var port: UInt16 { listener.port }

  /// Starts a server; the script runs on a thread of its own for each connection, which is closed at its end.
  public init(isIPv6: Bool = false, _ script: @escaping @Sendable (ScriptedConnection) -> Void) throws {
    let listener = try LoopbackListener(isIPv6: isIPv6)
    self.listener = listener
    Thread.detachNewThread {
      while true {
        let accepted = accept(listener.descriptor, nil, nil)
        guard accepted >= 0 else { return }
        // A program that another test starts would keep it open.
        _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
        Thread.detachNewThread {
          script(ScriptedConnection(descriptor: accepted))
          Glibc.close(accepted)
        }
      }
    }
  }

  deinit { listener.stop() }
}

/// A connection that a ``ScriptedServer`` accepted.
public struct ScriptedConnection: Sendable {
  let descriptor: Int32

  /// Waits for bytes of the client; empty at the end.
  @discardableResult
  public func receive() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 65536)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    return Array(bytes.prefix(max(0, count)))
  }

  /// Waits until the client is gone.
  public func receiveAll() { while !receive().isEmpty {} }

  /// Sends bytes; false if the client is gone.
  @discardableResult
  public func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard sent > 0 else { return false }
      rest = rest.dropFirst(sent)
    }
    return true
  }

  /// Makes the connection end with a reset instead of in good order.
  public func resetAtEnd() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
  }
}
