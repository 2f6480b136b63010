// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinTestSupport
import Testing

/// Bare calls on a SecTrust, of which the order matters. The system trusts the other root only.
@Suite("Security.framework") struct SecurityFrameworkTests {
  private let certificates: AlamofireCertificates

  init() throws { self.certificates = try AlamofireCertificates.shared.get() }

  private func isTrusted(
    _ calls: [SecurityFrameworkPreset.Call], system: Bool = false, host: String? = "test.alamofire.org"
  ) throws -> Bool {
    var preset = SecurityFrameworkPreset()
    preset.calls = calls
    let chain = CertificateChain(try certificates.all(["validDNS", "CA2", "Root"]))
    return try judge(chain, host: host, by: preset, system: system ? certificates.root : certificates.otherRoot)
      .isTrusted
  }

  @Test("anchors are exclusive until told otherwise, and again when they are set again") func anchors() throws {
    let own = try [certificates("Root")]
    let other = try [certificates("CA1")]
    #expect(try !isTrusted([]))
    #expect(try isTrusted([], system: true))
    #expect(try isTrusted([.setAnchorCertificates(own)]))
    #expect(try !isTrusted([.setAnchorCertificates(other)], system: true))
    #expect(try isTrusted([.setAnchorCertificates(other), .setAnchorCertificatesOnly(false)], system: true))
    #expect(try !isTrusted([.setAnchorCertificatesOnly(false), .setAnchorCertificates(other)], system: true))
    #expect(try isTrusted([.setAnchorCertificates(own), .setAnchorCertificatesOnly(false)]))
    #expect(try !isTrusted([.setAnchorCertificates([])], system: true))
    #expect(try !isTrusted([.setAnchorCertificatesOnly(true)], system: true))
    #expect(try isTrusted([.setAnchorCertificates(other), .setAnchorCertificates(nil)], system: true))
  }

  @Test("any certificate may be an anchor, the leaf included", arguments: ["validDNS", "CA2", "Root"])
  func anyAnchor(_ name: String) throws {
    #expect(try isTrusted([.setAnchorCertificates([certificates(name)])]))
  }

  @Test("policies add up, the last that were set count, and none trust nothing") func policies() throws {
    let wrong = try HostName("wrong.example")
    #expect(try !isTrusted([.setPolicies([.ssl(wrong)])], system: true))
    #expect(try !isTrusted([.setPolicies([.basicX509, .ssl(wrong)])], system: true))
    #expect(try isTrusted([.setPolicies([.ssl(wrong)]), .setPolicies([.basicX509])], system: true))
    #expect(try isTrusted([.setPolicies([.ssl(nil)])], system: true, host: "wrong.example"))
    #expect(try isTrusted([], system: true, host: nil))
    #expect(try !isTrusted([], system: true, host: "wrong.example"))
    #expect(try !isTrusted([.setPolicies([])], system: true))
  }
}
