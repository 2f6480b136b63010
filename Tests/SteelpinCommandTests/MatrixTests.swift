// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinCommand
import SteelpinTestSupport
import Testing

@testable import SteelpinTool

@Suite("matrix") struct MatrixTests {
  @Test("the cells of a filter are as expected, and the libraries agree") func filtered() async {
    let result = await run(["matrix", "--builtin", "--filter", "self-signed CA"], backends: SteelpinTool.backends)
    #expect(result.status == .success, "\(result)")
    #expect(result.output.contains("0 not as expected, 0 disagreements"))
    #expect(result.output.contains("trusted       pitaya\n"))
    #expect(result.output.contains("untrusted     alamofire default\n"))
  }

  @Test("a filter without cells, and no suite at all, are errors of usage") func usage() async {
    #expect(
      await run(["matrix", "--builtin", "--filter", "no such"], backends: SteelpinTool.backends).status == .usage)
    #expect(await run(["matrix"], backends: SteelpinTool.backends).status == .usage)
  }

  @Test("a library that proves everything is found out") func foundOut() async {
    guard let real = SteelpinTool.backends.first else { return }
    let liar = FakeLibrary.proves.backend("liar", keys: real.keyProvider)
    let result = await run(["matrix", "--builtin", "--filter", "namesake"], backends: [liar])
    #expect(result.status == .trustFailed, "\(result)")
    #expect(result.output.contains("liar says"))
  }
}
