// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SteelpinProbe

/// Why a lab cannot do its work.
package struct LabError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What could not be done, and why.
  package let description: String

  package init(_ description: String) { self.description = description }

  init(_ operation: String, _ error: SystemError) { self.init("\(operation): \(error.message)") }
}

/// Sole owner of a listening socket of the loopback interface.
struct LabListener: ~Copyable, Sendable {
  private let descriptor: Int32
  let port: UInt16

  /// Listens on 127.0.0.1, at a port that the system chooses if it is 0.
  init(port wanted: UInt16) throws(LabError) {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let opened = socket(AF_INET, kind, 0)
    guard opened >= 0 else { throw LabError("no socket can be opened", .last) }
    var isReused: Int32 = 1
    setsockopt(opened, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = wanted.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutableBytes(of: &address) { bytes in
      guard let base = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return false }
      return bind(opened, base, size) == 0 && listen(opened, 64) == 0 && getsockname(opened, base, &size) == 0
    }
    guard isListening else {
      let error = LabError("port \(wanted) of 127.0.0.1 cannot be listened on", .last)
      close(opened)
      throw error
    }
    descriptor = opened
    port = UInt16(bigEndian: address.sin_port)
  }

  deinit { close(descriptor) }

  /// The next connection, waiting for it for a moment at most; nil if there is none.
  borrowing func accept(waiting milliseconds: Int32) -> Int32? {
    if milliseconds > 0 {
      var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&state, 1, milliseconds) > 0 else { return nil }
    }
    let accepted = Glibc.accept(descriptor, nil, nil)
    guard accepted >= 0 else { return nil }
    _ = fcntl(accepted, F_SETFL, O_NONBLOCK)
    _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
    return accepted
  }
}
