// SPDX-License-Identifier: Apache-2.0
import Foundation
import Steelpin
import SteelpinCommand
import SteelpinFormats
import SteelpinTestSupport
import Testing

@Suite struct ConvertTests {
  private let scratch: ScratchDirectory

  init() throws { scratch = try ScratchDirectory() }

  private func path(_ name: String) -> String { scratch.url.appendingPathComponent(name).path }
  private func fixture(_ name: String) -> String { TestCerts.directory.appendingPathComponent(name).path }
  private func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

  private func convert(_ arguments: String...) async -> CommandRun {
    await run(["convert"] + arguments, backends: [FakeLibrary.proves.backend("fake")])
  }

  private func load(_ name: String) throws -> [Certificate] {
    try CertificateLoader(isStrict: true).load(scratch.read(name), name: name).certificates.map(\.certificate)
  }

  @Test("a server's PEM becomes the DER that Apple's loader takes") func pemToCER() async throws {
    let result = await convert(fixture("leaf/p-256/cert.pem"), "-o", path("server.cer"))
    #expect(result.status == .success, "\(result)")
    #expect(try scratch.read("server.cer") == TestCerts.certificate("leaf/p-256").der)
  }

  @Test("the name of the output chooses the format, and --to overrides it")
  func formats() async throws {
    for (name, options, encoding) in [
      ("a.crt", [], FileEncoding.pem), ("a.der", [], .der), ("a.p7b", [], .pkcs7), ("b.cer", ["--to", "pem"], .pem),
      ("b.p7b", ["--to", "pkcs7-pem"], .pem), ("unknown", [], .pem),
    ] as [(String, [String], FileEncoding)] {
      let input = fixture("leaf/p-256/cert.pem")
      let result = await run(["convert", input, "-o", path(name)] + options)
      #expect(result.status == .success, "\(result)")
      #expect(try CertificateLoader().load(scratch.read(name), name: name).encoding == encoding, "\(name)")
    }
  }

  @Test("nothing is replaced without --force") func force() async throws {
    _ = try scratch.write([1], as: "out.pem")
    let refused = await convert(fixture("leaf/p-256/cert.pem"), "-o", path("out.pem"))
    #expect(refused.status == .wouldOverwrite)
    #expect(refused.errors.contains("--force"))
    #expect(try scratch.read("out.pem") == [1])
    let replaced = await convert(fixture("leaf/p-256/cert.pem"), "-o", path("out.pem"), "--force")
    #expect(replaced.status == .success)
    #expect(try load("out.pem").count == 1)
  }

  @Test("several certificates do not fit into DER, and the hint says what does") func severalToDER() async {
    let result = await convert(fixture("leaf/p-256/chain.pem"), "-o", path("chain.cer"))
    #expect(result.status == .badData)
    #expect(result.errors.contains("--split"))
    #expect(!exists("chain.cer"))
  }

