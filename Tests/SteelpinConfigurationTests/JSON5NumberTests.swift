// SPDX-License-Identifier: Apache-2.0
import SteelpinConfigurations
import Testing

/// Every number that JSON5 has is read as JSON would write it.
@Suite("numbers of JSON5") struct JSON5NumberTests {
  static let numbers: [(word: String, value: String)] = [
    ("0", "0"), ("-0", "-0"), ("12", "12"), ("+2", "2"), ("-2", "-2"), ("0x2", "2"), ("0XfF", "255"), ("-0x10", "-16"),
    ("+0x10", "16"), ("0xFFFFFFFFFFFFFFFF", "18446744073709551615"), ("2.", "2"), ("2.0", "2"), ("2.50", "2.50"),
    (".5", "0.5"), ("+.5", "0.5"), ("-.0", "-0"), ("1e2", "1e2"), ("1.5E-2", "1.5E-2"), ("5.e+1", "5e+1"),
  ]

  @Test("is read", arguments: numbers.indices) func number(_ index: Int) throws {
    let row = Self.numbers[index]
    let document = try JSON5Parser.document(SourceText(Array("[\(row.word)]".utf8), file: "a"))
    guard case .array(let items) = document.value, case .number(let value)? = items.first?.value else {
      Issue.record("\(document)")
      return
    }
    #expect(value == row.value)
  }

  @Test(
    "is refused",
    arguments: [
      "0x", "0xG", "0x-1", "0x+1", "0x1.8", "0x10000000000000000", "01", "-007", "00", "+-1", "--1", "+-0x1", "1..2",
      "1.2.3", "1e", "1e+", "1e1.5", "1e400", "1-2", "1_000",
    ]) func noNumber(_ word: String) throws
  {
    let error = try #require(throws: ConfigurationError.self) {
      try JSON5Parser.document(SourceText(Array("{ a: \(word) }".utf8), file: "a"))
    }
    #expect(error.message == "'\(word)' is no number, or one that is too large")
    #expect(error.position == SourcePosition(file: "a", line: 1, column: 6))
  }

  @Test("is no value at all", arguments: ["", "+", "-", ".", "+true", "e5", "-x1", "Infinit"])
  func noValue(_ word: String) throws {
    let error = try #require(throws: ConfigurationError.self) {
      try JSON5Parser.document(SourceText(Array("{ a: \(word) }".utf8), file: "a"))
    }
    #expect(error.message.hasSuffix("stands where a value must stand"))
  }

  @Test("without bounds is no number of a document", arguments: ["Infinity", "-Infinity", "+Infinity", "NaN", "-NaN"])
  func boundless(_ word: String) throws {
    let error = try #require(throws: ConfigurationError.self) {
      try JSON5Parser.document(SourceText(Array("{ a: \(word) }".utf8), file: "a"))
    }
    #expect(error.message == "'\(word)' is no number that can stand here")
    #expect(error.position == SourcePosition(file: "a", line: 1, column: 6))
  }
}
