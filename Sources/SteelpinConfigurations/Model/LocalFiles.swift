// SPDX-License-Identifier: Apache-2.0
private import Glibc

/// The files of this machine.
public struct LocalFiles: ConfigurationFiles {
  /// The files of this machine.
  public init() {}

  /// The octets of a regular file, a pipe or a device, up to the limit for configurations.
  public func read(_ path: String) throws(ConfigurationError) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.failure(path) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0 {
        if errno == EINTR { continue }
        throw Self.failure(path)
      }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
      guard bytes.count <= ConfigurationSource.maximumSize else {
        throw ConfigurationSource.tooLarge(bytes.count, file: path)
      }
    }
  }

  /// The names of the entries of a folder, without `.` and `..`; nil if the path is not a folder.
  public func entries(of path: String) throws(ConfigurationError) -> [String]? {
    guard let directory = unsafe opendir(path) else {
      if errno == ENOTDIR { return nil }
      throw Self.failure(path)
    }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  private static func failure(_ path: String) -> ConfigurationError {
    let reason = unsafe String(cString: strerror(errno))
    return ConfigurationError(
      .fileUnreadable, at: SourcePosition(file: path, line: 1, column: 1), "cannot be read: \(reason.lowercased())")
  }
}
