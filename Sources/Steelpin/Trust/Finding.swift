// SPDX-License-Identifier: Apache-2.0

/// One thing that was found about a chain.
public struct Finding: Sendable, Hashable, Codable {
  /// Whether a finding decides.
  public enum Severity: String, Sendable, Hashable, Codable {
    /// The chain is not trusted because of it.
    case error
    /// Worth mending; the verdict stands without it.
    case warning
  }

  /// What was found, by its stable code.
  public let code: FindingCode
  /// Whether it decides.
  public let severity: Severity
  /// The place on the path, 0 for the leaf; nil if it is about the whole chain.
  public let depth: Int?
  /// What exactly, in words, with the values that matter.
  public let detail: String
  /// What the backend itself said, if it said anything.
  public let native: [NativeCode]

  package init(
    _ code: FindingCode, severity: Severity = .error, depth: Int? = nil, detail: String, native: [NativeCode] = []
  ) {
    self.code = code
    self.severity = severity
    self.depth = depth
    self.detail = detail
    self.native = native
  }
}
