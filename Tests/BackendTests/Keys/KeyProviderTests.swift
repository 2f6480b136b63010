// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinTestSupport
import Testing

/// A kind of key and a way to sign with it.
struct SigningCase: Sendable, CustomTestStringConvertible {
  let kind: KeyKind
  let algorithm: SignatureAlgorithm
  /// The backends whose library lacks the algorithm.
  var missingIn: Set<String> = []

  var testDescription: String { "\(algorithm) with \(kind)" }

  static let all: [SigningCase] = {
    let hashes: [SignatureHash] = [.sha1, .sha256, .sha384, .sha512]
    var cases = [
      SigningCase(kind: .ed25519, algorithm: .ed25519), SigningCase(kind: .ed448, algorithm: .ed448),
    ]
    for hash in hashes {
      // GnuTLS knows PSS with SHA-2 only.
      let missing: Set<String> = hash == .sha1 ? ["gnutls"] : []
      for bits in [256, 384, 521] { cases.append(SigningCase(kind: .ecdsa(bits: bits), algorithm: .ecdsa(hash))) }
      cases.append(SigningCase(kind: .rsa(bits: 2048), algorithm: .rsaPKCS1(hash)))
      cases.append(SigningCase(kind: .rsa(bits: 2048), algorithm: .rsaPSS(hash), missingIn: missing))
      cases.append(SigningCase(kind: .rsaPSS(bits: 2048), algorithm: .rsaPSS(hash), missingIn: missing))
    }
    return cases
  }()
}

@Suite("keys")
struct KeyProviderTests {
  private let message = Array("to be signed".utf8)

  @Test("openssl verifies every signature", ExternalTool.openssl.required, arguments: keyProviders, SigningCase.all)
  func signs(provider: Named<any KeyProvider>, test: SigningCase) throws {
    let key = try Self.key(test.kind, provider)
    guard !test.missingIn.contains(provider.name) else {
      #expect(throws: BackendError.self) { try key.sign(message, test.algorithm) }
      return
    }
    let signature = try key.sign(message, test.algorithm)
    let directory = try ScratchDirectory()
    var arguments = ["pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-rawin"]
    arguments += ["-inkey", try directory.write(key.publicKeyInfo, as: "key")]
    arguments += ["-in", try directory.write(message, as: "message")]
    arguments += ["-sigfile", try directory.write(signature, as: "signature")]
    switch test.algorithm {
    case .ed25519, .ed448: break
    case .ecdsa(let hash), .rsaPKCS1(let hash): arguments += ["-digest", "\(hash)"]
    case .rsaPSS(let hash):
      arguments += ["-digest", "\(hash)", "-pkeyopt", "rsa_padding_mode:pss", "-pkeyopt", "rsa_pss_saltlen:digest"]
    }
    let result = try ExternalTool.openssl.run(arguments, in: directory)
    #expect(result.succeeded, "\(result.text)")
  }

  @Test(
    "a key of one library is the same key in every other",
    arguments: keyProviders,
    Set(SigningCase.all.map(\.kind)))
  func crossImport(provider: Named<any KeyProvider>, kind: KeyKind) throws {
    let key = try Self.key(kind, provider)
    for other in keyProviders {
      let copy = try other.value.importKey(pkcs8: key.pkcs8())
      #expect(copy.publicKeyInfo == key.publicKeyInfo, "\(provider.name) to \(other.name)")
    }
  }

  @Test("an id-RSASSA-PSS key has no parameters, so that any hash may be used (RFC 4055 1.2)", arguments: keyProviders)
  func plainPSS(provider: Named<any KeyProvider>) throws {
    let key = try Self.key(.rsaPSS(bits: 2048), provider)
    var reader = try DERReader.single(key.publicKeyInfo[...], .sequence).reader()
    #expect(try reader.read(.sequence).encoded == DER.sequence(DER.objectIdentifier(.rsaPSS))[...])
  }

  @Test("a key does not sign in the name of another kind", arguments: keyProviders)
  func wrongKind(provider: Named<any KeyProvider>) throws {
    let rsa = try Self.key(.rsa(bits: 2048), provider)
    let pss = try Self.key(.rsaPSS(bits: 2048), provider)
    let ec = try Self.key(.ecdsa(bits: 256), provider)
    let pairs: [(any PrivateKey, SignatureAlgorithm)] = [
      (rsa, .ecdsa(.sha256)), (rsa, .ed25519), (pss, .rsaPKCS1(.sha256)), (ec, .rsaPKCS1(.sha256)), (ec, .ed448),
    ]
    for (key, algorithm) in pairs {
      #expect(throws: BackendError.self, "\(algorithm)") { try key.sign(message, algorithm) }
    }
  }

  @Test(
    "sizes that no library has are errors", arguments: keyProviders,
    [KeyKind.ecdsa(bits: 255), .ecdsa(bits: -1), .rsa(bits: 0), .rsa(bits: -1), .rsa(bits: .max), .rsaPSS(bits: 8)])
  func badSizes(provider: Named<any KeyProvider>, kind: KeyKind) {
    #expect(throws: BackendError.self) { try provider.value.generateKey(kind) }
  }

  @Test("bytes that are not PKCS#8 are errors", arguments: keyProviders)
  func badImport(provider: Named<any KeyProvider>) throws {
    let good = try Self.key(.ecdsa(bits: 256), provider).pkcs8()
    let bad: [[UInt8]] = [[], [0x30], good.dropLast(), good + [0], Array(repeating: 0xFF, count: 64)]
    for (index, bytes) in bad.enumerated() {
      #expect(throws: BackendError.self, "\(index)") { try provider.value.importKey(pkcs8: bytes) }
    }
  }

  @Test(
    "many threads sign with one key at a time", arguments: keyProviders, [KeyKind.ecdsa(bits: 256), .rsa(bits: 2048)])
  func concurrency(provider: Named<any KeyProvider>, kind: KeyKind) async throws {
    let key = try Self.key(kind, provider)
    let algorithm: SignatureAlgorithm = kind == .rsa(bits: 2048) ? .rsaPKCS1(.sha256) : .ecdsa(.sha256)
    let signatures = try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for _ in 0..<64 { group.addTask { try key.sign(Array("to be signed".utf8), algorithm) } }
      return try await group.reduce(into: [[UInt8]]()) { $0.append($1) }
    }
    #expect(signatures.count == 64)
    // PKCS#1 is deterministic, so each must be the same; ECDSA's must not repeat, or the key would be lost.
    #expect(Set(signatures).count == (kind == .rsa(bits: 2048) ? 1 : 64))
  }

  private static func key(_ kind: KeyKind, _ provider: Named<any KeyProvider>) throws -> any PrivateKey {
    try provider.value.generateKey(kind)
  }
}
