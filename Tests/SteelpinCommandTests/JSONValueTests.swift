// SPDX-License-Identifier: Apache-2.0
import Foundation
import SteelpinCommand
import SteelpinReports
import Testing

@Suite struct JSONValueTests {
  @Test("members keep their order, and what is empty is short") func shape() {
    let value: JSONValue = ["b": .integer(1), "a": [], "c": ["x", .null, .bool(true)], "d": [:]]
    let expected = """
      {
        "b": 1,
        "a": [],
        "c": [
          "x",
          null,
          true
        ],
        "d": {}
      }

      """
    #expect(String(decoding: value.encoded(), as: UTF8.self) == expected)
  }

  @Test(
    "any text comes back",
    arguments: [
      "", "\"\\/", "a\nb\r\t\u{0}\u{1B}\u{7F}", "bücher \u{202E}钢钉", "\u{2028}",
      "\u{80}\u{9B}31m\u{9F}\u{A0}\u{BF}\u{C0}",
    ])
  func strings(_ text: String) throws {
    let bytes = JSONValue.array([.string(text)]).encoded()
    let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars
    #expect(scalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
    let decoded = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String]
    #expect(decoded == [text])
  }
}
