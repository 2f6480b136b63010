// SPDX-License-Identifier: Apache-2.0
internal import SteelpinFormats

/// The files of this machine.
public struct LocalFiles: ConfigurationFiles {
  /// The files of this machine.
  public init() {}

  /// The octets of a file, a pipe or standard input (`-`), up to the limit for configurations.
  public func read(_ path: String) throws(ConfigurationError) -> [UInt8] {
    do throws(LoadError) {
      return try FileReader(limit: ConfigurationSource.maximumSize).read(path)
    } catch {
      throw Self.failure(error, path)
    }
  }

  /// The names of the entries of a folder; nil if the path is not a folder.
  public func entries(of path: String) throws(ConfigurationError) -> [String]? {
    guard DirectoryReader.isDirectory(path) else { return nil }
    do throws(LoadError) {
      return try DirectoryReader.names(in: path)
    } catch {
      throw Self.failure(error, path)
    }
  }

  private static func failure(_ error: LoadError, _ path: String) -> ConfigurationError {
    ConfigurationError(
      error.code == .tooLarge ? .limitExceeded : .fileUnreadable,
      at: SourcePosition(file: path, line: 1, column: 1), error.message, hint: error.remedy)
  }
}
