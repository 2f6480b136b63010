// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Glibc
internal import Steelpin

/// Resolves names with getaddrinfo(3), which knows no time-out: it runs on a thread of its own, and is left behind when
/// the deadline comes.
package enum Resolver {
  package enum Failure: Error {
    case refused(String)
    case timeout
  }

  package static func addresses(of host: String, port: UInt16, _ deadline: Deadline) throws(Failure) -> [SocketAddress]
  {
    let answer = Answer()
    OwnThread.run { answer.set(lookUp(host, port)) }
    while !deadline.isOver, !deadline.isCancelled {
      if let result = answer.wait(milliseconds: Int(deadline.pollSlice)) { return try result.get() }
    }
    throw .timeout
  }

  private static func lookUp(_ host: String, _ port: UInt16) -> Result<[SocketAddress], Failure> {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_NUMERICSERV
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, String(port), &hints, &list)
    defer { if let list { freeaddrinfo(list) } }
    guard code == 0 else {
      let system = code == EAI_SYSTEM ? ": " + SystemError.last.message : ""
      return .failure(.refused(String(cString: gai_strerror(code)) + system))
    }
    var addresses: [SocketAddress] = []
    var next = list
    while let entry = next {
      if let address = SocketAddress(entry.pointee), !addresses.contains(where: { $0.bytes == address.bytes }) {
        addresses.append(address)
      }
      next = entry.pointee.ai_next
    }
    return addresses.isEmpty ? .failure(.refused("no address")) : .success(addresses)
  }

  /// A result that one thread waits for and another sets.
  private final class Answer: Sendable {
    private let result = Locked<Result<[SocketAddress], Failure>?>(nil)
    private let semaphore = DispatchSemaphore(value: 0)

    func set(_ value: Result<[SocketAddress], Failure>) {
      result.withLock { $0 = value }
      semaphore.signal()
    }

    func wait(milliseconds: Int) -> Result<[SocketAddress], Failure>? {
      guard semaphore.wait(timeout: .now() + .milliseconds(milliseconds)) == .success else { return nil }
      return result.withLock { $0 }
    }
  }
}

extension SocketAddress {
  /// The address of an entry; nil if it is neither IPv4 nor IPv6.
  fileprivate init?(_ entry: addrinfo) {
    guard entry.ai_family == AF_INET || entry.ai_family == AF_INET6, let address = entry.ai_addr else { return nil }
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let code = getnameinfo(address, entry.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
    guard code == 0 else { return nil }
    self.family = entry.ai_family
    self.bytes = Array(UnsafeRawBufferPointer(start: address, count: Int(entry.ai_addrlen)))
    self.text = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
