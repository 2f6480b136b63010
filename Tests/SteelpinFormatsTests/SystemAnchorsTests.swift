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
