// SPDX-License-Identifier: Apache-2.0

/// Why a pin configuration could not be read at all.
public struct ConfigurationError: Error, Sendable, Hashable, Codable {
  /// The kinds of failure.
  @nonexhaustive
  public enum Code: String, Sendable, Hashable, Codable, CaseIterable {
    /// The octets are not text in UTF-8 or UTF-16.
    case encodingInvalid = "encoding-invalid"
    /// An XML document declares entities or another encoding; neither is read.
    case entityRefused = "entity-refused"
    /// The file has nothing in it.
    case fileEmpty = "file-empty"
    /// The file cannot be read.
    case fileUnreadable = "file-unreadable"
    /// No format recognises the file.
    case formatUnknown = "format-unknown"
    /// The file has a key twice.
    case keyDuplicate = "key-duplicate"
    /// The file is larger, deeper or has more parts than is read.
    case limitExceeded = "limit-exceeded"
    /// The file's syntax is broken.
    case syntax = "syntax"
    /// A value is missing, or is not what must stand there.
    case valueInvalid = "value-invalid"
  }

  /// What kind of failure.
  public let code: Code
  /// Where.
  public let position: SourcePosition
  /// What exactly, in words.
  public let message: String
  /// What to do about it; nil if the message says it.
  public let hint: String?

  package init(_ code: Code, at position: SourcePosition, _ message: String, hint: String? = nil) {
    self.code = code
    self.position = position
    self.message = message
    self.hint = hint
  }
}

extension ConfigurationError: CustomStringConvertible {
  /// The place, what is wrong, and the code.
  public var description: String { "\(position): \(message) [\(code.rawValue)]" }
}
