// SPDX-License-Identifier: Apache-2.0
import Foundation
import Steelpin
import SteelpinFormats
import SteelpinLab
import SteelpinTestSupport
import Testing

@Suite("files of a lab") struct FileTests {
  private func material() throws -> LabMaterial {
    try #require(LabScenario.named("revoked")).makeMaterial(
      host: try HostName("localhost"), keys: keyRings[0].value, clock: .now())
  }

  @Test("a directory has everything that a client may need") func directory() throws {
    let scratch = try ScratchDirectory()
    let material = try material()
    let path = scratch.url.appendingPathComponent("lab").path
    let files = try LabFiles(material.files, authorities: nil, directory: path)
    #expect(files.authorities == path + "/ca.pem")
    let loaded = try CertificateLoader().load(try FileReader().read(files.authorities), name: "ca")
    #expect(loaded.certificates.map(\.certificate.der) == material.authorities)
    #expect(String(decoding: try FileReader().read(path + "/pin.txt"), as: UTF8.self) == "\(material.pin)\n")
    let attributes = try FileManager.default.attributesOfItem(atPath: path + "/client.key")
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    files.remove()
    #expect(FileManager.default.fileExists(atPath: path), "a directory of the user's is not removed")
  }

  @Test("a file that was asked for is the only one") func file() throws {
    let scratch = try ScratchDirectory()
    let path = scratch.url.appendingPathComponent("authority.pem").path
    let files = try LabFiles(try material().files, authorities: path, directory: nil)
    #expect(files.directory == nil && files.authorities == path)
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path) == ["authority.pem"])
  }

  @Test("a directory that was made is removed") func temporary() throws {
    let files = try LabFiles(try material().files, authorities: nil, directory: nil)
    let path = try #require(files.directory)
    #expect(FileManager.default.fileExists(atPath: files.authorities))
    files.remove()
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("a place where nothing can be written is an error") func nowhere() throws {
    let files = try material().files
    #expect(throws: LoadError.self) { try LabFiles(files, authorities: nil, directory: "/no/such/place") }
    #expect(throws: LoadError.self) { try LabFiles(files, authorities: "/no/such/ca.pem", directory: nil) }
  }
}
