// SPDX-License-Identifier: Apache-2.0
import Steelpin
import Testing

@testable import SteelpinFormats

/// Chains out of heaps. Signatures are a backend's to check, so here every link by name counts as signed.
struct OrderTests {
  private let order = CertificateOrder(at: Timestamp(year: 2026, month: 1, day: 1) ?? .now()) { _, _ in true }

  private func load(_ names: String...) throws -> [Certificate] {
    try names.flatMap { try CertificateLoader().load(Fixture.bytes($0), name: $0).certificates.map(\.certificate) }
  }

  @Test(arguments: ["bundle/reversed.pem", "bundle/with-root.pem", "leaf/p-256/chain.pem"])
  func aChainComesLeafFirst(_ name: String) throws {
    let sorted = try order.leafFirst(load(name), name: name)
    #expect(sorted.first?.der == Fixture.leaf)
    for (subject, issuer) in zip(sorted, sorted.dropFirst()) where !subject.isSelfIssued {
      #expect(subject.issuer == issuer.subject)
    }
    #expect(try sorted.count == load(name).count)
  }

  @Test func rootsAloneKeepTheirOrder() throws {
    let roots = try load("bundle/roots.pem")
    #expect(try order.leafFirst(roots, name: "roots") == roots)
  }

  @Test func twoLeavesAreRefusedByName() throws {
    let heap = try load("leaf/p-256/cert.pem", "leaf/unrelated/cert.pem", "ca/root-p256/cert.pem")
    let error = #expect(throws: LoadError.self) { try order.leafFirst(heap, name: "heap") }
    #expect(error?.what.contains("of Steelpin Test Intermediate P-256 and www.steelpin.test of") == true)
    #expect(error?.remedy?.contains("--order as-given") == true)
  }

  @Test func anUnrelatedCertificateInAChainIsRefusedAndABundlePassesOverIt() throws {
    let heap = try CertificateOrder.withoutDuplicates(load("bundle/unordered.pem"))
    #expect(throws: LoadError.self) { try order.leafFirst(heap, name: "heap") }
    let chain = order.chain(from: try Certificate(der: Fixture.leaf), through: heap)
    #expect(chain.path.count + chain.leftOver.count == heap.count)
    #expect(chain.leftOver.count == 1)
  }

  @Test func theBestChainSaysWhatIsMissingAndLeftOver() throws {
    let leaf = try Certificate(der: Fixture.leaf)
    let whole = try load("ca/root-rsa/cert.pem", "ca/root-p256/cert.pem", "ca/intermediate-p256/cert.pem")
    let complete = order.chain(from: leaf, through: whole)
    #expect(complete.isComplete)
    #expect(complete.path.count == 3)
    #expect(complete.leftOver == [whole[0]])
    let partial = order.chain(from: leaf, through: [whole[2]])
    #expect(!partial.isComplete)
    #expect(partial.path.count == 2)
    let alone = order.chain(from: leaf, through: [whole[0]])
    #expect(alone.path == [leaf])
  }

  @Test func aLinkThatIsNotSignedIsNoLink() throws {
    let strict = CertificateOrder(at: order.time) { _, issuer in !issuer.isSelfIssued }
    let heap = try load("ca/impostor-root/cert.pem", "ca/intermediate-p256/cert.pem")
    let chain = strict.chain(from: try Certificate(der: Fixture.leaf), through: heap)
    #expect(chain.path.count == 2)
    #expect(chain.leftOver == [heap[0]])
  }

  @Test func duplicatesGoByTheirDER() throws {
    let twice = try load("leaf/p-256/cert.pem", "leaf/p-256/cert.cer", "leaf/renewed/cert.pem")
    #expect(CertificateOrder.withoutDuplicates(twice).count == 2)
  }
}
