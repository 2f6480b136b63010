// SPDX-License-Identifier: Apache-2.0

/// A file or a folder that may hold a pin configuration, read into memory.
public struct ConfigurationSource: Sendable {
  /// No file larger than this is read: 16 MiB, about 50,000 hosts.
  package static let maximumSize = 16 << 20

  /// The path as it was named, used in positions.
  public let path: String
  /// The octets; empty for a folder.
  public let bytes: [UInt8]
  /// The names of the files in the folder, sorted; nil for a file.
  public let entries: [String]?
  /// Where files beside this one are read.
  package let files: any ConfigurationFiles
  /// The octets as text; nil for a folder and for a binary property list.
  package let text: SourceText?

  /// A file or a folder of `files`, by its path.
  public init(path: String, files: any ConfigurationFiles) throws(ConfigurationError) {
    if let entries = try files.entries(of: path) {
      self.init(path: path, bytes: [], entries: entries.sorted(), files: files, text: nil)
    } else {
      try self.init(path: path, bytes: files.read(path), files: files)
    }
  }

  /// A file whose octets were read already.
  public init(path: String, bytes: [UInt8], files: any ConfigurationFiles) throws(ConfigurationError) {
    guard bytes.count <= Self.maximumSize else { throw Self.tooLarge(bytes.count, file: path) }
    guard !bytes.isEmpty else {
      throw ConfigurationError(
        .fileEmpty, at: SourcePosition(file: path, line: 1, column: 1), "the file is empty",
        hint: "check the command that should have written it")
    }
    let text = BinaryPropertyList.recognizes(bytes) ? nil : try SourceText(bytes, file: path)
    self.init(path: path, bytes: bytes, entries: nil, files: files, text: text)
  }

  private init(path: String, bytes: [UInt8], entries: [String]?, files: any ConfigurationFiles, text: SourceText?) {
    self.path = path
    self.bytes = bytes
    self.entries = entries
    self.files = files
    self.text = text
  }

  /// The path of a file beside this one, or in this folder.
  package func sibling(_ name: String) -> String {
    if entries != nil { return path.hasSuffix("/") ? path + name : "\(path)/\(name)" }
    guard let slash = path.lastIndex(of: "/") else { return name }
    return path[...slash] + name
  }

  /// The beginning of the file.
  package var start: SourcePosition { SourcePosition(file: path, line: 1, column: 1) }

  static func tooLarge(_ size: Int, file: String) -> ConfigurationError {
    ConfigurationError(
      .limitExceeded, at: SourcePosition(file: file, line: 1, column: 1),
      "the file has \(size) octets, and at most \(maximumSize) are read")
  }
}

/// Where configurations, and the certificates that they name, are read.
public protocol ConfigurationFiles: Sendable {
  /// The octets of a file.
  func read(_ path: String) throws(ConfigurationError) -> [UInt8]
  /// The names of the files in a folder; nil if the path is not a folder.
  func entries(of path: String) throws(ConfigurationError) -> [String]?
}

/// Files in memory, by their paths: for configurations that were not read from a file.
public struct MemoryFiles: ConfigurationFiles {
  private let contents: [String: [UInt8]]

  /// The given files.
  public init(_ contents: [String: [UInt8]] = [:]) { self.contents = contents }

  /// The octets of one of the files.
  public func read(_ path: String) throws(ConfigurationError) -> [UInt8] {
    guard let bytes = contents[path] else {
      throw ConfigurationError(
        .fileUnreadable, at: SourcePosition(file: path, line: 1, column: 1), "there is no such file")
    }
    return bytes
  }

  /// The names below a path that is a folder because files are in it.
  public func entries(of path: String) throws(ConfigurationError) -> [String]? {
    let prefix = path.hasSuffix("/") ? path : path + "/"
    let names = contents.keys.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
    return names.isEmpty ? nil : names.filter { !$0.contains("/") }
  }
}