  @Test("a split names its files by place, role and subject") func split() async throws {
    let result = await convert(fixture("bundle/with-root.pem"), "--split", path("out"), "--to", "der")
    #expect(result.status == .success, "\(result)")
    let names = try FileManager.default.contentsOfDirectory(atPath: path("out")).sorted()
    #expect(
      names == [
        "00-leaf-www.steelpin.test.cer", "01-intermediate-steelpin-test-intermediate-p-256.cer",
        "02-root-steelpin-test-root-p-256.cer",
      ])
  }

  @Test("a dry run lists the files, and changes nothing", arguments: [["--split", "out"], ["-o", "chain.pem"]])
  func dryRun(_ words: [String]) async throws {
    let words = ["convert", fixture("bundle/with-root.pem"), words[0], path(words[1])]
    let plan = await run(words + ["--dry-run"])
    #expect(plan.status == .success, "\(plan)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).isEmpty)
    let result = await run(words)
    #expect(result.status == .success && result.output == plan.output, "\(plan)\(result)")
    let again = await run(words + ["--dry-run"])
    #expect(again.status == .wouldOverwrite, "\(again)")
    let forced = await run(words + ["--dry-run", "--force"])
    #expect(forced.status == .success && forced.output == plan.output, "\(forced)")
  }

  @Test(
    "a dry run tells what could not be written",
    arguments: [
      (["--split", "/nowhere/out"], ExitCode.inputOutput), (["-o", "/nowhere/out.pem"], .inputOutput), ([], .usage),
    ]
      as [([String], ExitCode)])
  func dryRunOfTheImpossible(_ words: [String], _ status: ExitCode) async {
    let result = await run(["convert", fixture("bundle/with-root.pem"), "--dry-run"] + words)
    #expect(result.status == status, "\(result)")
  }

  @Test("leaf first, without the root, or the leaf alone") func choices() async throws {
    let input = fixture("bundle/reversed.pem")
    let whole = await convert(input, "-o", path("whole.pem"))
    #expect(whole.status == .success)
    let leaf = try TestCerts.certificate("leaf/p-256")
    #expect(try load("whole.pem").first == leaf)
    _ = await convert(input, "-o", path("given.pem"), "--order", "as-given")
    #expect(try load("given.pem") == TestCerts.certificates("bundle/reversed.pem"))
    _ = await convert(fixture("bundle/with-root.pem"), "-o", path("served.pem"), "--no-root")
    #expect(try load("served.pem").allSatisfy { !$0.isSelfIssued })
    _ = await convert(input, "-o", path("leaf.cer"), "--leaf-only")
    #expect(try load("leaf.cer") == [leaf])
  }

  @Test("of two leaves for one name the one whose issuers are there is taken") func twoLeaves() async throws {
    for name in ["leaf/p-256", "leaf/unrelated", "ca/intermediate-p256"] {
      _ = try scratch.write(TestCerts.certificate(name).der, as: name.replacing("/", with: "-") + ".cer")
    }
    let result = await convert(
      "--bundle", scratch.url.path, "--leaf", "www.steelpin.test", "-o", path("chain.pem"))
    #expect(result.status == .success, "\(result)")
    #expect(
      try load("chain.pem") == [TestCerts.certificate("leaf/p-256"), TestCerts.certificate("ca/intermediate-p256")])
  }

  @Test("a name that is empty is a mistake", arguments: [["-o", ""], ["--split", ""], ["--password-file", ""]])
  func emptyName(_ options: [String]) async {
    let result = await run(["convert", fixture("leaf/p-256/cert.pem")] + options)
    #expect(result.status == .usage && result.errors.contains("empty name"), "\(result)")
  }

  @Test("a bundle is found in a heap, with what is missing and left over") func bundle() async throws {
    for (name, source) in [
      ("1.cer", "leaf/p-256/cert.cer"), ("2.pem", "ca/intermediate-p256/cert.pem"), ("3.pem", "ca/other-root/cert.pem"),
      ("4.key", "leaf/p-256/key.pem"), ("again.pem", "leaf/p-256/cert.pem"),
    ] { try FileManager.default.copyItem(atPath: fixture(source), toPath: path(name)) }
    let result = await convert("--bundle", scratch.url.path, "-o", path("chain.pem.out"), "--to", "pem")
    #expect(result.status == .success, "\(result)")
    #expect(try load("chain.pem.out") == TestCerts.certificates("leaf/p-256/chain.pem"))
    #expect(result.errors.contains("missing: the issuer of Steelpin Test Intermediate P-256"))
    #expect(result.errors.contains("left over"))
    #expect(result.errors.contains("passed over: \(path("4.key")) is a private key"))
    #expect(result.errors.contains("left out 1 certificate given more than once"))
  }

  @Test("of several leaves in a heap one is chosen by host, name or fingerprint") func chosenLeaf() async throws {
    let leaf = try TestCerts.certificate("leaf/rsa-2048")
    for source in ["p-256", "rsa-2048"] {
      try FileManager.default.copyItem(atPath: fixture("leaf/\(source)/chain.pem"), toPath: path("\(source).pem"))
    }
    let several = await convert("--bundle", scratch.url.path)
    #expect(several.status == .badData && several.errors.contains("--leaf NAME"), "\(several)")
    let fingerprint = await convert("--bundle", scratch.url.path, "--leaf", leaf.sha256.hex, "--to", "pem")
    #expect(fingerprint.status == .success, "\(fingerprint)")
    let chosen = try CertificateLoader().load(Array(fingerprint.output.utf8), name: "out").certificates
    #expect(try chosen.map(\.certificate) == TestCerts.certificates("leaf/rsa-2048/chain.pem"))
    let host = await convert("--bundle", scratch.url.path, "--leaf", "www.steelpin.test", "--to", "pem")
    #expect(host.status == .success && host.errors.contains("left over"), "\(host)")
    let none = await convert("--bundle", scratch.url.path, "--leaf", "nobody.test")
    #expect(none.status == .badData && none.errors.contains("holds no certificate for 'nobody.test'"), "\(none)")
    let alone = await convert(scratch.url.path, "--leaf", "www.steelpin.test")
    #expect(alone.status == .usage)
  }

  @Test("what is damaged is passed over in a heap and said; --strict fails, and so does a directory that is no heap")
  func damagedHeap() async throws {
    try FileManager.default.copyItem(atPath: fixture("leaf/p-256/chain.pem"), toPath: path("good.pem"))
    _ = try scratch.write(Array("-----BEGIN CERTIFICATE-----\nMIIB".utf8), as: "cut.pem")
    let heap = await convert("--bundle", scratch.url.path, "-o", path("out.chain"))
    #expect(heap.status == .success, "\(heap)")
    #expect(heap.errors.contains("passed over: \(path("cut.pem")), block 1, line 1"), "\(heap)")
    #expect(try load("out.chain").count == 2)
    for arguments in [["--bundle", "--strict"], []] {
      let result = await run(["convert", scratch.url.path] + arguments, backends: [FakeLibrary.proves.backend("fake")])
      #expect(result.status == .badData, "\(result)")
    }
  }

  @Test("a pipe and a directory in a directory are passed over at once", .timeLimit(.minutes(10)))
  func oddFiles() async throws {
    try FileManager.default.copyItem(atPath: fixture("leaf/p-256/cert.pem"), toPath: path("good.pem"))
    #expect(mkfifo(path("pipe"), 0o600) == 0)
    try FileManager.default.createSymbolicLink(atPath: path("self"), withDestinationPath: ".")
    for arguments in [["--bundle"], [], ["--strict"]] {
      let result = await run(["convert", scratch.url.path] + arguments, backends: [FakeLibrary.proves.backend("fake")])
      #expect(result.status == .success, "\(result)")
      #expect(result.errors.contains("\(path("pipe")) is a named pipe, which was passed over"), "\(result)")
      #expect(result.errors.contains("\(path("self")) is a directory, which was passed over"), "\(result)")
    }
    try FileManager.default.createSymbolicLink(atPath: path("loop"), withDestinationPath: "loop")
    let loop = await convert("--bundle", scratch.url.path)
    #expect(loop.status == .inputMissing && loop.errors.contains("is a loop of symbolic links"), "\(loop)")
  }

  @Test("a device is no output file, and the hint says what is") func device() async {
    let result = await convert(fixture("leaf/p-256/cert.pem"), "-o", "/dev/full")
    #expect(result.status == .inputOutput)
    #expect(result.errors.contains("/dev/full is a device or a pipe"))
    #expect(result.errors.contains("hint: name a regular file, or one that is not there yet\n"))
  }

  @Test("a large bundle is split in a stream") func splitStream() async throws {
    let certificates = try TestCerts.certificates("bundle/roots.pem")
    let unit = try Data(contentsOf: URL(fileURLWithPath: fixture("bundle/roots.pem")))
    let comment = Data(String(repeating: "some words between the certificates\n", count: 1000).utf8)
    _ = try scratch.write(Array((0..<120).reduce(into: Data()) { all, _ in all += unit + comment }), as: "large.pem")
    let words = [path("large.pem"), "--split", path("out"), "--to", "der", "--order", "as-given"]
    let plan = await run(["convert"] + words + ["--dry-run"])
    #expect(plan.status == .success && !exists("out"), "\(plan)")
    let result = await run(["convert"] + words)
    #expect(result.status == .success, "\(result)")
    let listed = plan.output.split(separator: "\n").map { String($0.dropLast("  1 certificate, der".count)) }
    #expect(
      try listed == FileManager.default.contentsOfDirectory(atPath: path("out")).sorted().map { path("out/\($0)") })
    let again = await run(["convert"] + words + ["--dry-run"])
    #expect(again.status == .wouldOverwrite && again.output.isEmpty, "\(again)")
    let names = try FileManager.default.contentsOfDirectory(atPath: path("out")).sorted()
    #expect(names.count == certificates.count && names[0].hasPrefix("0000-root-") && names[0].hasSuffix(".cer"))
    #expect(try names.map { try scratch.read("out/\($0)") } == certificates.map(\.der))
  }

  @Test("two leaves are refused, and a damaged file of a directory is an error") func refusals() async throws {
    let two = await convert(fixture("leaf/p-256/cert.pem"), fixture("leaf/rsa-2048/cert.pem"), "-o", path("two.pem"))
    #expect(two.status == .badData)
    #expect(two.errors.contains("--order as-given"))
    _ = try scratch.write(Array("-----BEGIN CERTIFICATE-----\nMIIB".utf8), as: "cut.pem")
    let cut = await convert(scratch.url.path, "-o", path("all.pem"))
    #expect(cut.status == .badData)
    #expect(cut.errors.contains("cut.pem, block 1, line 1"))
    #expect(!exists("two.pem") && !exists("all.pem"))
  }

  @Test("json tells what was written and what was forgiven") func json() async throws {
    let pem = try Data(contentsOf: URL(fileURLWithPath: fixture("leaf/p-256/cert.pem")))
    _ = try scratch.write([0xEF, 0xBB, 0xBF] + pem, as: "bom.pem")
    let result = await convert(path("bom.pem"), "-o", path("out.der"), "--json")
    let document = try #require(
      JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    #expect(document["schema"] as? String == "steelpin/1")
    #expect((document["notes"] as? [[String: Any]])?.first?["code"] as? String == "byte-order-mark")
    #expect((document["files"] as? [[String: Any]])?.first?["path"] as? String == path("out.der"))
  }

  @Test("a large bundle goes through in a stream, each certificate once") func stream() async throws {
    let unit = try Data(contentsOf: URL(fileURLWithPath: fixture("bundle/roots.pem")))
    let comment = Data(String(repeating: "some words between the certificates\n", count: 1000).utf8)
    let text = (0..<120).reduce(into: Data()) { all, _ in all += unit + comment }
    _ = try scratch.write(Array(text), as: "large.pem")
    let result = await convert(path("large.pem"), "-o", path("small.pem"), "--order", "as-given")
    #expect(result.status == .success, "\(result)")
    #expect(try scratch.read("small.pem") == Array(unit))
    #expect(result.errors.contains("left out 238 certificates"))
    _ = try scratch.write(Array(text + Data("-----BEGIN CERTIFICATE-----\nM".utf8)), as: "cut.pem")
    let cut = await convert(path("cut.pem"), "-o", path("never.pem"), "--order", "as-given")
    #expect(cut.status == .badData)
    #expect(cut.errors.contains("block 241"))
    #expect(!exists("never.pem"))
  }
}
