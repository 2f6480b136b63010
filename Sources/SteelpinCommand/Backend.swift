// SPDX-License-Identifier: Apache-2.0
public import Steelpin

/// A library that the command can use, as a value: the command itself knows none by name.
public struct Backend: Sendable {
  /// The name that `--backend` and `--engine` take.
  public let name: String
  /// The version of the library that is loaded, for `steelpin version`.
  public let libraryVersion: @Sendable () -> String
  /// Makes an evaluator with the given system anchors; nil where none are needed or could be loaded.
  public let makeEvaluator: @Sendable (_ systemAnchors: AnchorSet?) -> any TrustBackend
  /// Performs handshakes; nil if the backend only judges.
  public let engine: (any TLSEngine)?
  /// Makes keys and signs.
  public let keyProvider: any KeyProvider
  /// Opens PKCS#12 files; nil if the backend cannot.
  public let pkcs12: (any PKCS12Codec)?
  /// Serves TLS for tests of clients; nil if the backend is no server.
  package var serverEngine: (any TLSServerEngine)?

  /// A backend of the given parts.
  public init(
    name: String, libraryVersion: @escaping @Sendable () -> String,
    makeEvaluator: @escaping @Sendable (_ systemAnchors: AnchorSet?) -> any TrustBackend, engine: (any TLSEngine)?,
    keyProvider: any KeyProvider, pkcs12: (any PKCS12Codec)?
  ) {
    self.name = name
    self.libraryVersion = libraryVersion
    self.makeEvaluator = makeEvaluator
    self.engine = engine
    self.keyProvider = keyProvider
    self.pkcs12 = pkcs12
  }
}
