// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinCommand
import SteelpinTestSupport
import Testing

@testable import SteelpinTool

@Suite("matrix") struct MatrixTests {
  @Test("the same cells come of real handshakes with either library") func live() async {
    let result = await run(
      ["matrix", "--builtin", "--live", "--filter", "self-signed CA", "--json"], backends: SteelpinTool.backends)
    guard SteelpinTool.backends.contains(where: { $0.serverEngine != nil }) else {
      #expect(result.status == .backendUnavailable, "\(result)")
      return
    }
    #expect(result.status == .success, "\(result)")
    for engine in SteelpinTool.backends.map(\.name) {
      #expect(result.output.contains("\"scenario\": \"self-signed CA, shown to \(engine)\""))
    }
  }

  @Test("the rows of a filter are as expected, and the report says what was left out") func filtered() async {
    let result = await run(["matrix", "--builtin", "--filter", "self-signed CA"], backends: SteelpinTool.backends)
    #expect(result.status == .success, "\(result)")
    #expect(
      result.output.hasPrefix(
        "built-in matrix, only what has 'self-signed CA' in the name of its chain or policy: "))
    let names = SteelpinTool.backends.map(\.name).joined(separator: " and ")
    #expect(result.output.contains(" rows by \(names): 0 not as expected, 0 disagreements (filtered; "))
  }

  @Test("a table says what happens with self-signed certificates under each policy") func selfSigned() async {
    let result = await run(["matrix", "--builtin", "--filter", "self-signed"], backends: SteelpinTool.backends)
    #expect(result.status == .success, "\(result)")
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(lines.contains("what happens with self-signed certificates under each policy"))
    func words(_ policy: String) -> [Substring]? {
      lines.last { $0.hasPrefix(policy + "  ") }?.dropFirst(policy.count).split(separator: " ")
    }
    #expect(words("pitaya") == ["trust", "trust", "trust", "trust"])
    #expect(words("alamofire default") == ["no", "no", "no", "no"])
    #expect(words("afnetworking certificate, allow invalid") == ["trust", "trust", "trust", "no"])
    #expect(lines.contains { $0.hasPrefix("no anchors; system; root; intermediate;") && $0.contains("  any  ") })
  }

  @Test("a filter without rows, and no suite at all, are errors of usage") func usage() async {
    #expect(
      await run(["matrix", "--builtin", "--filter", "no such"], backends: SteelpinTool.backends).status == .usage)
    #expect(await run(["matrix"], backends: SteelpinTool.backends).status == .usage)
    #expect(
      await run(["matrix", "--builtin", "--format", "text", "--json"], backends: SteelpinTool.backends).status == .usage
    )
  }

  @Test("a library that proves everything is found out, with its trace") func foundOut() async {
    guard let real = SteelpinTool.backends.first else { return }
    let liar = FakeLibrary.proves.backend("liar", keys: real.keyProvider)
    let result = await run(["matrix", "--builtin", "--filter", "namesake"], backends: [liar])
    #expect(result.status == .trustFailed, "\(result)")
    #expect(result.output.contains("DEVIATES  signed by a namesake / root, ssl, no pin  RFC 5280 6.1.3 (a)(1)"))
    #expect(result.output.contains("found     trusted  (liar)"))
  }

  @Test("libraries that differ end with the status of a disagreement, whatever was expected") func disagreement() async
  {
    guard let real = SteelpinTool.backends.first else { return }
    let liar = FakeLibrary.proves.backend("liar", keys: real.keyProvider)
    let result = await run(["matrix", "--builtin", "--filter", "namesake"], backends: [real, liar])
    #expect(result.status == .backendsDisagree, "\(result)")
    #expect(result.output.contains("DISAGREE  signed by a namesake / root, ssl, no pin"))
    #expect(result.output.contains("split"))
  }

  @Test("every format has every row", arguments: ["json", "junit", "markdown"]) func formats(_ name: String) async {
    let result = await run(
      ["matrix", "--builtin", "--filter", "namesake", "--format", name], backends: SteelpinTool.backends)
    #expect(result.status == .success, "\(result)")
    #expect(result.output.contains("signed by a namesake"))
    switch name {
    case "json":
      #expect(result.output.contains("\"schema\": \"steelpin/1\""))
      #expect(result.output.contains("\"filter\": \"namesake\""))
    case "junit": #expect(result.output.contains("<testcase classname=\"signed by a namesake\" name=\"pitaya\"/>"))
    default: #expect(result.output.contains("| signed by a namesake | no |"))
    }
  }
}
