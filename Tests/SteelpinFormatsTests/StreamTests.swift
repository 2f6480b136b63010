// SPDX-License-Identifier: Apache-2.0
import Foundation
import Steelpin
import SteelpinTestSupport
import Testing

@testable import SteelpinFormats

/// The quick way through a bundle says what the slow one says.
struct StreamTests {
  private static let names = [
    "bundle/cross-signed.pem", "bundle/roots.pem", "bundle/unordered.pem", "leaf/ed25519/chain.pem",
    "leaf/p-256/chain.pem", "leaf/rsa-2048/chain.pem", "leaf/self-signed/cert.pem",
  ]

  private static func outline(_ der: [UInt8]) -> CertificateOutline? { CertificateOutline(der.span) }

  private static func isOutlined(_ der: [UInt8]) -> Bool { outline(der) != nil }

  private static func read(_ blocks: inout CanonicalBlocks, _ text: [UInt8], at start: Int) -> Int? {
    blocks.read(text.span, at: start)
  }

  @Test("every certificate has the outline of one", arguments: names) func outline(_ name: String) {
    for der in Fixture.certificates(name) { #expect(Self.isOutlined(der)) }
  }

  @Test("an outline says where the parts are, and what the certificate says", arguments: names)
  func outlined(_ name: String) throws {
    for der in Fixture.certificates(name) {
      let certificate = try Certificate(der: der)
      let outline = try #require(Self.outline(der))
      #expect(der[outline.issuer] == certificate.issuer.encoded)
      #expect(der[outline.subject] == certificate.subject.encoded)
      #expect(der[outline.publicKey] == certificate.publicKey.encoded)
      #expect(outline.basicConstraints(in: der[...]) == certificate.decoded.basicConstraints)
      let item = BundleStream.Item(der: der[...], isCanonical: true, outline: outline, text: [])
      #expect(try CertificateLabel(item) == CertificateLabel(certificate))
    }
  }

  /// The extensions and the attributes of one relative name that a certificate may have (by our parser's bounds).
  @Test(
    "lists that are too long for the parser have no outline",
    arguments: [(128, 1, true), (129, 1, false), (0, 1 << 14, true), (0, 1 << 14 + 1, false)])
  func longLists(_ extensions: Int, _ attributes: Int, _ isCertificate: Bool) throws {
    let sample = try Certificate(der: Fixture.leaf)
    let attribute = DER.sequence(DER.objectIdentifier(.commonName), DER.string(.utf8String, "a"))
    let item = DER.sequence(DER.objectIdentifier(.keyUsage), DER.octetString([]))
    let fields = [
      DER.explicit(0, DER.integer(2)), DER.integer(1), Array(sample.signatureAlgorithm.encoded),
      DER.sequence(DER.setOf(Array(repeating: attribute, count: attributes))),
      DER.sequence(
        DER.utcTime(Timestamp(secondsSince1970: 0)), DER.utcTime(Timestamp(secondsSince1970: 1_000_000_000))),
      Array(sample.subject.encoded), Array(sample.publicKey.encoded),
      extensions == 0 ? [] : DER.explicit(3, DER.sequence(Array(repeating: item, count: extensions))),
    ]
    let der = DER.sequence(DER.sequence(fields), fields[2], DER.bitString([1]))
    #expect(((try? Certificate(der: der)) != nil) == isCertificate)
    #expect(Self.isOutlined(der) == isCertificate)
  }

  @Test("what has the outline of a certificate is one", arguments: names) func outlineOfDamage(_ name: String) {
    var passed = 0
    for der in Fixture.certificates(name) {
      for index in der.indices {
        for change: UInt8 in [0x01, 0x20, 0x7F, 0x80, 0xFF] {
          var damaged = der
          damaged[index] ^= change
          guard Self.isOutlined(damaged) else { continue }
          passed += 1
          #expect(throws: Never.self, "byte \(index) ^ \(change)") { try Certificate(der: damaged) }
        }
      }
      #expect(!Self.isOutlined(der + [0]))
      for length in der.indices { #expect(!Self.isOutlined(Array(der[..<length]))) }
    }
    #expect(passed > 1000)
  }

  @Test("a block in canonical form is decoded as it was encoded", arguments: 1...200) func canonical(_ count: Int) {
    var blocks = CanonicalBlocks()
    let content = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ count) }
    var text = utf8("text\n")
    PEMText.append(content, label: "CERTIFICATE", to: &text)
    let end = Self.read(&blocks, text, at: 5)
    #expect(end == text.count)
    #expect(Array(blocks.content) == content)
    #expect(blocks.lineCount == text.filter { $0 == 10 }.count - 1)
    let shifted = Self.read(&blocks, text, at: 4)
    text.removeLast()
    let cut = Self.read(&blocks, text, at: 5)
    #expect(shifted == nil && cut == nil)
  }

