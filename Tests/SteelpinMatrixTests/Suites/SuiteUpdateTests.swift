// SPDX-License-Identifier: Apache-2.0
import SteelpinMatrix
import Testing

/// Verdicts are written where they belong, and nothing else changes.
@Suite struct SuiteUpdateTests {
  private static let head = #"""
    {
      schema: "steelpin-suite/1", // the language
      clock: "2026-01-01", host: "a.test", system: ["root"],
      certificates: {
        root: { kind: "root" }, leaf: { kind: "leaf", issuer: "root", names: ["a.test"] },
        old: { like: "leaf", validity: "expired" }, other: { like: "leaf", names: ["b.test"] },
      },
      chains: { right: ["leaf"], old: ["old"], other: ["other"] },
      policies: { p: {}, q: { domain: "sslAnyHost" } },

    """#

  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let before: String
    let after: String

    init(_ rule: String, _ before: String, _ after: String) {
      testDescription = rule
      self.before = before
      self.after = after
    }
  }

  static let rows = [
    Row(
      "a verdict of a row changes in its place",
      #"rows: [{ name: "r", chain: "old", policy: "p", expect: /* hm */ 'trusted' /* here */ }]"#,
      #"rows: [{ name: "r", chain: "old", policy: "p", expect: /* hm */ "untrusted: expired" /* here */ }]"#),
    Row(
      "a row without a verdict gets one", #"rows: [{ name: "r", chain: "right", policy: "p" }]"#,
      #"rows: [{ name: "r", chain: "right", policy: "p", expect: "trusted" }]"#),
    Row(
      "keys in quotation marks stay so, and a comma at the end",
      #"rows: [{ "name": "r", "chain": "right", "policy": "p", }]"#,
      #"rows: [{ "name": "r", "chain": "right", "policy": "p", "expect": "trusted", }]"#),
    Row(
      "a table without a verdict gets the most frequent one, and exceptions",
      """
      tables: [
          {
            // which
            policies: "*", // all of them
          },
        ]
      """,
      """
      tables: [
          {
            // which
            policies: "*", // all of them
            expect: "trusted",
            except: [
              { chains: ["old"], expect: "untrusted: expired" },
              { chains: ["other"], policies: ["p"], expect: "untrusted: host-mismatch" },
            ],
          },
        ]
      """),
    Row(
      "an exception whose rows all changed is changed itself",
      #"tables: [{ chains: ["right", "old"], expect: "trusted", except: [{ chains: ["old"], expect: "untrusted: revoked" }] }]"#,
      #"tables: [{ chains: ["right", "old"], expect: "trusted", except: [{ chains: ["old"], expect: "untrusted: expired" }] }]"#
    ),
    Row(
      "an exception of which some rows changed stays, and later ones are appended",
      """
      tables: [{ policies: ["p"], expect: "trusted",
        except: [
          { chains: ["old", "other"], expect: "untrusted: expired" } // two
        ] }]
      """,
      """
      tables: [{ policies: ["p"], expect: "trusted",
        except: [
          { chains: ["old", "other"], expect: "untrusted: expired" }, // two
          { chains: ["other"], expect: "untrusted: host-mismatch" }
        ] }]
      """),
    Row(
      "hosts are named where there are several",
      #"tables: [{ chains: ["right"], policies: ["p"], hosts: ["a.test", "b.test"], expect: "trusted" }]"#,
      #"tables: [{ chains: ["right"], policies: ["p"], hosts: ["a.test", "b.test"], expect: "trusted", except: [{ chains: ["right"], hosts: ["b.test"], expect: "untrusted: host-mismatch" }] }]"#
    ),
  ]

  @Test("the text afterwards", arguments: rows) func text(_ row: Row) async throws {
    let file = try readSuite(Self.head + row.before + "\n}\n")
    let (text, count) = file.updated(by: try await judge(file))
    #expect(String(decoding: text, as: UTF8.self) == Self.head + row.after + "\n}\n")
    #expect(count > 0)
    // What was written is what was found, so that a second time there is nothing to write.
    let again = try readSuite(String(decoding: text, as: UTF8.self))
    #expect(again.updated(by: try await judge(again)).count == 0)
  }

  @Test("rows that were not judged keep their verdicts") func filtered() async throws {
    let file = try readSuite(Self.head + "tables: [{ policies: [\"p\"], expect: \"pin-mismatch\" }]\n}\n")
    let cells = try await judge(file).filter { $0.row.scenario == "right" }
    let (text, count) = file.updated(by: cells)
    #expect(count == 1)
    #expect(
      String(decoding: text, as: UTF8.self).hasSuffix(
        "expect: \"pin-mismatch\", except: [{ chains: [\"right\"], expect: \"trusted\" }] }]\n}\n"))
  }
}
