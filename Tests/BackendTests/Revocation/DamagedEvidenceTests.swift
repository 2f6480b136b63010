// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinTestSupport
import Testing

/// Evidence with octets changed, cut and repeated: it is read or refused, never trusted, and nothing crashes.
@Suite("damaged evidence of revocation") struct DamagedEvidenceTests {
  /// A small generator of its own, so that a failure can be repeated (Steele, Lea and Flood, SplitMix64).
  struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
      return z ^ z >> 31
    }
  }

  let root: Authority
  let leaf: Authority

  init() throws {
    root = try Authority.root("root")
    leaf = try root.issue("leaf", serial: 7)
  }

  private func samples() throws -> (list: [UInt8], response: [UInt8]) {
    var list = ListRecipe()
    list.scope = .init(point: ListRecipe.directory("root"), reasons: [1, 2], isIndirect: true)
    list.entries = [.init(serial: 7, reason: 1, issuer: "root"), .init(serial: 8, reason: 6)]
    list.base = 1
    let responder = try root.issue("responder", serial: 20, .init(purposes: [.ocspSigning]))
    var response = ResponseRecipe()
    response.certificates = [responder]
    response.nonce = [1, 2, 3]
    response.status = .revoked(reason: 1)
    return (
      try list.der(by: root),
      try response.der(for: leaf.certificate, issuedBy: root.certificate, by: responder)
    )
  }

  private func damage(_ bytes: [UInt8], _ generator: inout Generator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      let index = Int.random(in: bytes.indices, using: &generator)
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: bytes[index] = UInt8.random(in: .min ... .max, using: &generator)
      case 1: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      case 2: bytes.remove(at: index)
      case 3: bytes.insert(bytes[index], at: index)
      default: bytes.removeSubrange(index...)
      }
      if bytes.isEmpty { return bytes }
    }
    return bytes
  }

  @Test("parsers survive", arguments: 1...4) func parsers(_ seed: UInt64) throws {
    var generator = Generator(state: seed)
    let samples = try samples()
    _ = try CertificateRevocationList(der: samples.list)
    _ = try OCSPResponse(der: samples.response)
    var read = 0
    for _ in 0..<5000 {
      if (try? CertificateRevocationList(der: damage(samples.list, &generator))) != nil { read += 1 }
      if (try? OCSPResponse(der: damage(samples.response, &generator))) != nil { read += 1 }
    }
    // Damage inside names, dates and signatures leaves the form whole.
    #expect(read > 100)
  }

  @Test("no damaged evidence is believed", arguments: 1...2) func judged(_ seed: UInt64) throws {
    var generator = Generator(state: seed)
    let good = try ResponseRecipe().der(for: leaf.certificate, issuedBy: root.certificate, by: root)
    let list = try ListRecipe().der(by: root)
    for _ in 0..<200 {
      let response = damage(good, &generator)
      guard response != good else { continue }
      let stapled = RevocationEvidence(staple: .response(response))
      #expect(
        try !judgeRevocation([leaf], stapled, anchor: root, RevocationPolicy(.staple, failure: .hard)).isTrusted)
      let der = damage(list, &generator)
      guard der != list, let damaged = try? CertificateRevocationList(der: der) else { continue }
      #expect(try !judgeRevocation([leaf], RevocationEvidence(lists: [damaged]), anchor: root).isTrusted)
    }
  }

  @Test("every prefix of a list and a response is refused") func prefixes() throws {
    let samples = try samples()
    for count in samples.list.indices {
      #expect(throws: RevocationEvidenceError.self) {
        try CertificateRevocationList(der: Array(samples.list.prefix(count)))
      }
    }
    for count in samples.response.indices {
      #expect(throws: RevocationEvidenceError.self) { try OCSPResponse(der: Array(samples.response.prefix(count))) }
    }
  }
}
