// SPDX-License-Identifier: Apache-2.0

/// Why the command cannot do what it was asked to: a message, a hint, and the status it ends with.
package struct CommandError: Error, Sendable, Hashable {
  /// A stable code, which `steelpin explain` knows.
  package let code: String
  /// What is wrong, where and why: lower case, no full stop.
  package let message: String
  /// What to do about it; nil if that is obvious.
  package let hint: String?
  /// How the command ends.
  package let status: ExitCode

  package init(_ status: ExitCode, code: String, _ message: String, hint: String? = nil) {
    self.code = code
    self.message = message
    self.hint = hint
    self.status = status
  }

  /// A wrong command line.
  package static func usage(_ message: String, hint: String? = nil) -> CommandError {
    CommandError(.usage, code: "usage", message, hint: hint)
  }
}
