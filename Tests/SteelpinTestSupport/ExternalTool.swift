// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Testing

/// A program outside the package that checks or makes what the package reads: `openssl`, `certtool` and the like.
public struct ExternalTool: Sendable {
  /// What a run of a tool left behind.
  public struct Result: Sendable {
    /// The exit status; the number of the signal if one ended it.
    public let status: Int32
    /// Everything written to standard output.
    public let output: [UInt8]
    /// Standard output and then standard error, as text.
    public let text: String

    /// Whether the exit status is 0.
    public var succeeded: Bool { status == 0 }
  }

  /// A tool that is not installed, or could not be run.
  public struct Missing: Error {
    /// The tool's name.
    public let name: String
  }

  /// `openssl`, of the package openssl.
  public static let openssl = ExternalTool("openssl")
  /// `certtool`, of the package gnutls-bin.
  public static let certtool = ExternalTool("certtool")
  /// `ocsptool`, of the package gnutls-bin.
  public static let ocsptool = ExternalTool("ocsptool")

  let name: String
  let path: String?

  /// The first program of that name in the directories of PATH.
  public init(_ name: String) {
    let directories = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    self.name = name
    self.path = directories.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Whether the tool is installed.
  public var isInstalled: Bool { path != nil }

  /// The trait of a test that is skipped, and says so, where the tool is not installed.
  public var required: ConditionTrait { .enabled(if: isInstalled, "needs the program \(name), which is not installed") }

  /// Runs the tool in a directory with the bytes as standard input, and waits for its end.
  public func run(_ arguments: [String], input: [UInt8] = [], in directory: ScratchDirectory) throws -> Result {
    guard let path else { throw Missing(name: name) }
    // Files rather than pipes: no output can fill one and stop the tool.
    let names = (0..<3).map { _ in directory.url.appendingPathComponent("tool-\(UUID().uuidString)") }
    try Data(input).write(to: names[0])
    for name in names.dropFirst() { try Data().write(to: name) }
    defer { for name in names { try? FileManager.default.removeItem(at: name) } }
    let files = [try FileHandle(forReadingFrom: names[0])] + (try names.dropFirst().map(FileHandle.init(forWritingTo:)))
    let program = try SpawnedProgram(
      path, arguments, directory: directory.url.path, environment: ProcessInfo.processInfo.environment,
      SpawnedProgram.Streams(
        input: files[0].fileDescriptor, output: files[1].fileDescriptor, errors: files[2].fileDescriptor))
    let status = program.wait()
    // Not Data(contentsOf:), which leaks its buffer if the file is empty, so that the address sanitizer complains.
    let output = try FileHandle(forReadingFrom: names[1]).readToEnd() ?? Data()
    let errors = try FileHandle(forReadingFrom: names[2]).readToEnd() ?? Data()
    return Result(
      status: status, output: Array(output),
      text: String(decoding: output, as: UTF8.self) + String(decoding: errors, as: UTF8.self))
  }
}

/// A directory of its own for one test, removed with its last reference.
public final class ScratchDirectory: Sendable {
  /// Where it is.
  public let url: URL

  /// Makes an empty directory below the system's directory for temporary files.
  public init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("steelpin-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Writes a file and returns its name, which a tool run in the directory understands.
  public func write(_ bytes: [UInt8], as name: String) throws -> String {
    try Data(bytes).write(to: url.appendingPathComponent(name))
    return name
  }

  /// Reads a file.
  public func read(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: url.appendingPathComponent(name)))
  }
}
