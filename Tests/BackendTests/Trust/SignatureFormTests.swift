// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinTestSupport
import Testing

@Suite("signatures that are none") struct SignatureFormTests {
  /// The certificate with another count of unused bits in its signature.
  private func damaged(_ entry: String, unusedBits: UInt8) throws -> Certificate {
    let certificate = try TestCerts.certificate(entry)
    var der = certificate.der
    der[der.count - certificate.signature.count - 1] = unusedBits
    return try Certificate(der: der)
  }

  @Test(
    "a signature that is not whole octets can be shown and is wrong",
    arguments: ["leaf/p-256", "leaf/rsa-2048", "leaf/ed25519"], [1, 7] as [UInt8])
  func notWholeOctets(_ entry: String, _ unusedBits: UInt8) throws {
    let leaf = try damaged(entry, unusedBits: unusedBits)
    let chain = CertificateChain([leaf] + (try TestCerts.chain(entry)).certificates.dropFirst())
    let verdict = try judge(chain, TrustPolicy(anchors: .only(try TestCerts.roots())))
    #expect(verdict.errorCodes == ["signature-invalid@0"], "\(verdict.findings)")
  }

  @Test("a count of unused bits above seven is no bit string") func tooManyUnusedBits() throws {
    #expect(throws: CertificateError.self) { try damaged("leaf/p-256", unusedBits: 8) }
  }
}
