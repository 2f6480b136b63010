// SPDX-License-Identifier: Apache-2.0
import Testing

/// What is wrong with a suite is said with its place, and nothing is judged then.
@Suite struct SuiteErrorTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let suite: String
    let messages: [String]

    init(_ rule: String, _ body: String, _ messages: String...) {
      testDescription = rule
      suite = "{ schema: \"steelpin-suite/1\",\n\(body) }"
      self.messages = messages
    }
  }

  static let rows = [
    Row("an unknown key", "certificate: {}", "suite.json5:2:1: 'certificate' is no key that can stand here"),
    Row(
      "an unknown key of a certificate", "certificates: { leaf: { kind: \"leaf\", nmaes: [] } }",
      "suite.json5:2:39: 'nmaes' is no key that can stand here"),
    Row(
      "a cycle of issuers",
      "certificates: { a: { kind: \"root\", issuer: \"b\" },\n b: { kind: \"root\", issuer: \"a\" } }",
      "suite.json5:3:29: a certificate needs itself: a, which needs b, which needs a"),
    Row(
      "its own issuer", "certificates: { a: { kind: \"root\", issuer: \"a\" } }",
      "suite.json5:2:44: a certificate needs itself: a, which needs a"),
    Row(
      "a missing file", "certificates: { leaf: { file: \"no.pem\" } }",
      "suite.json5:2:31: 'no.pem' cannot be read: there is no such file"),
    Row(
      "an issuer that is not there", "certificates: { a: { kind: \"leaf\", issuer: \"ca\" } }",
      "suite.json5:2:44: there is no certificate 'ca'"),
    Row(
      "a wrong type", "certificates: { a: { kind: \"leaf\", names: 5 } }",
      "suite.json5:2:43: names is a number, not an array"),
    Row(
      "a wrong kind", "certificates: { a: { kind: \"tree\" } }", "suite.json5:2:28: 'tree' is no kind of certificate"),
    Row(
      "no kind", "certificates: { a: { issuer: null } }", "suite.json5:2:17: the certificate 'a' has no 'kind'"),
    Row(
      "a moment that is none", "certificates: { a: { kind: \"leaf\", validity: { from: \"-1d\", to: \"soon\" } } }",
      "suite.json5:2:65: 'soon' is no moment"),
    Row(
      "hexadecimal that is none", "certificates: { a: { kind: \"leaf\", serial: \"0x\" } }",
      "suite.json5:2:44: serial is not hexadecimal"),
    Row(
      "a patch without a place in the DER",
      "certificates: { a: { kind: \"leaf\", faults: [{ patch: [9, 9], remove: true }] } }",
      "suite.json5:2:20: 'a' cannot be made: patch: there is no element at the path 9.9"),
    Row(
      "an extension that is none", "certificates: { a: { kind: \"leaf\", extensions: { keyUse: [] } } }",
      "suite.json5:2:50: 'keyUse' is no extension"),
    Row(
      "a certificate that is no certificate, as an anchor",
      #"""
      certificates: { a: { kind: "leaf", faults: [{ patch: [0], remove: true }] } },
      policies: { p: { anchors: ["a"] } }
      """#, "suite.json5:3:28: 'a' is no certificate that a policy can name, because of its faults: "),
    Row(
      "a chain of an unknown certificate", "chains: { c: [\"leaf\"] }",
      "suite.json5:2:15: there is no certificate 'leaf'"),
    Row(
      "a pin of an unknown certificate", "policies: { p: { pins: [\"key:leaf\"] } }",
      "suite.json5:2:25: there is no certificate 'leaf'"),
    Row(
      "a policy that needs itself", "policies: { p: { all: [\"q\"] }, q: { any: [\"p\"] } }",
      "suite.json5:2:43: the policy 'p' needs itself"),
    Row(
      "policies that become too large by names that stand twice",
      "policies: { p0: {}, \((1...40).map { "p\($0): { all: [\"p\($0 - 1)\", \"p\($0 - 1)\"] }" }.joined(separator: ",\n")) }",
      "suite.json5:14:6: this policy has more than 10000 parts, with those of the policies that it names"),
    Row(
      "policies that become too large by names of large ones",
      "policies: { p: { pins: [\(String(repeating: "\"key:no\",", count: 4_000))] },\nq: { any: [\"p\", \"p\", {all: [\"p\"]}] } }",
      "suite.json5:3:4: this policy has more than 10000 parts"),
    Row(
      "policies that are too large together",
      "policies: { p: { pins: [\(String(repeating: "\"key:no\",", count: 9_000))] },\n"
        + "\((1...40).map { "q\($0): { any: [\"p\"] }" }.joined(separator: ",\n")) }",
      "suite.json5:13:1: the policies up to 'q11' have more than 100000 parts together"),
    Row(
      "policies of too many levels",
      "policies: { p0: { refuse: \"contradiction\" },\n"
        + "\((1...100).map { "p\($0): { host: \"a.test\", then: \"p\($0 - 1)\" }" }.joined(separator: ",\n")) }",
      "suite.json5:66:6: more than 64 levels of policies are not read"),
    Row(
      "policies of too many levels, the outermost first",
      "policies: { \((1...1000).map { "p\($0): { any: [\"p\($0 + 1)\"] }" }.joined(separator: ",\n")) }",
      "suite.json5:65:14: more than 64 levels of policies are not read"),
    Row(
      "policies of which each needs all others",
      "policies: { \((1...30).map { p in "p\(p): { all: [\((1...30).map { "\"p\($0)\"" }.joined(separator: ", "))] }" }.joined(separator: ",\n")) }",
      "suite.json5:2:25: the policy 'p1' needs itself"),
    Row(
      "a cross product of too many rows",
      """
      certificates: { leaf: { kind: "leaf" } },
      chains: { \((1...1000).map { "c\($0): [\"leaf\"]" }.joined(separator: ", ")) },
      policies: { \((1...201).map { "p\($0): {}" }.joined(separator: ", ")) },
      tables: [{ policies: ["p1"] }, { name: "all" }, { name: "again" }]
      """, "suite.json5:5:32: more than 200000 rows of one suite are not judged"),
    Row(
      "two rows of one name",
      #"""
      certificates: { leaf: { kind: "leaf" } }, chains: { c: ["leaf"] }, policies: { p: {} },
      rows: [{ name: "r", chain: "c", policy: "p" },
             { name: "r", chain: "c", policy: "p" }]
      """#, "suite.json5:4:16: two rows are called 'r / p'; the first is at 3:16"),
    Row(
      "a verdict that is none",
      #"""
      certificates: { leaf: { kind: "leaf" } }, chains: { c: ["leaf"] }, policies: { p: {} },
      tables: [{ expect: "yes" }]
      """#, "suite.json5:3:20: 'yes' is no verdict"),
    Row(
      "a code that is none",
      #"""
      certificates: { leaf: { kind: "leaf" } }, chains: { c: ["leaf"] }, policies: { p: {} },
      tables: [{ expect: "untrusted: expird" }]
      """#, "suite.json5:3:20: 'expird' is no code of a finding"),
    Row(
      "an exception about a chain that is not in the table",
      #"""
      certificates: { leaf: { kind: "leaf" } }, chains: { c: ["leaf"], d: ["leaf"] }, policies: { p: {} },
      tables: [{ chains: ["c"], except: [{ chains: ["d"], expect: "trusted" }] }]
      """#, "suite.json5:3:47: there is no chain of this table 'd'"),
    Row(
      "lists that choose nothing",
      #"""
      certificates: { leaf: { kind: "leaf" } }, chains: { c: ["leaf"] }, policies: { p: {} },
      tables: [{ chains: [], policies: ["p"] },
      { policies: [] },
      { hosts: [] },
      { except: [{ chains: [], expect: "trusted" }] },
      { except: [{ policies: [], expect: "trusted" }] },
      { hosts: ["a.test"], except: [{ hosts: [], expect: "trusted" }] }]
      """#, "suite.json5:3:20: this list names no chain, so it chooses nothing", "suite.json5:4:13: ",
      "suite.json5:5:10: this list names no host", "suite.json5:6:22: this list names no chain of this table",
      "suite.json5:7:24: this list names no policy", "suite.json5:8:40: this list names no host of this table"),
    Row(
      "a key of two descriptions",
      "certificates: { ca: { kind: \"root\" }, a: { kind: \"leaf\", key: \"p-256\", keyOf: \"ca\" } }",
      "suite.json5:2:63: 'key' and 'keyOf' cannot be combined"),
    Row(
      "a kind beside another certificate",
      "certificates: { ca: { kind: \"root\" }, a: { kind: \"leaf\", like: \"ca\" } }",
      "suite.json5:2:50: 'kind' and 'like' cannot be combined"),
    Row(
      "a moment of two descriptions",
      "certificates: { a: { kind: \"leaf\", validity: { from: \"-1d\", to: { at: \"+1d\", der: \"0500\" } } } }",
      "suite.json5:2:71: 'at' and 'der' cannot be combined"),
    Row(
      "a name of two kinds",
      "certificates: { a: { kind: \"leaf\", names: [{ directory: \"a\", der: \"0500\" }] } }",
      "suite.json5:2:67: 'der' and 'directory' cannot be combined"),
    Row(
      "names that an extension would replace",
      "certificates: { a: { kind: \"leaf\", names: [\"a.test\"], extensions: { \"2.5.29.17\": null } } }",
      "suite.json5:2:69: '2.5.29.17' cannot be set here: 'names' sets it already"),
    Row(
      "an extension by its name and its identifier",
      "certificates: { a: { kind: \"leaf\", extensions: { keyUsage: null, \"2.5.29.15\": \"03020780\" } } }",
      "suite.json5:2:66: the extension '2.5.29.15' is set twice"),
    Row("no rows", "chains: {}", "suite.json5:1:1: the suite has no row"),
    Row(
      "a key that stands twice", "name: \"a\", name: \"b\"",
      "suite.json5:2:12: the key 'name' stands twice in this object"),
  ]

  @Test("the place and the mistake", arguments: rows) func place(_ row: Row) throws {
    let error = #expect(throws: SuiteProblems.self) { try readSuite(row.suite) }
    let lines = try #require(error).lines
    for message in row.messages { #expect(lines.contains { $0.hasPrefix(message) }, "\(lines)") }
    #expect(lines.count <= max(2, row.messages.count), "\(lines)")
  }

  @Test("all mistakes are said at once") func several() throws {
    let error = #expect(throws: SuiteProblems.self) {
      try readSuite(
        "{ schema: \"steelpin-suite/1\", certificates: { a: { kind: \"x\" }, b: { kind: \"y\" } } }")
    }
    #expect(try #require(error).lines.count == 2)
  }

  @Test("another schema is refused") func schema() throws {
    let error = #expect(throws: SuiteProblems.self) { try readSuite("{ schema: \"steelpin-suite/2\" }") }
    #expect(try #require(error).lines == ["suite.json5:1:11: 'schema' is 'steelpin-suite/2'"])
  }
}
