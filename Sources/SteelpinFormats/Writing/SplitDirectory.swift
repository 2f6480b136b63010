// SPDX-License-Identifier: Apache-2.0
private import Glibc

/// A directory that gets many files at once: all are written to a place of their own, read back and compared before the
/// first appears. A directory that was not there appears whole or not at all.
package final class SplitDirectory {
  private let path: String
  private let mayReplace: Bool
  private let isNew: Bool
  /// Where the files are until they are moved; nil if nothing is written.
  private let staging: String?
  private var isDone = false
  private var unsynchronized = 0

  /// The names of the files that were added, in their order.
  package private(set) var names: [String] = []

  /// As many files are synchronised one by one; for more, everything is synchronised once.
  private static let synchronizedFiles = 256

  /// Starts files that are to be in `path`, which is made if it is missing. A dry run checks what can be, and changes
  /// nothing.
  ///
  /// Throws ``LoadError`` if nothing can be written there.
  package init(_ path: String, mayReplace: Bool, isDryRun: Bool = false) throws(LoadError) {
    self.path = path
    self.mayReplace = mayReplace
    var status = stat()
    let exists = unsafe stat(path, &status) == 0
    guard !exists || status.st_mode & S_IFMT == S_IFDIR else { throw SystemFault.writing(path, ENOTDIR) }
    self.isNew = !exists
    guard !isDryRun else {
      staging = nil
      try AtomicFile.checkAccess(to: exists ? path : AtomicFile.directory(of: Self.trimmed(path)), for: path)
      return
    }
    let trimmed = Self.trimmed(path)
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
    guard !isDone, let staging else { return }
    for name in names { unsafe unlink("\(staging)/\(name)") }
    unsafe rmdir(staging)
  }

  private static func trimmed(_ path: String) -> String {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }

  /// Writes one file; its name must be new.
  package func add(_ bytes: [UInt8], as name: String) throws(LoadError) { try add([(name, bytes)]) }

  /// Writes files on all processors; their names must be new.
  package func add(_ files: [(name: String, bytes: [UInt8])]) throws(LoadError) {
    let known = names.count
    names += files.map(\.name)
    guard let staging else { return }
    unsynchronized += max(0, names.count - max(known, Self.synchronizedFiles))
    let faults = Parallel.map(files.count) { [path] index -> LoadError? in
      let (name, bytes) = files[index]
      do throws(LoadError) {
        let synchronizes = known + index < Self.synchronizedFiles
        try Self.write(bytes, to: "\(staging)/\(name)", shown: "\(path)/\(name)", synchronizes: synchronizes)
        return nil
      } catch {
        return error
      }
    }
    if let fault = faults.lazy.compactMap(\.self).first { throw fault }
  }

  /// Writes a new file and compares what is there then.
  private static func write(
    _ bytes: [UInt8], to target: String, shown: String, synchronizes: Bool
  ) throws(LoadError) {
    let descriptor = unsafe open(target, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw SystemFault.writing(shown, errno) }
    defer { close(descriptor) }
    var offset = 0
    while offset < bytes.count {
      let count = unsafe bytes.withUnsafeBytes {
        unsafe Glibc.write(descriptor, $0.baseAddress?.advanced(by: offset), bytes.count - offset)
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
    guard !synchronizes || fsync(descriptor) == 0 else { throw SystemFault.writing(shown, errno) }
  }

  /// Puts the files in their place.
  ///
  /// Throws ``LoadError`` if one of them is there already and may not be replaced; then nothing has changed.
  package func commit() throws(LoadError) {
    if !mayReplace, !isNew {
      for name in names where unsafe access("\(path)/\(name)", F_OK) == 0 { throw AtomicFile.exists("\(path)/\(name)") }
    }
    guard let staging else { return }
    try synchronize(staging)
    if isNew {
      let mask = umask(0)
      umask(mask)
      guard unsafe chmod(staging, 0o777 & ~mask) == 0, unsafe rename(staging, path) == 0 else {
        throw SystemFault.writing(path, errno)
      }
      isDone = true
      return
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

  private func synchronize(_ staging: String) throws(LoadError) {
    if unsynchronized > 0 { sync() }
    let directory = unsafe open(staging, O_RDONLY | O_CLOEXEC)
    guard directory >= 0 else { throw SystemFault.writing(path, errno) }
    defer { close(directory) }
    guard fsync(directory) == 0 else { throw SystemFault.writing(path, errno) }
  }
}
