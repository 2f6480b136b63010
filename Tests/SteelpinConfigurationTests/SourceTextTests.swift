// SPDX-License-Identifier: Apache-2.0
import SteelpinConfigurations
import Testing

@Suite("places in texts") struct SourceTextTests {
  @Test("line and column, counted in characters, of every octet") func positions() throws {
    let lines = ["", "a", String(repeating: "é€x", count: 700), "b", String(repeating: "y", count: 3000), "ü"]
    let text = try SourceText(Array(lines.joined(separator: "\n").utf8), file: "a")
    var offset = 0
    for (index, line) in lines.enumerated() {
      for (column, character) in line.unicodeScalars.enumerated() {
        #expect(text.position(at: offset) == SourcePosition(file: "a", line: index + 1, column: column + 1))
        offset += String(character).utf8.count
      }
      let end = SourcePosition(file: "a", line: index + 1, column: line.unicodeScalars.count + 1)
      #expect(text.position(at: offset) == end)
      offset += 1
    }
    #expect(text.position(at: .max) == text.position(at: offset - 1))
  }
}