  @Test(
    "another form is left to the scanner",
    arguments: [
      Make.pem(Fixture.leaf, end: "\r\n"), Make.pem(Fixture.leaf, width: 76), Make.pem(Fixture.leaf, width: 60),
      Make.pem(Fixture.leaf, "X509 CERTIFICATE"), Make.pem([]), Make.pem(Fixture.leaf, end: " \n"),
      Make.replace(Make.pem(Array(Fixture.leaf.prefix(47))), "=\n", "=\nMIIC\n"), Make.pem(Fixture.leaf) + "x",
    ])
  func otherForms(_ text: String) {
    var blocks = CanonicalBlocks()
    let bytes = utf8(text)
    let end = Self.read(&blocks, bytes, at: 0)
    #expect(end == nil || end == bytes.count - 1)
    #expect(end == nil || text.hasSuffix("x"))
  }

  @Test("a stream and the loader agree on damaged bundles", arguments: 1...40) func agreement(_ seed: Int) throws {
    let scratch = try ScratchDirectory()
    let good = Fixture.bytes("leaf/p-256/chain.pem") + Fixture.bytes("bundle/roots.pem")
    let path = scratch.url.appendingPathComponent("bundle.pem").path
    for step in 0..<25 {
      var bytes = good
      let index = (seed &* 7919 &+ step &* 104_729) % bytes.count
      switch step % 4 {
      case 0: bytes[index] ^= 1 << UInt8(seed % 7)
      case 1: bytes.remove(at: index)
      case 2: bytes.insert(bytes[(index &* 31) % bytes.count], at: index)
      default: bytes.insert(contentsOf: utf8("\r\n"), at: index)
      }
      _ = try scratch.write(bytes, as: "bundle.pem")
      let loaded = try? CertificateLoader().examine(bytes, name: "bundle.pem").certificates
      var streamed: [LoadedCertificate]? = []
      // However small the pieces are that threads take, what comes of them is the same.
      var stream = BundleStream(path, pieceSize: [1, 1000, 1 << 18][step % 3])
      do throws(LoadError) {
        _ = try stream.forEach { (item) throws(CertificateError) in
          try item.certificate()
        } _: { (certificate, place) throws(LoadError) in
          streamed?.append(LoadedCertificate(certificate: certificate, place: place))
        }
      } catch { streamed = nil }
      #expect(streamed?.map(\.certificate) == loaded?.map(\.certificate), "seed \(seed), step \(step)")
      #expect(streamed?.map(\.place.line) == loaded?.map(\.place.line), "seed \(seed), step \(step)")
      #expect(streamed?.map(\.place.offset) == loaded?.map(\.place.offset), "seed \(seed), step \(step)")
    }
  }

  @Test func aSplitAppearsWholeOrNotAtAll() throws {
    let scratch = try ScratchDirectory()
    let target = scratch.url.appendingPathComponent("out").path
    do {
      let files = try SplitDirectory(target, mayReplace: false)
      try files.add([1], as: "a")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).isEmpty)
    let files = try SplitDirectory(target, mayReplace: false)
    for index in 0..<300 { try files.add([UInt8(truncatingIfNeeded: index)], as: "\(index)") }
    #expect(!FileManager.default.fileExists(atPath: target))
    try files.commit()
    #expect(try FileManager.default.contentsOfDirectory(atPath: target).count == 300)
    #expect(try scratch.read("out/299") == [43])
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path) == ["out"])
  }

  @Test func aSplitIntoADirectoryReplacesNothingUnasked() throws {
    let scratch = try ScratchDirectory()
    _ = try scratch.write([7], as: "b")
    do {
      let files = try SplitDirectory(scratch.url.path, mayReplace: false)
      for name in ["a", "b"] { try files.add([1], as: name) }
      let error = #expect(throws: LoadError.self) { try files.commit() }
      #expect(error?.code == .outputExists)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path) == ["b"])
    let files = try SplitDirectory(scratch.url.path, mayReplace: true)
    for name in ["a", "b"] { try files.add([1], as: name) }
    try files.commit()
    #expect(try scratch.read("b") == [1])
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).sorted() == ["a", "b"])
  }
}
