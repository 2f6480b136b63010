// SPDX-License-Identifier: Apache-2.0
private import Glibc

/// A directory that gets many files at once: all are written to a place of their own, read back and compared before the
/// first appears. A directory that was not there appears whole or not at all.
package final class SplitDirectory {
  private let path: String
  private let mayReplace: Bool
  private let isNew: Bool
  private let staging: String
  private var isDone = false
  private var unsynchronized = 0

  /// The names of the files that were added, in their order.
  package private(set) var names: [String] = []

  /// As many files are synchronised one by one; for more, everything is synchronised once.
  private static let synchronizedFiles = 256

  /// Starts files that are to be in `path`, which is made if it is missing.
  ///
  /// Throws ``LoadError`` if nothing can be written there.
  package init(_ path: String, mayReplace: Bool) throws(LoadError) {
    self.path = path
    self.mayReplace = mayReplace
    var status = stat()
    let exists = unsafe stat(path, &status) == 0
    guard !exists || status.st_mode & S_IFMT == S_IFDIR else { throw SystemFault.writing(path, ENOTDIR) }
    self.isNew = !exists
    var trimmed = path
    while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
    var template = Array((exists ? path + "/.steelpin-XXXXXX" : trimmed + ".steelpin-XXXXXX").utf8CString)
    let made = unsafe template.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return false }
      return unsafe mkdtemp(start) != nil
    }
    self.staging = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard made else {
      let number = errno
      isDone = true
      throw SystemFault.writing(path, number)
    }
  }

  deinit {
    guard !isDone else { return }
    for name in names { unsafe unlink("\(staging)/\(name)") }
    unsafe rmdir(staging)
  }

  /// Writes one file; its name must be new.
  package func add(_ bytes: [UInt8], as name: String) throws(LoadError) {
    let shown = "\(path)/\(name)"
    let descriptor = unsafe open("\(staging)/\(name)", O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw SystemFault.writing(shown, errno) }
    defer { close(descriptor) }
    names.append(name)
    var offset = 0
    while offset < bytes.count {
      let count = unsafe bytes.withUnsafeBytes {
        unsafe write(descriptor, $0.baseAddress?.advanced(by: offset), bytes.count - offset)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw SystemFault.writing(shown, errno) }
      offset += count
    }
    var read = [UInt8](repeating: 0, count: bytes.count + 1)
    let count = unsafe read.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, $0.count, 0) }
    guard count >= 0 else { throw SystemFault.writing(shown, errno) }
    guard count == bytes.count, read.dropLast() == bytes[...] else {
      throw LoadError(
        .inputOutput, FilePlace(file: shown), "what was read back is not what was written", remedy: "check the disk")
    }
    if names.count > Self.synchronizedFiles {
      unsynchronized += 1
    } else if fsync(descriptor) != 0 {
      throw SystemFault.writing(shown, errno)
    }
  }

  /// Puts the files in their place.
  ///
  /// Throws ``LoadError`` if one of them is there already and may not be replaced; then nothing has changed.
  package func commit() throws(LoadError) {
    try synchronize()
    if isNew {
      let mask = umask(0)
      umask(mask)
      guard unsafe chmod(staging, 0o777 & ~mask) == 0, unsafe rename(staging, path) == 0 else {
        throw SystemFault.writing(path, errno)
      }
      isDone = true
      return
    }
    if !mayReplace {
      for name in names where unsafe access("\(path)/\(name)", F_OK) == 0 { throw AtomicFile.exists("\(path)/\(name)") }
    }
    for name in names {
      let (source, target) = ("\(staging)/\(name)", "\(path)/\(name)")
      if mayReplace {
        guard unsafe rename(source, target) == 0 else { throw SystemFault.writing(target, errno) }
      } else {
        // A link, unlike a rename, fails if something has appeared there in the meantime.
        guard unsafe link(source, target) == 0 else {
          throw errno == EEXIST ? AtomicFile.exists(target) : SystemFault.writing(target, errno)
        }
        unsafe unlink(source)
      }
    }
    unsafe rmdir(staging)
    isDone = true
  }

  private func synchronize() throws(LoadError) {
    if unsynchronized > 0 { sync() }
    let directory = unsafe open(staging, O_RDONLY | O_CLOEXEC)
    guard directory >= 0 else { throw SystemFault.writing(path, errno) }
    defer { close(directory) }
    guard fsync(directory) == 0 else { throw SystemFault.writing(path, errno) }
  }
}
