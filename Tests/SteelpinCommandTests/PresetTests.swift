// SPDX-License-Identifier: Apache-2.0
import Foundation
import Steelpin
import SteelpinCommand
import SteelpinTestSupport
import Testing

@Suite("verify --preset") struct PresetTests {
  private static let pin = "sha256/vY0tPKh8Yrz92CNsiue2MowGZJ1a694th7HlI+6hBpU="
  private static let roots = "--cacert bundle/roots.pem"
  private static let host = "--host www.steelpin.test"

  private static let rows: [(ExitCode, String)] = [
    (.success, "leaf/p-256/chain.pem \(roots) \(host) --preset curl --pin \(pin)"),
    (.success, "leaf/p-256/chain.pem \(roots) \(host) --preset okhttp --pin \(pin)"),
    (.pinMismatch, "leaf/renewed/chain.pem \(roots) \(host) --preset pitaya --pin-cert leaf/p-256/cert.pem"),
    (.success, "leaf/expired/chain.pem \(roots) --host wrong.example --preset pitaya --pin-cert leaf/expired/cert.pem"),
    (.trustFailed, "leaf/expired/chain.pem \(roots) \(host) --preset alamofire-default"),
    (.success, "leaf/expired/chain.pem \(roots) \(host) --preset alamofire-disabled"),
    (.success, "leaf/modern/chain.pem \(roots) --preset security-ssl-any-host"),
    (.success, "leaf/self-signed/cert.pem \(roots) --preset afnetworking-none+allow-invalid"),
    (.trustFailed, "leaf/self-signed/cert.pem \(roots) \(host) --preset afnetworking-none+allow-invalid"),
    (.success, "leaf/self-signed/cert.pem \(roots) \(host) --preset afnetworking-none+allow-invalid+no-domain"),
    (.trustFailed, "leaf/p-256/chain.pem \(roots) \(host) --preset trustkit"),
    (.usage, "leaf/p-256/chain.pem \(roots) \(host) --preset curl --pin-cert leaf/p-256/cert.pem"),
    (.usage, "leaf/p-256/chain.pem \(roots) \(host) --preset pitaya --pin \(pin)"),
    (.usage, "leaf/p-256/chain.pem \(roots) \(host) --preset curl --profile apple"),
    (.usage, "leaf/p-256/chain.pem \(roots) \(host) --preset curl --all-paths"),
    (.usage, "leaf/p-256/chain.pem \(roots) \(host) --preset curl+"),
  ]

  @Test("ends with", arguments: rows) func row(_ status: ExitCode, _ line: String) async {
    let words = line.split(separator: " ").map { word in
      ["leaf/", "ca/", "bundle/"].contains { word.hasPrefix($0) }
        ? TestCerts.directory.appendingPathComponent(String(word)).path : String(word)
    }
    let run = await run(["verify"] + words, backends: [FakeLibrary.proves.backend("fake")])
    #expect(run.status == status, "\(run)")
  }

  @Test("unknown names get a suggestion") func unknown() async {
    let backends = [FakeLibrary.proves.backend("fake")]
    let name = await run(["verify", "x", "--preset", "pitya"], backends: backends)
    #expect(name.errors.contains("there is no preset 'pitya'\nsteelpin: hint: did you mean pitaya?"), "\(name)")
    let flag = await run(["verify", "x", "--preset", "curl+insecur"], backends: backends)
    #expect(flag.errors.contains("the preset curl has no flag 'insecur'"), "\(flag)")
  }

  @Test("every preset has a name of its own and says what it does not check", arguments: NamedPreset.all.map(\.name))
  func catalogue(_ name: String) throws {
    #expect(NamedPreset.all.filter { $0.name == name }.count == 1)
    let preset = try NamedPreset.parse(name).preset
    #expect(!preset.summary.isEmpty && !preset.omissions.isEmpty)
    for flag in preset.flags { #expect(try NamedPreset.parse("\(name)+\(flag)").flags == [flag]) }
  }
}
