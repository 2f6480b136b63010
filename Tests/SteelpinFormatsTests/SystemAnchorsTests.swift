// SPDX-License-Identifier: Apache-2.0
import Foundation
import Steelpin
import SteelpinTestSupport
import Testing

@testable import SteelpinFormats

/// The system's anchors, found as OpenSSL finds them.
struct SystemAnchorsTests {
  private let scratch: ScratchDirectory

  init() throws { scratch = try ScratchDirectory() }

  private func path(_ name: String) -> String { scratch.url.appendingPathComponent(name).path }

  @Test func aFileOfTheEnvironmentReplacesTheBundle() throws {
    _ = try scratch.write(Fixture.bytes("bundle/roots.pem"), as: "roots.pem")
    let system = SystemAnchors.load(file: path("roots.pem"), directories: nil)
    #expect(system.anchors.certificates.count == 2)
    #expect(system.sources == [path("roots.pem")])
    #expect(system.notes.isEmpty)
  }

  @Test func aBrokenEntryIsANoteAndCostsNoOther() throws {
    let good = Fixture.bytes("bundle/roots.pem")
    let bad = Array("-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n".utf8)
    let open = Array("-----BEGIN CERTIFICATE-----\nMIIB\n".utf8)
    _ = try scratch.write(bad + open + good, as: "roots.pem")
    let system = SystemAnchors.load(file: path("roots.pem"), directories: nil)
    #expect(system.anchors.certificates.count == 2)
    #expect(system.notes.map(\.code) == [.brokenEntry, .brokenEntry])
    #expect(system.notes.map(\.place.line) == [1, 4])
  }

  @Test(
    "a subject's hash is OpenSSL's", ExternalTool.openssl.required,
    arguments: ["ca/root-p256", "ca/root-rsa", "leaf/p-256", "leaf/wildcard", "leaf/idn", "leaf/cn-only"])
  func hash(_ entry: String) throws {
    guard let certificate = try? TestCerts.certificate(entry) else { return }
    try checkHash(certificate)
  }

  private func checkHash(_ certificate: Certificate) throws {
    let name = try scratch.write(certificate.der, as: "certificate.der")
    let run = try ExternalTool.openssl.run(
      ["x509", "-inform", "DER", "-in", name, "-noout", "-subject_hash"], in: scratch)
    #expect(run.text.trimmingCharacters(in: .whitespacesAndNewlines) == SubjectHash.of(certificate.subject))
  }

  @Test("a directory of c_rehash has each certificate under its hash", .enabled(if: isRehashed("/etc/ssl/certs")))
  func rehashed() throws {
    for name in try DirectoryReader.names(in: "/etc/ssl/certs") where name.hasSuffix(".0") {
      let bytes = try FileReader().read("/etc/ssl/certs/\(name)")
      for loaded in CertificateLoader().loadTolerantly(bytes, name: name).certificates.prefix(1) {
        #expect(SubjectHash.of(loaded.certificate.subject).map { $0 + ".0" } == name)
      }
    }
  }

  private static func isRehashed(_ path: String) -> Bool {
    (try? DirectoryReader.names(in: path).contains { $0.hasSuffix(".0") }) == true
  }

  @Test("by name, a directory gives what it has under the hash, every number of it")
  func byName() throws {
    let root = try TestCerts.certificate("ca/root-p256")
    let hash = try #require(SubjectHash.of(root.subject))
    _ = try scratch.write(Fixture.bytes("ca/root-rsa/cert.pem"), as: "\(hash).0")
    _ = try scratch.write(Fixture.bytes("ca/root-p256/cert.pem"), as: "\(hash).1")
    _ = try scratch.write(Fixture.bytes("ca/other-root/cert.pem"), as: "00000000.0")
    let found = SystemAnchors.load(file: nil, directories: scratch.url.path, names: [root.subject])
    #expect(found.anchors.certificates.count == 2 && found.anchors.contains(root))
    #expect(found.notes.isEmpty && found.sources == [scratch.url.path])
    #expect(SystemAnchors.load(file: nil, directories: scratch.url.path, names: []).anchors.isEmpty)
  }

  @Test func onlyHashedNamesOfADirectoryCount() throws {
    let root = Fixture.bytes("ca/root-p256/cert.pem")
    for name in ["0a1b2c3d.0", "readme.pem", "0a1b2c3d.pem", "0A1B2C3D.0"] { _ = try scratch.write(root, as: name) }
    let system = SystemAnchors.load(file: nil, directories: scratch.url.path)
    #expect(system.anchors.certificates.count == 1)
    try FileManager.default.removeItem(atPath: path("0a1b2c3d.0"))
    let none = SystemAnchors.load(file: nil, directories: scratch.url.path)
    #expect(none.anchors.isEmpty)
    #expect(none.notes.map(\.code) == [.noHashedFiles])
  }

  @Test func aMissingFileTrustsNothingAndSaysSo() {
    let system = SystemAnchors.load(file: path("missing.pem"), directories: nil)
    #expect(system.anchors.isEmpty)
    #expect(system.notes.map(\.text) == ["there is no such file"])
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/etc/ssl/certs/ca-certificates.crt")))
  func theSystemsOwnBundleLoadsWhole() throws {
    let bundle = try FileReader().read("/etc/ssl/certs/ca-certificates.crt")
    let text = String(decoding: bundle, as: UTF8.self)
    let blocks = text.components(separatedBy: "-----BEGIN CERTIFICATE-----").count - 1
    let system = SystemAnchors.load(file: nil, directories: nil)
    #expect(system.anchors.certificates.count == blocks)
    #expect(system.notes.isEmpty)
  }
}
