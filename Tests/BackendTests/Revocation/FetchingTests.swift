// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinTestSupport
import Synchronization
import Testing

/// What is fetched, when, and what its answers mean; the network is a table.
@Suite("fetching evidence of revocation") struct FetchingTests {
  /// Answers requests by their URLs, and counts them.
  final class Network: RevocationFetcher {
    private let answers: [String: [UInt8]]
    private let log = Mutex<[RevocationRequest]>([])

    init(_ answers: [String: [UInt8]]) { self.answers = answers }

    var requests: [RevocationRequest] { log.withLock { $0 } }

    func fetch(_ request: RevocationRequest) throws(RevocationFetchError) -> [UInt8] {
      log.withLock { $0.append(request) }
      guard let answer = answers[request.url] else { throw RevocationFetchError("connection refused") }
      return answer
    }
  }

  static let responder = "http://ocsp.steelpin.test/"
  static let list = "http://crl.steelpin.test/list"
  let root: Authority
  let leaf: Authority

  init() throws {
    root = try Authority.root("root")
    let access = DER.sequence(
      DER.objectIdentifier(.ocsp), DER.implicit(6, DER.string(.ia5String, Self.responder)))
    let others = [
      Authority.encode(.authorityInformationAccess, DER.sequence(access)),
      ListRecipe.points((ListRecipe.url(Self.list), nil, nil)),
    ]
    leaf = try root.issue("leaf", serial: 7, .init(others: others))
  }

  private func judge(
    _ network: Network, _ policy: RevocationPolicy = RevocationPolicy(.online, failure: .hard),
    _ change: (inout RevocationEvidence) -> Void = { _ in }
  ) throws -> Verdict {
    var evidence = RevocationEvidence(fetcher: network)
    change(&evidence)
    return try judgeRevocation([leaf], evidence, anchor: root, policy)
  }

  private func response(_ recipe: ResponseRecipe = ResponseRecipe()) throws -> [UInt8] {
    try recipe.der(for: leaf.certificate, issuedBy: root.certificate, by: root)
  }

  @Test("nothing is fetched unless the policy is online", arguments: RevocationPolicy.Mode.allCases)
  func onlyOnline(_ mode: RevocationPolicy.Mode) throws {
    let network = Network([Self.responder: try response()])
    let verdict = try judge(network, RevocationPolicy(mode, failure: .hard))
    #expect(network.requests.isEmpty == (mode != .online))
    #expect(verdict.isTrusted == (mode == .off || mode == .online))
  }

  @Test("nothing is fetched if what is at hand tells the status") func atHand() throws {
    let network = Network([:])
    let lists = [try ListRecipe().list(by: root)]
    #expect(try judge(network) { $0.lists = lists }.isTrusted)
    #expect(network.requests.isEmpty)
  }

  @Test("nothing is fetched for a path that is refused anyway") func refusedPath() throws {
    let network = Network([:])
    let verdict = try judgeRevocation(
      [leaf], RevocationEvidence(fetcher: network), anchor: root, RevocationPolicy(.online),
      time: Authority.clock.advanced(byDays: 200))
    #expect(!verdict.isTrusted)
    #expect(network.requests.isEmpty)
  }

  @Test("the list is fetched if the responder is down") func list() throws {
    let network = Network([Self.list: try ListRecipe().der(by: root)])
    let verdict = try judge(network)
    #expect(verdict.isTrusted)
    #expect(verdict.warningCodes == ["revocation-unavailable"])
    #expect(network.requests.contains(.list(url: Self.list)))
    let revoked = Network([Self.list: try ListRecipe(7).der(by: root)])
    #expect(try judge(revoked).errorCodes == ["revoked@0"])
  }

  @Test("all is down: a hard failure refuses, a soft one warns", arguments: RevocationPolicy.Failure.allCases)
  func down(_ failure: RevocationPolicy.Failure) throws {
    let verdict = try judge(Network([:]), RevocationPolicy(.online, failure: failure))
    #expect(verdict.isTrusted == (failure == .soft))
    let codes: Set<String> = ["revocation-unavailable", "revocation-unknown"]
    #expect(verdict.warningCodes.union(verdict.errors.map(\.code.rawValue)) == codes)
  }

  @Test("the request names the certificate and carries the nonce") func request() throws {
    let network = Network([Self.responder: try response()])
    let nonce = RevocationEvidence.makeNonce()
    _ = try judge(network) { $0.nonce = nonce }
    let expected = OCSPRequest(for: leaf.certificate, issuedBy: root.certificate, nonce: nonce).der
    #expect(Set(network.requests) == [.ocsp(url: Self.responder, request: expected)])
    #expect(expected.suffix(32) == nonce[...])
  }

  @Test(
    "the nonce of the answer",
    arguments: [
      ([1, 2, 3], false, true), ([1, 2, 3], true, true), (nil, false, true), (nil, true, false),
      ([1, 2], false, false),
    ] as [([UInt8]?, Bool, Bool)])
  func nonce(_ answered: [UInt8]?, _ isRequired: Bool, _ isGood: Bool) throws {
    var recipe = ResponseRecipe()
    recipe.nonce = answered
    let network = Network([Self.responder: try response(recipe)])
    let policy = RevocationPolicy(.online, failure: .hard, requiresNonce: isRequired)
    let verdict = try judge(network, policy) { $0.nonce = [1, 2, 3] }
    #expect(verdict.isTrusted == isGood)
    #expect(isGood || verdict.errors.contains { $0.code == .ocspNonceMismatch })
  }

  @Test("Alamofire's options, as Apple means them")
  func apple() throws {
    let network = Network([:])
    #expect(try judge(network, .apple()).isTrusted)
    #expect(try !judge(network, .apple(requirePositiveResponse: true)).isTrusted)
    let before = network.requests.count
    #expect(try judge(network, .apple(networkAccessDisabled: true)).isTrusted)
    #expect(network.requests.count == before)
  }
}
