// SPDX-License-Identifier: Apache-2.0
private import Glibc

/// A file that appears whole or not at all: written beside its place, synchronised, read back, compared and renamed.
/// Until ``commit()`` returns, what was there before is unchanged.
package final class AtomicFile {
  private let path: String
  private let shown: String
  private let temporary: String
  private let mayReplace: Bool
  private var descriptor: Int32
  private var buffer: [UInt8] = []
  private var written = Hasher()
  private var writtenCount = 0
  private static let chunkSize = 1 << 18

  /// Starts a file that is to be at `path`. A symbolic link there keeps pointing where it points.
  ///
  /// An existing file keeps its mode; a new one gets `mode`. Throws ``LoadError`` if something is there and
  /// `mayReplace` is false, or if nothing can be written there.
  package init(_ path: String, mode: UInt32 = 0o644, mayReplace: Bool) throws(LoadError) {
    self.shown = path
    self.mayReplace = mayReplace
    var status = stat()
    let exists = try Self.exists(path, mayReplace: mayReplace, &status)
    self.path = exists ? Self.target(of: path) : path
    var template = Array((Self.directory(of: self.path) + "/.steelpin-XXXXXX").utf8CString)
    self.descriptor = unsafe template.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return -1 }
      return unsafe mkstemp(start)
    }
    self.temporary = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard descriptor >= 0 else { throw SystemFault.writing(path, errno) }
    let mask = umask(0)
    umask(mask)
    let bits = exists ? status.st_mode & 0o7777 : mode & ~mask
    guard fchmod(descriptor, bits) == 0 else { throw SystemFault.writing(path, errno) }
    if exists, status.st_uid != geteuid() || status.st_gid != getegid() {
      // The owner can be kept by root only; for others the new file is theirs, as with any editor.
      _ = fchown(descriptor, status.st_uid, status.st_gid)
    }
    buffer.reserveCapacity(Self.chunkSize)
  }

  deinit {
    if descriptor >= 0 {
      close(descriptor)
      unsafe unlink(temporary)
    }
  }

  /// Appends bytes.
  package func append(_ bytes: [UInt8]) throws(LoadError) { try append(bytes[...]) }

  /// Appends bytes.
  package func append(_ bytes: ArraySlice<UInt8>) throws(LoadError) {
    var rest = bytes
    while !rest.isEmpty {
      let part = rest.prefix(Self.chunkSize - buffer.count)
      buffer += part
      rest = rest.dropFirst(part.count)
      if buffer.count == Self.chunkSize { try flush() }
    }
  }

  /// Puts the file in its place.
  package func commit() throws(LoadError) {
    try flush()
    guard fsync(descriptor) == 0 else { throw SystemFault.writing(shown, errno) }
    try compare()
    let moved: Int32
    if mayReplace {
      moved = unsafe rename(temporary, path)
    } else {
      // A link, unlike a rename, fails if something has appeared there in the meantime.
      moved = unsafe link(temporary, path)
      guard moved == 0 || errno != EEXIST else { throw Self.exists(shown) }
    }
    guard moved == 0 else { throw SystemFault.writing(shown, errno) }
    if !mayReplace { unsafe unlink(temporary) }
    close(descriptor)
    descriptor = -1
    let directory = unsafe open(Self.directory(of: path), O_RDONLY | O_CLOEXEC)
    if directory >= 0 {
      fsync(directory)
      close(directory)
    }
  }

  /// Writes a whole file.
  package static func write(
    _ bytes: [UInt8], to path: String, mode: UInt32 = 0o644, mayReplace: Bool
  ) throws(LoadError) {
    let file = try AtomicFile(path, mode: mode, mayReplace: mayReplace)
    try file.append(bytes)
    try file.commit()
  }

  /// Checks that a file may be written there, and changes nothing.
  ///
  /// Throws ``LoadError`` where ``init(_:mode:mayReplace:)`` would; that the disk has room is not known before.
  package static func check(_ path: String, mayReplace: Bool) throws(LoadError) {
    var status = stat()
    let exists = try exists(path, mayReplace: mayReplace, &status)
    try checkAccess(to: directory(of: exists ? target(of: path) : path), for: path)
  }

  /// Checks that files may be made in a directory.
  static func checkAccess(to directory: String, for path: String) throws(LoadError) {
    guard unsafe access(directory, W_OK | X_OK) == 0 else { throw SystemFault.writing(path, errno) }
  }

  /// Whether something is there, which must be a file that may be replaced.
  private static func exists(_ path: String, mayReplace: Bool, _ status: inout stat) throws(LoadError) -> Bool {
    guard unsafe stat(path, &status) == 0 else { return false }
    guard status.st_mode & S_IFMT == S_IFREG else {
      if status.st_mode & S_IFMT == S_IFDIR { throw SystemFault.writing(path, EISDIR) }
      throw LoadError(
        .inputOutput, FilePlace(file: path), "is a device or a pipe, not a file that can be replaced as a whole",
        remedy: "name a regular file, or one that is not there yet")
    }
    guard mayReplace else { throw exists(path) }
    return true
  }

  private func flush() throws(LoadError) {
    var offset = 0
    while offset < buffer.count {
      let count = unsafe buffer.withUnsafeBytes { bytes in
        unsafe Glibc.write(descriptor, bytes.baseAddress?.advanced(by: offset), bytes.count - offset)
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw SystemFault.writing(shown, errno)
      }
      offset += count
    }
    unsafe buffer.withUnsafeBytes { unsafe written.combine(bytes: $0) }
    writtenCount += buffer.count
    buffer.removeAll(keepingCapacity: true)
  }

  /// Reads the file back in the pieces in which it was written, and compares.
  private func compare() throws(LoadError) {
    var read = Hasher()
    var count = 0
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw SystemFault.writing(shown, errno) }
    var piece = [UInt8](repeating: 0, count: Self.chunkSize)
    var filled = 0
    while true {
      let length = unsafe piece.withUnsafeMutableBytes { bytes in
        unsafe Glibc.read(descriptor, bytes.baseAddress?.advanced(by: filled), bytes.count - filled)
      }
      if length < 0, errno == EINTR { continue }
      guard length >= 0 else { throw SystemFault.writing(shown, errno) }
      filled += length
      count += length
      if filled == piece.count || length == 0 {
        unsafe piece.withUnsafeBytes { unsafe read.combine(bytes: UnsafeRawBufferPointer(rebasing: $0.prefix(filled))) }
        filled = 0
      }
      if length == 0 { break }
    }
    guard count == writtenCount, read.finalize() == written.finalize() else {
      throw LoadError(
        .inputOutput, FilePlace(file: shown), "what was read back is not what was written",
        reason: "what was there before is unchanged", remedy: "check the disk")
    }
  }

  static func exists(_ path: String) -> LoadError {
    LoadError(
      .outputExists, FilePlace(file: path), "it exists already", reason: "nothing is overwritten unasked",
      remedy: "give --force to replace it")
  }

  static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Where a path leads through symbolic links.
  private static func target(of path: String) -> String {
    guard let resolved = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }
}
