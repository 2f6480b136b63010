// SPDX-License-Identifier: Apache-2.0
internal import Foundation
private import Glibc
internal import Steelpin

/// What is sent with a request.
enum RequestBody: @unchecked Sendable {
  case none
  case data(Data)
  case file(URL)
  /// It is read once, by one reader.
  case stream(InputStream)
}

/// What a reader has.
enum BodyPart {
  /// Octets that were written.
  case bytes(Int)
  case end
  case failed
  /// Nothing yet; the reader calls back when there is more.
  case later
}

/// Reads a body from its beginning, on the engine's thread.
final class BodyReader {
  private enum Source {
    case data(Data)
    case file(Int32)
    case stream(StreamPump)
  }

  /// The octets; nil if they are not known.
  let length: Int64?
  private let source: Source
  private var offset = 0

  /// A reader; nil if there is no body. Throws if a file cannot be read. `wake` is called from any thread when a stream
  /// has more.
  init?(_ body: RequestBody, wake: @escaping @Sendable () -> Void) throws {
    switch body {
    case .none: return nil
    case .data(let data):
      length = Int64(data.count)
      source = .data(data)
    case .file(let url):
      let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: url.path]) }
      var status = stat()
      guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        close(descriptor)
        throw CocoaError(.fileReadUnknown, userInfo: [NSFilePathErrorKey: url.path])
      }
      length = Int64(status.st_size)
      source = .file(descriptor)
    case .stream(let stream):
      length = nil
      source = .stream(StreamPump(stream, wake: wake))
    }
  }

  deinit { if case .file(let descriptor) = source { close(descriptor) } }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> BodyPart {
    switch source {
    case .data(let data):
      let count = min(buffer.count, data.count - offset)
      guard count > 0 else { return .end }
      let start = data.startIndex + offset
      data.copyBytes(to: buffer, from: start..<start + count)
      offset += count
      return .bytes(count)
    case .file(let descriptor):
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      return count > 0 ? .bytes(count) : count == 0 ? .end : .failed
    case .stream(let pump): return pump.take(into: buffer)
    }
  }

  /// Goes back, to send again; false if the source cannot.
  func seek(to place: Int64) -> Bool {
    switch source {
    case .data(let data):
      guard 0...Int64(data.count) ~= place else { return false }
      offset = Int(place)
      return true
    case .file(let descriptor): return lseek(descriptor, Int(place), SEEK_SET) == place
    case .stream: return false
    }
  }
}

/// Reads a stream on a queue of its own, as a stream may block; what it holds is bounded.
private final class StreamPump: Sendable {
  private struct State {
    var bytes: [UInt8] = []
    var isReading = false
    var isAtEnd = false
    var isFailed = false
  }

  private let state = Locked(State())
  private let queue = DispatchQueue(label: "steelpin.http.body")
  nonisolated(unsafe) private let stream: InputStream
  private let wake: @Sendable () -> Void
  private static let capacity = 64 << 10

  init(_ stream: InputStream, wake: @escaping @Sendable () -> Void) {
    self.stream = stream
    self.wake = wake
  }

  func take(into buffer: UnsafeMutableRawBufferPointer) -> BodyPart {
    let (part, reads) = state.withLock { state -> (BodyPart, Bool) in
      guard !state.bytes.isEmpty else {
        if state.isFailed { return (.failed, false) }
        if state.isAtEnd { return (.end, false) }
        defer { state.isReading = true }
        return (.later, !state.isReading)
      }
      let count = min(buffer.count, state.bytes.count)
      buffer.copyBytes(from: state.bytes.prefix(count))
      state.bytes.removeFirst(count)
      return (.bytes(count), false)
    }
    if reads { queue.async { self.fill() } }
    return part
  }

  private func fill() {
    if stream.streamStatus == .notOpen { stream.open() }
    var bytes = [UInt8](repeating: 0, count: Self.capacity)
    let count = stream.read(&bytes, maxLength: bytes.count)
    state.withLock { state in
      state.isReading = false
      state.isFailed = count < 0
      state.isAtEnd = count == 0
      if count > 0 { state.bytes = Array(bytes.prefix(count)) }
    }
    if count <= 0 { stream.close() }
    wake()
  }
}
