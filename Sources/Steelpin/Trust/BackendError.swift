// SPDX-License-Identifier: Apache-2.0

/// A C library could not do its work: out of memory, an algorithm its build lacks, a fault inside it. A bad certificate
/// is never a BackendError; it is a ``Verdict``.
public struct BackendError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The backend that failed, as in `openssl`.
  public let backend: String
  /// The operation that failed, in words.
  public let operation: String
  /// What the library itself said, most recent cause first; empty if it said nothing.
  public let native: [NativeCode]

  /// An error of the named backend in the named operation.
  public init(backend: String, operation: String, native: [NativeCode]) {
    self.backend = backend
    self.operation = operation
    self.native = native
  }

  /// Backend, operation and the library's words.
  public var description: String {
    let cause = native.isEmpty ? "" : ": " + native.map(\.description).joined(separator: "; ")
    return "\(backend) could not \(operation)\(cause)"
  }
}

/// A library's own code for a failure, kept beside Steelpin's as detail.
public struct NativeCode: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The library that said it, as in `openssl`.
  public let library: String
  /// The symbolic name or number that its documentation uses, as in `X509_V_ERR_CERT_HAS_EXPIRED`.
  public let code: String
  /// The library's message.
  public let message: String

  /// A code of a library with its message.
  public init(library: String, code: String, message: String) {
    self.library = library
    self.code = code
    self.message = message
  }

  /// Code and message.
  public var description: String { message.isEmpty ? code : "\(code) (\(message))" }
}
