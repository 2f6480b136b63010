// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinCommand
import SteelpinConfigurations
import SteelpinFormats
import SteelpinProbe
import SteelpinReports
import Testing

@Suite struct ExplainTests {
  @Test("every finding has an explanation", arguments: FindingCode.allCases) func findings(_ code: FindingCode) {
    #expect(Explanation.of(code.rawValue) != nil)
  }

  @Test("every error and note of the loader has one") func files() {
    for code in LoadErrorCode.allCases.map(\.rawValue) + LoadNoteCode.allCases.map(\.rawValue) {
      #expect(Explanation.of(code) != nil, "\(code)")
    }
  }

  @Test("every failure of a connection has one", arguments: ProbeError.Code.allCases)
  func connections(_ code: ProbeError.Code) {
    #expect(Explanation.of(code.rawValue) != nil)
  }

  @Test("every finding of pin lint has one", arguments: LintCode.allCases) func lint(_ code: LintCode) {
    #expect(Explanation.of(code.rawValue) != nil)
  }

  @Test("every fault of a pin configuration has one", arguments: ConfigurationError.Code.allCases)
  func configurations(_ code: ConfigurationError.Code) {
    #expect(Explanation.of("configuration-\(code.rawValue)") != nil)
  }

  @Test("codes are unique and nothing is left out") func complete() {
    #expect(Set(Explanation.all.map(\.code)).count == Explanation.all.count)
    for explanation in Explanation.all {
      for text in [explanation.what, explanation.why, explanation.mend] {
        #expect(!text.isEmpty && !text.hasSuffix("."), "\(explanation.code)")
      }
    }
  }

  @Test("a code is explained, with its clause") func one() async {
    let result = await run(["explain", "expired"])
    #expect(result.status == .success)
    #expect(result.output.hasPrefix("expired\n  what    a certificate is no longer valid\n"))
    #expect(result.output.hasSuffix("  clause  RFC 5280 4.1.2.5\n"))
  }

  @Test("an unknown code gets a suggestion") func unknown() async {
    let result = await run(["explain", "expird"])
    #expect(result.status == .usage)
    #expect(result.errors == "steelpin: error: there is no code 'expird'\nsteelpin: hint: did you mean expired?\n")
    #expect(result.output.isEmpty)
  }
}
