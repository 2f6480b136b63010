// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// An address to connect to, as getaddrinfo(3) gives it.
package struct SocketAddress: Sendable {
  package let family: Int32
  /// The octets of a sockaddr.
  let bytes: [UInt8]
  /// The address as text, without port.
  let text: String
}

/// What the system said when it refused something.
package struct SystemError: Error {
  package let number: Int32

  package init(number: Int32) { self.number = number }

  package static var last: SystemError { SystemError(number: errno) }

  package var message: String { strerror(number).map { String(cString: $0) } ?? "error \(number)" }
}

/// Sole owner of one non-blocking TCP socket; closes it on every way out.
package struct Socket: ~Copyable {
  package let descriptor: Int32

  /// What came of waiting or of reading.
  package enum Event {
    case data([UInt8])
    case end
    case timeout
  }

  package init(family: Int32) throws(SystemError) {
    let stream = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let opened = socket(family, stream, 0)
    guard opened >= 0 else { throw .last }
    descriptor = opened
  }

  /// Takes ownership of a connected, non-blocking descriptor.
  package init(adopting descriptor: Int32) { self.descriptor = descriptor }

  deinit { Glibc.close(descriptor) }

  /// Connects; false if the deadline came first.
  package borrowing func connect(to address: SocketAddress, _ deadline: Deadline) throws(SystemError) -> Bool {
    let result = address.bytes.withUnsafeBytes { bytes in
      Glibc.connect(
        descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(address.bytes.count))
    }
    if result == 0 { return true }
    guard errno == EINPROGRESS || errno == EINTR else { throw .last }
    guard try wait(for: Int16(POLLOUT), deadline) else { return false }
    var error: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size) == 0 else { throw .last }
    guard error == 0 else { throw SystemError(number: error) }
    return true
  }

  /// Sends all bytes; false if the deadline came first.
  package borrowing func send(_ bytes: [UInt8], _ deadline: Deadline) throws(SystemError) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      // MSG_NOSIGNAL: a server that is gone is an error here, not a signal for the whole process.
      let sent = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if sent > 0 {
        rest = rest.dropFirst(sent)
      } else if errno == EAGAIN {
        guard try wait(for: Int16(POLLOUT), deadline) else { return false }
      } else if errno != EINTR {
        throw .last
      }
    }
    return true
  }

  /// Receives what there is, waiting for it until the deadline.
  package borrowing func receive(_ deadline: Deadline) throws(SystemError) -> Event {
    while true {
      var count = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: 16384) { buffer, initialized in
        count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
        initialized = max(0, count)
      }
      if count > 0 { return .data(bytes) }
      if count == 0 { return .end }
      if errno == EAGAIN {
        guard try wait(for: Int16(POLLIN), deadline) else { return .timeout }
      } else if errno != EINTR {
        throw .last
      }
    }
  }

  /// Waits until the socket is ready; false if the deadline or a cancellation came first.
  private borrowing func wait(for events: Int16, _ deadline: Deadline) throws(SystemError) -> Bool {
    while !deadline.isOver, !deadline.isCancelled {
      var state = pollfd(fd: descriptor, events: events, revents: 0)
      let ready = poll(&state, 1, deadline.pollSlice)
      if ready > 0 { return true }
      guard ready == 0 || errno == EINTR else { throw .last }
    }
    return false
  }
}
