// SPDX-License-Identifier: Apache-2.0
import Steelpin
import Testing

/// Input that was made to be slow is refused before it costs anything, or costs a counted amount of work.
@Suite("bounded work")
struct WorkBoundTests {
  private func unknown(_ number: Int) -> FakeExtension {
    FakeExtension(
      identifier: OID([0x2B, 6, 1, 4, 1, UInt8(0x81 + number >> 7), UInt8(number & 0x7F)]), value: DER.null)
  }

  @Test("extensions beyond 128 are not read", arguments: [128, 129, 16_000])
  func extensions(_ count: Int) throws {
    var chain = FakeChain()
    chain.leaf.extensions += (0..<count - chain.leaf.extensions.count).map { unknown($0) }
    guard count > 128 else {
      #expect(try chain.judge().isTrusted)
      return
    }
    let error = #expect(throws: CertificateError.self) { try chain.leaf.make() }
    #expect(error?.field == "tbsCertificate.extensions")
    #expect(error?.cause.description.contains("more than 128 extensions") == true)
  }

  @Test("lists beyond 16,384 elements are not read", arguments: [16_384, 16_385])
  func lists(_ count: Int) throws {
    var chain = FakeChain()
    let names = (0..<count).map { $0 == 0 ? FakeGeneralName.dns("www.example.com") : FakeGeneralName.dns("") }
    chain.leaf.set(
      .subjectAlternativeName, FakeExtension(identifier: .subjectAlternativeName, value: DER.sequence(names)))
    #expect(try chain.judge().errorCodes == (count > 16_384 ? ["extension-malformed@0", "host-mismatch@0"] : []))
  }

  @Test("of many policies one that is listed twice is found", arguments: [false, true])
  func policies(_ isTwice: Bool) throws {
    var policies = (0..<16_000).map { DER.objectIdentifier(OID([0x55, UInt8(0x81 + $0 >> 7), UInt8($0 & 0x7F)])) }
    if isTwice { policies[15_999] = policies[0] }
    var chain = FakeChain()
    chain.leaf.extensions.append(
      FakeExtension(identifier: .certificatePolicies, value: DER.sequence(policies.map { DER.sequence($0) })))
    #expect(try chain.judge().errorCodes == (isTwice ? ["extension-malformed@0"] : []))
  }

  @Test("long names count as several when they are compared with constraints")
  func longNames() throws {
    var chain = FakeChain()
    let long = String(repeating: "a", count: 40_000)
    chain.leaf.subject = FakeName.attributes((.commonName, "www.example.com"), (.domainComponent, long))
    let excluded = (0..<500).map { FakeGeneralName.directory(FakeName.commonName("\($0)")) }
    chain.root.extensions.append(.nameConstraints(excluded: excluded))
    #expect(try chain.judge().errorCodes == ["path-budget-exceeded@2"])
  }

  @Test("paths are judged as far as the octets of their certificates allow", arguments: [0, 250_000])
  func candidateOctets(_ octets: Int) throws {
    var leaf = FakeChain().leaf
    leaf.issuer = FakeName.commonName("CA")
    leaf.signer = "key"
    leaf.extensions = [
      .subjectAlternativeName(FakeGeneralName.dns("elsewhere.example.com")),
      FakeExtension(identifier: OID([0x2B, 6, 1]), value: Array(repeating: 0, count: octets)),
    ]
    // Forty authorities with one name and key: forty paths, each good but for the host.
    let anchors = (0..<40).map { number in
      var authority = FakeCertificate("CA", by: "CA", key: "key", signer: "key")
      authority.serialNumber = [UInt8(number + 1)]
      authority.extensions = [.basicConstraints(isCA: true), .keyUsage(5)]
      return authority
    }
    let policy = TrustPolicy(anchors: .only(AnchorSet(try anchors.map { try $0.make() })), time: FakeCertificate.now)
    let verdict = try FakeBackend().evaluate(
      CertificateChain([try leaf.make()]), host: try HostName("www.example.com"), policy: policy)
    #expect(verdict.attempts.count == (octets == 0 ? 40 : PathBudget().candidateOctets / (octets + 600)))
    #expect(verdict.errorCodes == (octets == 0 ? ["host-mismatch@0"] : ["host-mismatch@0", "path-budget-exceeded"]))
  }

  @Test("text with endless combining marks is compared byte for byte, other text by what it means")
  func combiningMarks() throws {
    func name(_ marks: String, _ count: Int) throws -> DistinguishedName {
      let text = "a" + String(repeating: marks, count: count)
      return try DistinguishedName(DERReader.single(FakeName.commonName(text)[...], .sequence))
    }
    // Canonically equivalent: the order of a mark above and one below does not matter.
    let (one, other) = ("\u{301}\u{323}", "\u{323}\u{301}")
    #expect(try name(one, 15) == name(other, 15))
    #expect(try name(one, 16) != name(other, 16))
    #expect(try name(one, 16) == name(one, 16))
    #expect(try name(one, 60_000) != name(other, 60_000))
    #expect(try name(one, 60_000) == name(one, 60_000))
  }
}
