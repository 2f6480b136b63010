// SPDX-License-Identifier: Apache-2.0
private import Glibc

/// The names in a directory.
package enum DirectoryReader {
  /// The names of everything but `.` and `..`, sorted by their bytes.
  ///
  /// Throws ``LoadError`` if it is no directory, cannot be read, or holds a name that is not UTF-8.
  package static func names(in path: String) throws(LoadError) -> [String] {
    guard let directory = unsafe opendir(path) else { throw SystemFault.reading(path, errno) }
    defer { unsafe closedir(directory) }
    var names: [[UInt8]] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(directory) else {
        guard errno == 0 else { throw SystemFault.reading(path, errno) }
        break
      }
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
      if name != [0x2E], name != [0x2E, 0x2E] { names.append(name) }
    }
    var texts: [String] = []
    for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      guard let text = String(validating: name, as: UTF8.self) else {
        throw LoadError(
          .unsupported, FilePlace(file: path), "holds '\(String(decoding: name, as: UTF8.self))', which is no UTF-8",
          remedy: "rename it")
      }
      texts.append(text)
    }
    return texts
  }

  /// Whether a path is a directory, through symbolic links.
  package static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// What a path is if it is neither a file nor a directory, through symbolic links, as in `a named pipe`; nil for those
  /// and for what is not there.
  package static func oddity(of path: String) -> String? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    return switch status.st_mode & S_IFMT {
    case S_IFBLK, S_IFCHR: "a device"
    case S_IFIFO: "a named pipe"
    case S_IFSOCK: "a socket"
    default: nil
    }
  }
}
