// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinTestSupport
import Testing

/// Certificates of which one octet was changed, anywhere: none is trusted, and both libraries say so by the same codes.
@Suite("certificates with one wrong octet") struct DamagedCertificateTests {
  static let entries = [
    "leaf/rsa-2048", "leaf/rsa-pss", "leaf/rsa-pss-key", "leaf/p-256", "leaf/p-384", "leaf/p-521", "leaf/ed25519",
  ]

  /// Judges the chain of an entry with a certificate damaged at every octet in turn; the mask of a place depends on it,
  /// so that different bits are hit.
  private func judgeDamaged(_ entry: String, at depth: Int) throws {
    let chain = try TestCerts.chain(entry).certificates
    let policy = TrustPolicy(anchors: .only(try TestCerts.roots()))
    try #require(try judge(CertificateChain(chain), policy).isTrusted)
    let sound = chain[depth].der
    var readable = 0
    for place in sound.indices {
      var der = sound
      der[place] ^= [0x01, 0x80, 0x10, 0x02][place % 4]
      guard let damaged = try? Certificate(der: der) else { continue }
      readable += 1
      var certificates = chain
      certificates[depth] = damaged
      let verdict = try judge(CertificateChain(certificates), policy)
      #expect(!verdict.isTrusted, "octet \(place)")
    }
    #expect(readable > sound.count / 4)
  }

  @Test("the leaf", arguments: entries) func leaf(_ entry: String) throws { try judgeDamaged(entry, at: 0) }

  @Test("the intermediate", arguments: ["leaf/rsa-2048", "leaf/p-256"]) func intermediate(_ entry: String) throws {
    try judgeDamaged(entry, at: 1)
  }
}
