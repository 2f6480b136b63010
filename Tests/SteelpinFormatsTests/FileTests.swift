// SPDX-License-Identifier: Apache-2.0
import Foundation
import Steelpin
import SteelpinTestSupport
import Testing

@testable import SteelpinFormats

/// Reading and writing where the file system is not as it should be.
struct FileTests {
  private let scratch: ScratchDirectory

  init() throws { scratch = try ScratchDirectory() }

  private func path(_ name: String) -> String { scratch.url.appendingPathComponent(name).path }

  private func code(_ body: () throws -> Void) -> LoadErrorCode? {
    do {
      try body()
      return nil
    } catch {
      return (error as? LoadError)?.code
    }
  }

  @Test func everyWayOfNotReadingHasItsCode() throws {
    #expect(code { _ = try FileReader().read(path("missing")) } == .fileMissing)
    #expect(code { _ = try FileReader().read(scratch.url.path) } == .directory)
    try FileManager.default.createSymbolicLink(atPath: path("loop"), withDestinationPath: "loop")
    #expect(code { _ = try FileReader().read(path("loop")) } == .directory)
    #expect(mkfifo(path("pipe"), 0o600) == 0)
    #expect(code { _ = try FileReader(timeout: 1).read(path("pipe")) } == .timeout)
    #expect(code { _ = try FileReader(limit: 1 << 20).read("/dev/zero") } == .tooLarge)
  }

  @Test(
    "a place that cannot be written is a fault of output, whatever the reason",
    arguments: [EACCES, EPERM, EROFS, ENOSPC])
  func unwritable(_ number: Int32) {
    let error = SystemFault.writing("out.pem", number)
    #expect(error.code == .inputOutput && error.code.exitStatus == 74)
  }

  @Test("a name that is no UTF-8 is said, not taken for a missing file") func names() throws {
    let name = Array((scratch.url.path + "/").utf8) + [0xFF, 0x2E, 0x70, 0x65, 0x6D, 0]
    let descriptor = name.withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { open($0.baseAddress!, O_CREAT | O_WRONLY, 0o600) }
    }
    try #require(descriptor >= 0)
    close(descriptor)
    let error = #expect(throws: LoadError.self) { try DirectoryReader.names(in: scratch.url.path) }
    #expect(error?.code == .unsupported && error?.message.contains("which is no UTF-8") == true)
    let missing = #expect(throws: LoadError.self) { try FileReader().read(path("\u{FFFD}.pem")) }
    #expect(missing?.remedy?.contains("UTF-8") == true)
  }

  @Test func aSparseGiBOfZerosIsRefusedUnread() throws {
    #expect(FileManager.default.createFile(atPath: path("zeros"), contents: nil))
    #expect(truncate(path("zeros"), 1 << 30) == 0)
    #expect(code { _ = try FileReader().read(path("zeros")) } == .tooLarge)
  }

  @Test func aPipeIsReadToItsEnd() throws {
    #expect(mkfifo(path("pipe"), 0o600) == 0)
    let bytes = Fixture.bytes("bundle/roots.pem")
    let target = path("pipe")
    let writer = Thread {
      if let handle = FileHandle(forWritingAtPath: target) { try? handle.write(contentsOf: Data(bytes)) }
    }
    writer.start()
    #expect(try FileReader().read(target) == bytes)
  }

  @Test func nothingIsOverwrittenUnasked() throws {
    try AtomicFile.write([1], to: path("out"), mayReplace: false)
    #expect(code { try AtomicFile.write([2], to: path("out"), mayReplace: false) } == .outputExists)
    #expect(try scratch.read("out") == [1])
    #expect(chmod(path("out"), 0o640) == 0)
    try AtomicFile.write([3], to: path("out"), mayReplace: true)
    #expect(try scratch.read("out") == [3])
    var status = stat()
    #expect(stat(path("out"), &status) == 0 && status.st_mode & 0o777 == 0o640)
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path) == ["out"])
  }

  @Test func aSymbolicLinkKeepsPointing() throws {
    _ = try scratch.write([1], as: "real")
    try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: "real")
    try AtomicFile.write([2], to: path("link"), mayReplace: true)
    #expect(try scratch.read("real") == [2])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path("link")) == "real")
  }

  @Test func anAbandonedFileLeavesNothingBehind() throws {
    do {
      let file = try AtomicFile(path("out"), mayReplace: false)
      try file.append([UInt8](repeating: 7, count: 1 << 20))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).isEmpty)
    #expect(code { try AtomicFile.write([1], to: path("no/such/out"), mayReplace: false) } == .inputOutput)
  }

  @Test(.enabled(if: geteuid() == 0 && ExternalTool("mount").isInstalled)) func aFullDiskLeavesTheOldFile() throws {
    let mount = try ExternalTool("mount").run(
      ["-t", "tmpfs", "-o", "size=256k", "tmpfs", scratch.url.path], in: ScratchDirectory())
    guard mount.succeeded else { return }
    defer { _ = try? ExternalTool("umount").run([scratch.url.path], in: ScratchDirectory()) }
    try AtomicFile.write([1, 2, 3], to: path("out"), mayReplace: false)
    let large = [UInt8](repeating: 9, count: 2 << 20)
    let error = #expect(throws: LoadError.self) { try AtomicFile.write(large, to: path("out"), mayReplace: true) }
    #expect(error?.what.contains("no space left") == true)
    #expect(try scratch.read("out") == [1, 2, 3])
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path) == ["out"])
  }

  @Test func aStreamGivesWhatTheLoaderGives() throws {
    let text = (0..<2500).flatMap { index -> [UInt8] in
      utf8("comment \(index)\n") + Fixture.bytes(index % 2 == 0 ? "leaf/p-256/cert.pem" : "leaf/rsa-2048/chain.pem")
    }
    _ = try scratch.write(text, as: "large.pem")
    #expect(text.count > 3 << 20)
    let loaded = try CertificateLoader().load(text, name: path("large.pem"))
    var index = 0
    var stream = BundleStream(path("large.pem"))
    let others = try stream.forEach {
      $0
    } _: { (item, place) throws(LoadError) in
      let expected = loaded.certificates[index]
      #expect(item.der.elementsEqual(expected.certificate.der))
      #expect(place == expected.place)
      #expect(item.isCanonical)
      index += 1
    }
    #expect(index == loaded.certificates.count)
    #expect(others.isEmpty)
  }

  @Test func aStreamStopsAtTheFirstFault() throws {
    let good = Fixture.bytes("leaf/p-256/cert.pem")
    _ = try scratch.write(good + good.dropLast(30), as: "cut.pem")
    let error = #expect(throws: LoadError.self) {
      var stream = BundleStream(path("cut.pem"))
      _ = try stream.forEach {
        $0
      } _: { (_, _) throws(LoadError) in
      }
    }
    #expect(error?.place.block == 2)
    #expect(error?.code == .endMissing)
  }
}
