// SPDX-License-Identifier: Apache-2.0

/// The world around the command, as a value, so that the whole command runs inside a test.
public struct Console: Sendable {
  /// Where output goes.
  public enum Stream: Sendable, Hashable {
    /// Standard error: everything that is not the result.
    case errors
    /// Standard output: the result.
    case output
  }

  /// Writes bytes; false if that failed.
  public let write: @Sendable (_ bytes: [UInt8], _ stream: Stream) -> Bool
  /// Whether a stream is a terminal.
  public let isTerminal: @Sendable (_ stream: Stream) -> Bool
  /// The value of an environment variable; nil if it is not set.
  public let environment: @Sendable (_ name: String) -> String?

  /// Calls the handler when the user interrupts the command, which ends with status 130 afterwards.
  public let onInterrupt: @Sendable (_ handler: @escaping @Sendable () -> Void) -> Void

  /// A console of the given parts.
  public init(
    write: @escaping @Sendable (_ bytes: [UInt8], _ stream: Stream) -> Bool,
    isTerminal: @escaping @Sendable (_ stream: Stream) -> Bool,
    environment: @escaping @Sendable (_ name: String) -> String?,
    onInterrupt: @escaping @Sendable (_ handler: @escaping @Sendable () -> Void) -> Void
  ) {
    self.write = write
    self.isTerminal = isTerminal
    self.environment = environment
    self.onInterrupt = onInterrupt
  }
}
