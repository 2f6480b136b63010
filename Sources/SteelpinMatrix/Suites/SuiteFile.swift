// SPDX-License-Identifier: Apache-2.0
package import Steelpin
package import SteelpinConfigurations

/// A suite of a file, with the places in its text where expectations stand, so that they can be written there.
package struct SuiteFile: Sendable {
  package let suite: MatrixSuite
  /// The file as it was read.
  package let bytes: [UInt8]
  let text: SourceText
  let tables: [SuiteTable]
  /// Where the expectation of each row comes from, in the order of the rows.
  let origins: [SuiteOrigin]

  /// Reads a suite and makes its certificates. `now` is the clock if the suite has none of its own.
  ///
  /// Throws ``SuiteError`` with everything that is wrong; a suite with an error has no rows at all.
  package static func read(
    _ path: String, files: any ConfigurationFiles, keys: any KeyProvider, now: Timestamp
  ) throws(SuiteError) -> SuiteFile {
    let bytes: [UInt8]
    do throws(ConfigurationError) { bytes = try files.read(path) } catch { throw SuiteError(error, isMissing: true) }
    return try read(bytes, path, files: files, keys: keys, now: now)
  }

  /// Reads a suite whose text is at hand; `path` says which files are beside it.
  package static func read(
    _ bytes: [UInt8], _ path: String, files: any ConfigurationFiles, keys: any KeyProvider, now: Timestamp
  ) throws(SuiteError) -> SuiteFile {
    let source: ConfigurationSource
    let text: SourceText
    let root: DocumentNode
    do throws(ConfigurationError) {
      source = try ConfigurationSource(path: path, bytes: bytes, files: files)
      text = try SourceText(bytes, file: path)
      root = try JSON5Parser.document(text)
    } catch {
      throw SuiteError(error, isMissing: false)
    }
    var reader = SuiteReader(source: source, text: text, keys: KeyRing(keys), now: now)
    return try reader.read(root)
  }
}

/// Why a suite was not read.
package struct SuiteError: Error, Sendable {
  /// One thing that is wrong.
  package struct Problem: Sendable, Hashable {
    package let code: String
    package let position: SourcePosition
    package let message: String
    package let hint: String?
  }

  /// Everything that is wrong, in the order of the file; at least one problem.
  package let problems: [Problem]
  /// Whether the suite's own file could not be read.
  package let isMissing: Bool

  init(_ error: ConfigurationError, isMissing: Bool) {
    self.problems = [
      Problem(code: error.code.rawValue, position: error.position, message: error.message, hint: error.hint)
    ]
    self.isMissing = isMissing
  }

  init(_ findings: [LintFinding]) {
    self.problems = findings.map {
      Problem(code: $0.code.rawValue, position: $0.position, message: $0.message, hint: $0.hint)
    }.sorted { $0.position < $1.position }
    self.isMissing = false
  }
}

/// Where the expectation of a row stands.
struct SuiteOrigin: Sendable {
  enum Place: Sendable {
    /// A row by itself: its object.
    case row(DocumentNode)
    /// A cell of the table of an index.
    case table(Int, chain: String, host: String?, policy: String)
  }

  let place: Place
  /// The text that decides; nil if there is none.
  let expect: DocumentNode?
}

/// What a server sends; a recorded one brings the host and the time for which it was sent.
struct SuiteChain: Sendable {
  let name: String
  let chain: CertificateChain
  let host: HostName?
  let time: Timestamp?
}

/// A cross product with exceptions, as it was read.
struct SuiteTable: Sendable {
  struct Exception: Sendable {
    let chains: Set<String>?
    let hosts: Set<String>?
    let policies: Set<String>?
    let expect: DocumentNode?
    let expected: MatrixExpected?
    let clause: String?

    func matches(chain: String, host: String?, policy: String) -> Bool {
      (chains?.contains(chain) ?? true) && (policies?.contains(policy) ?? true)
        && (hosts.map { hosts in host.map(hosts.contains) ?? false } ?? true)
    }
  }

  let node: DocumentNode
  let chains: [String]
  let hosts: [String]
  let policies: [String]
  /// In the order of the file; of several that match, the last decides.
  var exceptions: [Exception] = []
}
