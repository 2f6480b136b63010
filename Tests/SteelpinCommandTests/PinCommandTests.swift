// SPDX-License-Identifier: Apache-2.0
import Foundation
import Steelpin
import SteelpinCommand
import SteelpinFormats
import SteelpinTestSupport
import Testing

@testable import SteelpinTool

/// `pin lint`, `pin import`, `pin export` and `pin backup` as they are run.
@Suite struct PinCommandTests {
  private static let leaf = "vY0tPKh8Yrz92CNsiue2MowGZJ1a694th7HlI+6hBpU="
  private static let rotated = "UogEtYq2+NZvqvlq2PUtGtYySunF1IYlsKoCi7mXuPU="
  private static let other = "0vE/zKcwijrsy3eTjDufStVlhq+433k4zpi3jnH+KUM="
  private static let nothing = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

  private let scratch: ScratchDirectory

  init() throws { scratch = try ScratchDirectory() }

  private func path(_ name: String) -> String { scratch.url.appendingPathComponent(name).path }
  private func fixture(_ name: String) -> String { TestCerts.directory.appendingPathComponent(name).path }

  @discardableResult
  private func write(_ text: String, _ name: String) throws -> String {
    _ = try scratch.write(Array(text.utf8), as: name)
    return path(name)
  }

  private func android(_ pins: [String], expiration: String = "") -> String {
    let elements = pins.map { "      <pin digest=\"SHA-256\">\($0)</pin>\n" }.joined()
    return """
      <?xml version="1.0" encoding="utf-8"?>
      <network-security-config>
        <domain-config>
          <domain>www.steelpin.test</domain>
          <pin-set\(expiration)>
      \(elements)    </pin-set>
        </domain-config>
      </network-security-config>

      """
  }

  private func own(_ pins: [String], more: String = "") -> String {
    let list = pins.map { "'sha256/\($0)'" }.joined(separator: ", ")
    return "{schema: 'steelpin-pins/1', hosts: [{host: 'www.steelpin.test', pins: [\(list)]\(more)}]}"
  }

  // MARK: lint

  @Test("statuses of lint: errors 78, warnings 12 if asked, else 0") func lintStatuses() async throws {
    let rows: [(text: String, options: [String], status: ExitCode, says: String)] = [
      (android([Self.leaf, Self.rotated]), [], .success, "0 errors, 0 warnings in 1 file"),
      (android([Self.leaf]), [], .success, "pin-single"),
      (android([Self.leaf]), ["--fail-on", "warning"], .warning, "pin-single"),
      (android([Self.leaf, Self.nothing]), [], .configuration, "pin-hash-of-nothing"),
      (
        android([Self.leaf, Self.rotated], expiration: " expiration=\"2025-12-31\""), [], .configuration,
        "pin-set-expired"
      ),
      (
        android([Self.leaf, Self.rotated], expiration: " expiration=\"2025-12-31\""), ["--at", "2025-10-01"], .success,
        "0 errors"
      ),
      (
        android([Self.other, Self.rotated]), ["--chain", fixture("leaf/p-256/chain.pem")], .configuration,
        "pin-not-in-chain"
      ),
      (
        android([Self.leaf, Self.rotated]),
        ["--chain", fixture("leaf/p-256/chain.pem"), "--held", fixture("leaf/rotated/cert.pem")], .success, "0 warnings"
      ),
      (
        android([Self.leaf, Self.rotated]),
        ["--chain", fixture("leaf/p-256/chain.pem"), "--held", fixture("leaf/rsa-2048/public.pem")], .success,
        "pin-no-backup"
      ),
      (android([Self.leaf, Self.rotated]), ["--from", "nspinned"], .badData, ""),
      ("no pins", [], .badData, ""), ("", [], .inputMissing, ""),
    ]
    for (index, row) in rows.enumerated() {
      let file = try write(row.text, "row-\(index).xml")
      let result = await run(["pin", "lint", file] + row.options)
      #expect(result.status == row.status, "row \(index): \(result)")
      #expect(row.says.isEmpty || result.output.contains(row.says), "row \(index): \(result)")
    }
  }

