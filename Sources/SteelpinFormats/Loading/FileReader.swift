// SPDX-License-Identifier: Apache-2.0
private import Glibc
import Steelpin

/// Reads whole files of bounded size: regular files, pipes, and standard input as `-`.
public struct FileReader: Sendable {
  /// The most bytes that are read.
  public var limit: Int
  /// How many seconds a pipe may be silent; standard input may be silent for ever, since a person may type there.
  public var timeout: Int

  /// A reader of files of at most 64 MiB, which waits 10 seconds for a silent pipe.
  public init(limit: Int = 64 << 20, timeout: Int = 10) {
    self.limit = limit
    self.timeout = timeout
  }

  /// The name under which messages speak of a path: the path, or `standard input` for `-`.
  public static func name(of path: String) -> String { path == "-" ? "standard input" : path }

  /// The bytes of a file, or of standard input for `-`.
  ///
  /// Throws ``LoadError`` for a directory, a file that is missing, unreadable or too large, and a pipe that stays silent.
  public func read(_ path: String) throws(LoadError) -> [UInt8] {
    guard path != "-" else { return try read(descriptor: STDIN_FILENO, path: path, timeout: nil) }
    // Without O_NONBLOCK the opening of a named pipe waits for its writer for ever.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw SystemFault.reading(path, errno) }
    defer { close(descriptor) }
    return try read(descriptor: descriptor, path: path, timeout: timeout)
  }

  /// The size of a regular file that starts as text; 0 for everything else.
  package static func sizeOfPEM(_ path: String) -> Int {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return 0 }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return 0 }
    var start = [UInt8](repeating: 0, count: 4096)
    let count = unsafe start.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
    // Byte order marks, wide text and DER are for the loader.
    let isText = count > 0 && start[0] < 0x80 && !start.prefix(count).contains(0)
    return isText && start.prefix(count).contains(UInt8(ascii: "-")) ? Int(status.st_size) : 0
  }

  /// The bytes of an open file up to its end; it is not closed.
  public func read(descriptor: Int32, name: String) throws(LoadError) -> [UInt8] {
    try read(descriptor: descriptor, path: name, timeout: nil)
  }

  private func read(descriptor: Int32, path: String, timeout: Int?) throws(LoadError) -> [UInt8] {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw SystemFault.reading(path, errno) }
    let isRegular = status.st_mode & S_IFMT == S_IFREG
    if status.st_mode & S_IFMT == S_IFDIR { throw SystemFault.reading(path, EISDIR) }
    let size = isRegular ? Int(status.st_size) : 0
    guard size <= limit else { throw tooLarge(path) }
    var bytes = [UInt8](repeating: 0, count: max(size + 1, 16384))
    var filled = 0
    while true {
      if !isRegular, let timeout { try waitForInput(descriptor, path, timeout) }
      let count = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe Glibc.read(descriptor, buffer.baseAddress?.advanced(by: filled), buffer.count - filled)
      }
      if count < 0 {
        if errno == EINTR || errno == EAGAIN && timeout != nil { continue }
        throw SystemFault.reading(path, errno)
      }
      if count == 0 { break }
      filled += count
      guard filled <= limit else { throw tooLarge(path) }
      if filled == bytes.count { bytes += [UInt8](repeating: 0, count: bytes.count) }
    }
    bytes.removeSubrange(filled...)
    return bytes
  }

  private func waitForInput(_ descriptor: Int32, _ path: String, _ seconds: Int) throws(LoadError) {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      let ready = unsafe poll(&request, 1, Int32(clamping: seconds * 1000))
      if ready > 0 { return }
      if ready < 0, errno == EINTR { continue }
      guard ready == 0 else { throw SystemFault.reading(path, errno) }
      throw LoadError(
        .timeout, FilePlace(file: Self.name(of: path)), "nothing was written to the pipe in \(seconds) seconds",
        remedy: "check the program that should write to it")
    }
  }

  private func tooLarge(_ path: String) -> LoadError {
    LoadError(
      .tooLarge, FilePlace(file: Self.name(of: path)), "is larger than \(limit >> 20) MiB",
      reason: "no file of certificates for trust is that large", remedy: "check that it is the file you mean")
  }
}

/// What the system's error numbers mean for a person.
package enum SystemFault {
  /// The error of reading a file.
  static func reading(_ path: String, _ number: Int32) -> LoadError {
    let place = FilePlace(file: FileReader.name(of: path))
    let native = [native(number)]
    switch number {
    case EISDIR:
      return LoadError(
        .directory, place, "is a directory", remedy: "give a file in it, or the directory where one is allowed",
        native: native)
    case ENOENT, ENOTDIR:
      // What of an argument is no UTF-8 has become U+FFFD on its way here.
      return LoadError(
        .fileMissing, place, "there is no such file",
        remedy: path.contains("\u{FFFD}") ? "if its name is no UTF-8, rename it" : "check the path", native: native)
    case ELOOP:
      return LoadError(
        .directory, place, "is a loop of symbolic links", remedy: "repair the links", native: native)
    case EACCES, EPERM:
      return LoadError(
        .permission, place, "there is no permission to read it",
        remedy: "change its mode, or run as a user who may read it", native: native)
    default:
      return LoadError(.inputOutput, place, "it could not be read: \(words(number))", native: native)
    }
  }

  /// The error of writing a file.
  package static func writing(_ path: String, _ number: Int32) -> LoadError {
    let place = FilePlace(file: path)
    let remedy: String? =
      switch number {
      case ENOSPC, EDQUOT: "make room, or write elsewhere"
      case EACCES, EPERM, EROFS: "write to a directory of yours"
      case ENOENT: "make the directory first"
      case ENOTDIR: "name a directory"
      default: nil
      }
    return LoadError(
      .inputOutput, place, "it could not be written: \(words(number))", reason: "what was there before is unchanged",
      remedy: remedy,
      native: [native(number)])
  }

  private static func native(_ number: Int32) -> NativeCode {
    NativeCode(library: "libc", code: "errno \(number)", message: words(number))
  }

  private static func words(_ number: Int32) -> String {
    let text = unsafe String(cString: strerror(number))
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
