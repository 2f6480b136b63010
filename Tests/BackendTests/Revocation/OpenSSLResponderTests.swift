// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinFetch
import SteelpinTestSupport
import Testing

/// Lists and responses that openssl made, fetched over HTTP from loopback, judged by every backend at the present time.
@Suite("evidence made by openssl", ExternalTool.openssl.required) struct OpenSSLResponderTests {
  private func judge(
    _ authority: OpenSSLAuthority, _ name: String, _ policy: RevocationPolicy, _ evidence: RevocationEvidence,
    after seconds: Int64 = 0
  ) throws -> Verdict {
    var chain = CertificateChain([try authority.certificate(name)])
    chain.evidence = evidence
    let policy = TrustPolicy(
      anchors: .only(AnchorSet([authority.root])), revocation: policy, time: .now().advanced(by: seconds))
    return try BackendTests.judge(chain, policy)
  }

  /// Online, with a failure that counts, by OCSP alone unless lists are asked for.
  private func online(
    _ authority: OpenSSLAuthority, _ name: String, nonce: [UInt8] = [], requiresNonce: Bool = false,
    after seconds: Int64 = 0
  ) throws -> Verdict {
    try judge(
      authority, name, RevocationPolicy(.online, failure: .hard, requiresNonce: requiresNonce),
      RevocationEvidence(fetcher: OnlyOCSP(), nonce: nonce), after: seconds)
  }

  /// A network in which only responders answer.
  private final class OnlyOCSP: RevocationFetcher {
    private let fetcher = HTTPRevocationFetcher()

    func fetch(_ request: RevocationRequest) throws(RevocationFetchError) -> [UInt8] {
      guard case .ocsp = request else { throw RevocationFetchError("no lists today") }
      return try fetcher.fetch(request)
    }
  }

  @Test(
    "what the responder says", arguments: [OpenSSLAuthority.Signer.root, .responder],
    [("good", nil), ("revoked", "revoked"), ("unknown", "revocation-unknown")] as [(String, String?)])
  func status(_ signer: OpenSSLAuthority.Signer, _ expected: (name: String, code: String?)) throws {
    let verdict = try online(OpenSSLAuthority(signer: signer), expected.name, nonce: RevocationEvidence.makeNonce())
    #expect(verdict.isTrusted == (expected.code == nil), "\(verdict.findings)")
    if let code = expected.code { #expect(verdict.errors.contains { $0.code.rawValue == code && $0.depth == 0 }) }
  }

  @Test("a signer whom the authority did not delegate") func wrongSigner() throws {
    let verdict = try online(OpenSSLAuthority(signer: .good), "good")
    #expect(verdict.errors.contains { $0.code == .ocspResponderUnauthorized }, "\(verdict.findings)")
  }

  @Test("an answer that is out of date") func expired() throws {
    let authority = try OpenSSLAuthority(minutes: 5)
    #expect(try online(authority, "good").isTrusted)
    let verdict = try online(authority, "good", after: 600)
    #expect(verdict.errors.contains { $0.code == .revocationExpired }, "\(verdict.findings)")
  }

  @Test("the nonce is repeated") func nonce() throws {
    let authority = try OpenSSLAuthority()
    let nonce = RevocationEvidence.makeNonce()
    #expect(try online(authority, "good", nonce: nonce, requiresNonce: true).isTrusted)
  }

  @Test("a responder that is down", arguments: RevocationPolicy.Failure.allCases)
  func down(_ failure: RevocationPolicy.Failure) throws {
    // The server of the first authority is gone with it; its certificates still name it.
    var authority: OpenSSLAuthority? = try OpenSSLAuthority()
    let leaf = try #require(try authority?.certificate("good"))
    let root = try #require(authority?.root)
    authority = nil
    var chain = CertificateChain([leaf])
    chain.evidence.fetcher = HTTPRevocationFetcher(timeout: .seconds(2))
    let verdict = try BackendTests.judge(
      chain,
      TrustPolicy(
        anchors: .only(AnchorSet([root])), revocation: RevocationPolicy(.online, failure: failure), time: .now()))
    #expect(verdict.isTrusted == (failure == .soft), "\(verdict.findings)")
    #expect(verdict.findings.contains { $0.code == .revocationUnavailable })
  }

  @Test(
    "the list, at hand and fetched", arguments: [RevocationPolicy.Mode.crl, .online],
    [("good", true), ("revoked", false), ("unknown", true)])
  func list(_ mode: RevocationPolicy.Mode, _ expected: (name: String, isGood: Bool)) throws {
    /// A network in which no responder answers.
    final class OnlyLists: RevocationFetcher {
      private let fetcher = HTTPRevocationFetcher()

      func fetch(_ request: RevocationRequest) throws(RevocationFetchError) -> [UInt8] {
        guard case .list = request else { throw RevocationFetchError("no responder today") }
        return try fetcher.fetch(request)
      }
    }
    let authority = try OpenSSLAuthority()
    let evidence = RevocationEvidence(lists: mode == .crl ? [try authority.list()] : [], fetcher: OnlyLists())
    let verdict = try judge(authority, expected.name, RevocationPolicy(mode, failure: .hard), evidence)
    #expect(verdict.errorCodes == (expected.isGood ? [] : ["revoked@0"]), "\(verdict.findings)")
  }

  @Test("a stapled response", arguments: [("good", ""), ("revoked", "revoked@0"), ("unknown", "revocation-unknown@0")])
  func staple(_ name: String, _ code: String) throws {
    let authority = try OpenSSLAuthority()
    let response = try authority.response(for: authority.certificate(name))
    let verdict = try judge(
      authority, name, RevocationPolicy(.staple, failure: .hard), RevocationEvidence(staple: .response(response)))
    #expect(verdict.errorCodes == (code.isEmpty ? [] : [code]), "\(verdict.findings)")
  }
}
