// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinTestSupport
import Testing

@Suite("Alamofire: table of hosts, bundles, expired and revoked servers") struct AlamofireManagerTests {
  private let certificates: AlamofireCertificates

  init() throws { self.certificates = try AlamofireCertificates.shared.get() }

  private func errors(
    _ chain: [String], host: String = "test.alamofire.org", by source: some PolicySource
  ) throws -> Set<String> {
    let chain = CertificateChain(try certificates.all(chain))
    return try judge(chain, host: host, by: source, system: certificates.root).errorCodes
  }

  @Test("a host without an evaluator is refused, unless not all hosts must be evaluated")
  func unknownHost() throws {
    let chain = ["wildcard", "CA1", "Root"]
    var manager = AlamofireTrustManager(evaluators: ["test.alamofire.org": .default()])
    #expect(try errors(chain, by: manager) == [])
    #expect(try errors(chain, host: "www.alamofire.org", by: manager) == ["host-not-allowed"])
    manager.allHostsMustBeEvaluated = false
    #expect(try errors(chain, host: "www.alamofire.org", by: manager) == [])
    #expect(try errors(chain, host: "www.example.org", by: manager) == ["host-mismatch@0"])
  }

  @Test("hosts are compared exactly, with their letter case, and without wildcards")
  func exactHosts() throws {
    for host in ["Test.alamofire.org", "*.alamofire.org", "alamofire.org"] {
      let manager = AlamofireTrustManager(evaluators: [host: .disabled])
      #expect(try errors(["wildcard", "CA1", "Root"], by: manager) == ["host-not-allowed"], "\(host)")
    }
  }

  @Test("anchors that one evaluator of a composite sets are those of the next")
  func sharedTrust() throws {
    let other = try certificates("CA1")
    let pinning = AlamofireEvaluator.pinnedCertificates([other], acceptSelfSigned: true)
    #expect(try errors(["wildcard", "CA1"], by: AlamofirePreset(.composite([pinning, .default()]))) == [])
    let chain = ["validDNS", "CA2", "Root"]
    #expect(try errors(chain, by: AlamofirePreset(.default())) == [])
    let later = AlamofirePreset(.composite([.default(), pinning]))
    #expect(try errors(chain, by: later) == ["root-not-trusted@2", "pin-mismatch"])
  }

  @Test("line 1385: of 23 files the 19 with DER certificates are kept") func bundle() throws {
    let names = certificates.everything.keys.sorted()
    let extensions = ["cer", "CER", "crt", "CRT", "der", "DER"]
    let kept = try (0..<19).map { index in
      BundleFile(
        "certificate\(index).\(extensions[index % extensions.count])", try certificates(names[index % names.count]).der)
    }
    let leaf = try certificates("validDNS")
    let pem = Array("-----BEGIN CERTIFICATE-----\n\(Base64.encode(leaf.der))\n-----END CERTIFICATE-----\n".utf8)
    let dropped = [
      BundleFile("certPEM.cer", pem), BundleFile("certPEM.crt", pem),
      BundleFile("keyDER.der", Array(leaf.publicKey.encoded)), BundleFile("gibberish.crt", Array("gibberish".utf8)),
    ]
    let found = AlamofirePreset.certificates(inBundle: kept + dropped)
    #expect(found.map(\.der) == kept.map(\.contents))
  }

  /// TLSEvaluationTests.swift asks expired.badssl.com, which does not send its root, with these evaluators.
  @Test("an expired server that does not send its root") func expiredServer() throws {
    let chain = ["expired", "CA2"]
    let (leaf, ca, root) = (try certificates("expired"), try certificates("CA2"), try certificates("Root"))
    for (evaluator, expected) in [
      (.default(), ["expired@0"]), (.revocation(.apple(networkAccessDisabled: true)), ["expired@0"]),
      (.pinnedCertificates([leaf]), ["expired@0"]), (.publicKeys(of: [leaf]), ["expired@0"]),
      (.pinnedCertificates([leaf], performDefaultValidation: false, validateHost: false), []),
      (.pinnedCertificates([ca], performDefaultValidation: false, validateHost: false), []),
      (.publicKeys(of: [leaf], performDefaultValidation: false, validateHost: false), []),
      (.publicKeys(of: [ca], performDefaultValidation: false, validateHost: false), []),
      // The root is on no chain that was evaluated.
      (.pinnedCertificates([root], performDefaultValidation: false, validateHost: false), ["pin-mismatch"]),
      (.publicKeys(of: [root], performDefaultValidation: false, validateHost: false), ["pin-mismatch"]),
      (.disabled, []),
    ] as [(AlamofireEvaluator, Set<String>)] {
      #expect(try errors(chain, by: AlamofirePreset(evaluator)) == expected, "\(evaluator)")
    }
  }

  @Test("a positive answer about revocation may be required") func requirePositiveResponse() throws {
    let chain = ["validDNS", "CA2", "Root"]
    let strict = RevocationPolicy.apple(networkAccessDisabled: true, requirePositiveResponse: true)
    let codes = try errors(chain, by: AlamofirePreset(.revocation(strict)))
    #expect(codes == ["revocation-unknown@0", "revocation-unknown@1"])
  }
}