  @Test("an empty file and a folder without certificates are told so") func emptyInputs() async throws {
    let empty = try await run(["pin", "lint", write("", "empty.json")])
    #expect(empty.status == .inputMissing && empty.errors.contains("empty.json:1:1: the file is empty"), "\(empty)")
    try FileManager.default.createDirectory(atPath: path("folder"), withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(atPath: path("folder/self"), withDestinationPath: ".")
    let folder = await run(["pin", "lint", path("folder")])
    #expect(folder.status == .badData && folder.errors.contains("the folder holds no certificate"), "\(folder)")
    try FileManager.default.createSymbolicLink(atPath: path("loop"), withDestinationPath: "loop")
    let loop = await run(["pin", "lint", path("loop")])
    #expect(loop.status == .inputMissing && loop.errors.contains("is a loop of symbolic links"), "\(loop)")
    let missing = await run(["pin", "lint", path("missing")])
    #expect(missing.status == .inputMissing, "\(missing)")
    #expect(await run(["pin", "lint"]).status == .usage)
  }

  @Test("no report for a terminal or a log carries control characters", arguments: ["github", "text"])
  func control(_ format: String) async throws {
    let file = try write(android([Self.leaf, Self.nothing]), "a\u{1B}[31m\u{202E}\u{9B}.xml")
    let result = await run(["pin", "lint", file, "--format", format])
    #expect(result.status == .configuration, "\(result)")
    let controls = result.output.unicodeScalars.filter {
      $0.value < 0x20 && $0 != "\n" || 0x7F...0x9F ~= $0.value || $0.value == 0x202E
    }
    #expect(controls.isEmpty, "\(result)")
  }

  @Test("every format of the report has the finding at the pin's own line") func reports() async throws {
    let file = try write(android([Self.leaf, Self.nothing]), "config.xml")
    let result = await run(
      ["pin", "lint", file, "--format", "text"]
        + ["json", "sarif", "junit", "github"].flatMap { ["--format", "\($0)=\(path($0))"] })
    #expect(result.status == .configuration)
    #expect(result.output.hasPrefix("\(file):7:29: error: "), "\(result)")
    func json(_ name: String) throws -> [String: Any] {
      try #require(JSONSerialization.jsonObject(with: Data(scratch.read(name))) as? [String: Any])
    }
    let finding = try #require((json("json")["findings"] as? [[String: Any]])?.first)
    #expect(finding["code"] as? String == "pin-hash-of-nothing" && finding["line"] as? Int == 7)
    let sarif = try #require((json("sarif")["runs"] as? [[String: Any]])?.first?["results"] as? [[String: Any]])
    let text = try String(decoding: JSONSerialization.data(withJSONObject: sarif[0]), as: UTF8.self)
    #expect(text.contains("\"startLine\":7") && text.contains("pin-hash-of-nothing"), "\(text)")
    let junit = try String(decoding: scratch.read("junit"), as: UTF8.self)
    #expect(junit.contains("failures=\"1\"") && junit.contains("pin-hash-of-nothing at 7:29"), "\(junit)")
    let github = try String(decoding: scratch.read("github"), as: UTF8.self)
    #expect(github.hasPrefix("::error file=") && github.contains("line=7,col=29"), "\(github)")
    if ExternalTool("python3").isInstalled {
      let parse = try ExternalTool("python3").run(
        ["-c", "import xml.dom.minidom as d; d.parse('junit')"], in: scratch)
      #expect(parse.succeeded, "\(parse.text)")
    }
  }

  // MARK: import and export

  @Test("every format is written, read back and written again as the same") func roundTrips() async throws {
    let source = try write(own([Self.leaf, Self.rotated]), "steelpin.json")
    for format in ["android", "curl", "hpkp", "nspinned", "okhttp", "react-native", "steelpin", "tlsa", "trustkit"] {
      let first = await run(["pin", "export", source, "--to", format, "--allow-loss", "--output", path(format)])
      #expect(first.status == .success, "\(format): \(first)")
      let second = await run(["pin", "export", path(format), "--from", format, "--to", format, "--allow-loss"])
      #expect(second.status == .success, "\(format): \(second)")
      #expect(try Array(second.output.utf8) == scratch.read(format), "\(format)")
      let imported = await run(["pin", "import", path(format), "--from", format, "--allow-loss"])
      #expect(imported.status == .success, "\(format): \(imported)")
      // A field of HPKP says nothing of its host, so that no entry can be made of it.
      #expect(imported.output.contains(Self.leaf) == (format != "hpkp"), "\(format): \(imported)")
      #expect(imported.errors.contains("for no host by name") == (format == "hpkp"), "\(format): \(imported)")
    }
  }

  @Test("what is lost is said and must be accepted, and nothing is replaced unasked") func losses() async throws {
    let source = try write(own([Self.leaf, Self.rotated], more: ", expires: '2027-03-01'"), "steelpin.json")
    let refused = await run(["pin", "export", source, "--to", "okhttp", "--output", path("Pins.kt")])
    #expect(refused.status == .badData && refused.errors.contains("[expiry]"), "\(refused)")
    #expect(refused.errors.contains("--allow-loss"))
    #expect(!FileManager.default.fileExists(atPath: path("Pins.kt")))
    let written = await run(["pin", "export", source, "--to", "okhttp", "--output", path("Pins.kt"), "--allow-loss"])
    #expect(written.status == .success, "\(written)")
    let again = await run(["pin", "export", source, "--to", "okhttp", "--output", path("Pins.kt"), "--allow-loss"])
    #expect(again.status == .wouldOverwrite, "\(again)")
    let broken = await run(["pin", "export", try write(android([Self.nothing, "x"]), "bad.xml"), "--to", "steelpin"])
    #expect(broken.status == .configuration, "\(broken)")
    #expect(await run(["pin", "export", source]).status == .usage)
    #expect(await run(["pin", "export", source, "--to", "wultra"]).status == .usage)
    #expect(await run(["pin", "import"]).status == .usage)
  }

  // MARK: backup

  @Test("a backup is a key, a request and their pin, for the owner alone", arguments: backends.map(\.name))
  func backup(_ library: String) async throws {
    for type in ["p-256", "p-384", "ed25519", "rsa-2048"] {
      let prefix = path("\(type)-\(library)")
      let result = await run(
        ["pin", "backup", "www.steelpin.test", "a.test", "--output", prefix, "--key-type", type, "--backend", library],
        backends: backends)
      #expect(result.status == .success, "\(result)")
      for ending in [".key", ".csr"] {
        let mode = try FileManager.default.attributesOfItem(atPath: prefix + ending)[.posixPermissions] as? Int
        #expect(mode == 0o600)
      }
      let shown = await run(["pin", "show", prefix + ".csr"], backends: backends)
      #expect(shown.output.prefix { $0 != " " } == result.output.prefix { $0 != " " }, "\(shown)")
      guard ExternalTool.openssl.isInstalled else { continue }
      let request = try ExternalTool.openssl.run(
        ["req", "-in", prefix + ".csr", "-verify", "-noout", "-text"], in: scratch)
      #expect(request.succeeded && request.text.contains("DNS:www.steelpin.test, DNS:a.test"), "\(request.text)")
      let fromKey = try ExternalTool.openssl.run(["pkey", "-in", prefix + ".key", "-pubout"], in: scratch)
      let fromRequest = try ExternalTool.openssl.run(["req", "-in", prefix + ".csr", "-noout", "-pubkey"], in: scratch)
      #expect(fromKey.output == fromRequest.output && !fromKey.output.isEmpty)
    }
  }

  @Test("a key that is there is never replaced, and none goes to standard output") func backupRefusals() async throws {
    let first = await run(["pin", "backup", "a.test", "--output", path("b")], backends: backends)
    #expect(first.status == .success, "\(first)")
    let key = try scratch.read("b.key")
    let again = await run(["pin", "backup", "a.test", "--output", path("b")], backends: backends)
    #expect(again.status == .wouldOverwrite && again.errors.contains("may be a key that is in use"), "\(again)")
    #expect(try scratch.read("b.key") == key)
    #expect(await run(["pin", "backup", "a.test", "--output", "-"], backends: backends).status == .usage)
    #expect(await run(["pin", "backup"], backends: backends).status == .usage)
    #expect(await run(["pin", "backup", "https://a.test/x"], backends: backends).status == .usage)
  }

  // MARK: pin files

  @Test("a file of pins may have a byte order mark or be UTF-16") func pinFiles() async throws {
    let line = "# ours\nsha256/\(Self.leaf)\n"
    for (index, bytes) in [
      Array(line.utf8), [0xEF, 0xBB, 0xBF] + Array(line.utf8), Make.utf16(line, bigEndian: false),
      Make.utf16(line, bigEndian: true),
    ].enumerated() {
      _ = try scratch.write(bytes, as: "pins-\(index)")
      let result = await run(
        [
          "verify", fixture("leaf/p-256/chain.pem"), "--cacert", fixture("ca/root-p256/cert.pem"), "--host",
          "www.steelpin.test", "--pin", "@\(path("pins-\(index)"))",
        ], backends: backends)
      #expect(result.status == .success, "\(index): \(result)")
    }
    let unnamed = await run(
      ["verify", fixture("leaf/p-256/chain.pem"), "--host", "www.steelpin.test", "--pin", "@"], backends: backends)
    #expect(unnamed.status == .usage && unnamed.errors.contains("--pin @ needs the name of a file"), "\(unnamed)")
  }
}
