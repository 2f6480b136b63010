// SPDX-License-Identifier: Apache-2.0
public import Steelpin

/// A policy as a JSON document, read strictly: what the C library takes, and what suites hold. docs/policy.md lists the
/// keys, and docs/policy.schema.json is the schema.
///
/// JSON5 is read, so comments are allowed. A key that is not known, or stands twice, and a value that is not what must
/// stand there are errors: a mistake must not weaken a check.
public struct PolicyDocument: Sendable {
  /// What is demanded of a chain.
  public let source: any PolicySource

  /// Reads a policy that names no files: certificates are PEM, or base64 of DER, in the document itself.
  ///
  /// `name` stands for the document in messages. Throws ``PolicyDocumentError`` with everything that is wrong.
  public init(json: [UInt8], name: String = "policy") throws(PolicyDocumentError) {
    try self.init(json, name, InlineCertificates())
  }

  /// Reads a policy that may name files with certificates, each by its path beside the document's.
  ///
  /// Throws ``PolicyDocumentError`` with everything that is wrong.
  public init(json: [UInt8], name: String, files: any ConfigurationFiles) throws(PolicyDocumentError) {
    let source: ConfigurationSource
    do throws(ConfigurationError) {
      source = try ConfigurationSource(path: name, bytes: json, files: files)
    } catch {
      throw PolicyDocumentError(error)
    }
    try self.init(json, name, FileCertificates(source: source))
  }

  private init(
    _ json: [UInt8], _ name: String, _ certificates: any CertificateReferences
  ) throws(PolicyDocumentError) {
    let root: DocumentNode
    do throws(ConfigurationError) {
      root = try JSON5Parser.document(SourceText(json, file: name))
    } catch {
      throw PolicyDocumentError(error)
    }
    var reader = PolicyReader(ReadingSession(file: name), certificates: certificates)
    let source = reader.policy(root)
    try reader.session.throwFindings()
    // A policy that cannot be said was reported; should it ever not have been, nothing is trusted.
    self.source = source ?? CompositePolicy.refuse(.contradiction)
  }
}

extension PolicyDocument: PolicySource {
  /// What the document demands of a host.
  public func policy(for host: HostName?, at time: Timestamp) -> CompositePolicy { source.policy(for: host, at: time) }
}

/// Why a policy document was not read.
public struct PolicyDocumentError: Error, Sendable, Hashable, CustomStringConvertible {
  /// One thing that is wrong.
  public struct Problem: Sendable, Hashable {
    /// What kind of mistake, as a stable code: one of ``LintCode`` or of ``ConfigurationError/Code``.
    public let code: String
    /// Where.
    public let position: SourcePosition
    /// What exactly, in words.
    public let message: String
    /// What to do about it; nil if the message says it.
    public let hint: String?
  }

  /// Everything that is wrong, in the order of the document; at least one problem.
  public let problems: [Problem]

  /// The first problem with its place, and how many there are besides.
  public var description: String {
    guard let first = problems.first else { return "the policy says nothing" }
    let more = problems.count > 1 ? ", and \(problems.count - 1) more" : ""
    return "\(first.position): \(first.message) [\(first.code)]\(more)"
  }
}

extension PolicyDocumentError {
  /// A document that could not be parsed at all.
  package init(_ error: ConfigurationError) {
    self.init(problems: [
      Problem(code: error.code.rawValue, position: error.position, message: error.message, hint: error.hint)
    ])
  }
}

extension ReadingSession {
  /// Throws everything that was found wrong, if anything was.
  package func throwFindings() throws(PolicyDocumentError) {
    guard !findings.isEmpty else { return }
    throw PolicyDocumentError(
      problems: findings.map {
        PolicyDocumentError.Problem(
          code: $0.code.rawValue, position: $0.position, message: $0.message, hint: $0.hint)
      })
  }
}
