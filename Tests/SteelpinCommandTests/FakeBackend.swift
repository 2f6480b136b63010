// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinCommand

/// A library that proves everything, or nothing, or that does not work at all.
enum FakeLibrary: Sendable {
  case broken
  case proves
  case refuses

  /// The backend of that name that the command is given; its handshakes serve the chain.
  func backend(_ name: String, serving chain: [[UInt8]] = [], keys: (any KeyProvider)? = nil) -> Backend {
    Backend(
      name: name, libraryVersion: { "1.2.3" },
      makeEvaluator: { FakeEvaluator(name: name, library: self, systemAnchors: $0) },
      engine: FakeEngine(name: name, chain: chain), keyProvider: keys ?? NoKeys(), pkcs12: NoPKCS12())
  }
}

private struct FakeEvaluator: TrustBackend {
  let name: String
  let library: FakeLibrary
  let systemAnchors: AnchorSet?
  let budget = PathBudget()

  func prove(_ path: [Certificate]) throws(BackendError) -> PathProof {
    switch library {
    case .broken: throw BackendError(backend: name, operation: "prove a path", native: [])
    case .proves: .proved
    case .refuses: .refused([NativeCode(library: name, code: "NO", message: "I do not like it")])
    }
  }

  func check(
    signature: ArraySlice<UInt8>, algorithm: AlgorithmIdentifier, over message: ArraySlice<UInt8>, by key: PublicKeyInfo
  ) throws(BackendError) -> SignatureCheck { .valid }
}

/// Handshakes that need one byte of the server and then have its chain.
private struct FakeEngine: TLSEngine {
  let name: String
  let chain: [[UInt8]]

  func makeClientSession(_ configuration: TLSClientConfiguration) throws(BackendError) -> any TLSSession {
    FakeSession(chain: chain, serverName: configuration.serverName)
  }
}

private final class FakeSession: TLSSession {
  private let chain: [[UInt8]]
  private var output: [UInt8]
  private var hasInput = false
  private var isOver = false

  init(chain: [[UInt8]], serverName: String?) {
    self.chain = chain
    self.output = Array("hello \(serverName ?? "nobody")\n".utf8)
  }

  func receive(_ ciphertext: ArraySlice<UInt8>) { hasInput = hasInput || !ciphertext.isEmpty }
  func receiveEnd() { isOver = true }

  func takeOutput() -> [UInt8] {
    defer { output = [] }
    return output
  }

  func handshake() throws(TLSFailure) -> TLSProgress {
    if hasInput { return .complete }
    if isOver { throw TLSFailure(.closedEarly, native: []) }
    return .needsInput
  }

  func read(atMost count: Int) throws(TLSFailure) -> TLSReadResult { isOver ? .closed : .needsInput }
  func write(_ plaintext: ArraySlice<UInt8>) throws(TLSFailure) {}
  func close() {}

  var summary: HandshakeSummary? {
    guard hasInput else { return nil }
    return HandshakeSummary(
      version: .tls13, cipherSuite: "TLS_AES_128_GCM_SHA256", group: "x25519", applicationProtocol: "h2",
      certificates: chain, stapledOCSPResponse: nil, requestsClientCertificate: false)
  }
}

private struct NoKeys: KeyProvider {
  func generateKey(_ kind: KeyKind) throws(BackendError) -> any PrivateKey {
    throw BackendError(backend: "fake", operation: "make a key", native: [])
  }

  func importKey(pkcs8: [UInt8]) throws(BackendError) -> any PrivateKey {
    throw BackendError(backend: "fake", operation: "read a key", native: [])
  }
}

private struct NoPKCS12: PKCS12Codec {
  func open(pkcs12: [UInt8], password: [UInt8]) throws(PKCS12Error) -> PKCS12Contents { throw .malformed([]) }
  func seal(_ contents: PKCS12Contents, password: [UInt8]) throws(PKCS12Error) -> [UInt8] { throw .malformed([]) }
}
