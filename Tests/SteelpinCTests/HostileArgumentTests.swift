// SPDX-License-Identifier: Apache-2.0
import CSteelpin
import Foundation
import Steelpin
import SteelpinC
import SteelpinTestSupport
import Testing

/// What the C functions answer to arguments that no caller should pass: a status and a report, never a trap.
@Suite("C library, hostile arguments") struct HostileArgumentTests {
  static let policies: [(text: [UInt8], code: String)] = [
    (Array("not json".utf8), "syntax"),
    (Array("{\"ancors\": []}".utf8), "key-unknown"),
    (Array("{\"domain\": \"ssl\", \"domain\": \"ssl\"}".utf8), "key-duplicate"),
    (Array("{\"anchors\": [\"/etc/ssl/certs/ca-certificates.crt\"]}".utf8), "certificate-unreadable"),
    (Array("{\"time\": \"@-9223372036854775808\"}".utf8), "value-wrong"),
    (Array(String(repeating: "[", count: 100_000).utf8), "limit-exceeded"),
    ([0x7B, 0x22, 0xC3, 0x28, 0x22, 0x7D], "encoding-invalid"),
    ([0x00], "syntax"),
  ]

  @Test("a policy that is wrong is refused with the place", arguments: policies)
  func refusedPolicy(_ row: (text: [UInt8], code: String)) throws {
    var evaluator = OpaquePointer(bitPattern: 1)
    var text: UnsafeMutablePointer<CChar>?
    let status = row.text.withUnsafeBytes { bytes in
      steelpin_evaluator_new(
        bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, nil, 0, &evaluator, &text)
    }
    #expect(status == CInt(STEELPIN_CONFIGURATION))
    #expect(evaluator == nil)
    let error = try #require(CReport(taking: text)).error()
    #expect(error.code == "policy-invalid")
    #expect(error.problems.first?["code"] as? String == row.code)
    #expect(error.problems.first?["line"] as? Int == 1)
  }

  @Test(
    "options that are wrong are refused",
    arguments: [
      "[]", "{", "{\"backends\": \"both\"}", "{\"backend\": \"nss\"}", "{\"systemAnchors\": [\"ca.pem\"]}",
      "{\"evidence\": [\"\"]}", "{\"evidence\": [\"AAAA\"]}", "{\"evidence\": 1}",
    ])
  func options(_ json: String) throws {
    let evaluator = CEvaluator(policy: "{}", options: json)
    #expect(evaluator.pointer == nil)
    #expect(evaluator.status == CInt(STEELPIN_CONFIGURATION))
    #expect(try #require(evaluator.report).error().problems.first?["document"] as? String == "options")
  }

  @Test("a report that nobody wants is not made") func noReport() throws {
    let policy = Array("{".utf8CString)
    var evaluator: OpaquePointer?
    #expect(steelpin_evaluator_new(policy, 1, nil, 0, &evaluator, nil) == CInt(STEELPIN_CONFIGURATION))
    #expect(steelpin_evaluate(nil, nil, nil, 0, nil, nil, nil, 0, nil) == CInt(STEELPIN_USAGE))
    steelpin_evaluator_free(nil)
    steelpin_free(nil)
  }

  @Test("an evaluator without a policy or without a place is refused") func creation() throws {
    let policy = Array("{}".utf8CString)
    for (length, wanted) in [(0, "0"), (-1, "18446744073709551615"), (.max, "9223372036854775807")] {
      var evaluator: OpaquePointer?
      var text: UnsafeMutablePointer<CChar>?
      #expect(steelpin_evaluator_new(policy, length, nil, 0, &evaluator, &text) == CInt(STEELPIN_USAGE))
      #expect(try #require(CReport(taking: text)).error().message.contains(wanted))
    }
    var evaluator: OpaquePointer?
    var text: UnsafeMutablePointer<CChar>?
    #expect(steelpin_evaluator_new(nil, 2, nil, 0, &evaluator, &text) == CInt(STEELPIN_USAGE))
    #expect(try #require(CReport(taking: text)).error().code == "usage")
    #expect(steelpin_evaluator_new(policy, 2, nil, 0, nil, &text) == CInt(STEELPIN_USAGE))
    #expect(try #require(CReport(taking: text)).error().message.contains("NULL"))
    #expect(steelpin_evaluator_new(policy, 2, policy, 0, &evaluator, &text) == CInt(STEELPIN_USAGE))
    #expect(CReport(taking: text) != nil)
  }

  /// Arguments of `steelpin_evaluate`, one of them wrong.
  struct Arguments: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var hasEvaluator = true
    var hasCertificates = true
    var hasFirst = true
    var hasLengths = true
    var lengths: [Int]? = nil
    var count: Int? = nil
    var host: [CChar]? = nil
    var stapleLength = 0
    let says: String
  }

  static let calls: [Arguments] = [
    Arguments(testDescription: "no evaluator", hasEvaluator: false, says: "no evaluator"),
    Arguments(
      testDescription: "no certificates", hasCertificates: false, says: "the certificates: the pointer is NULL"),
    Arguments(testDescription: "a certificate is NULL", hasFirst: false, says: "certificate 0: the pointer is NULL"),
    Arguments(testDescription: "no lengths", hasLengths: false, says: "lengths of the certificates"),
    Arguments(testDescription: "a length of 0", lengths: [0, 1], says: "certificate 0: the length is 0"),
    Arguments(testDescription: "a length of SIZE_MAX", lengths: [1, -1], says: "certificate 1: the length is 1844"),
    Arguments(testDescription: "a length of 2^62", lengths: [1 << 62, 1], says: "certificate 0: the length is 46116"),
    Arguments(testDescription: "a count of 0", count: 0, says: "there are 0"),
    Arguments(testDescription: "a count of SIZE_MAX", count: -1, says: "there are 18446744073709551615"),
    Arguments(testDescription: "a count of 2^62", count: 1 << 62, says: "there are 4611686018427387904"),
    Arguments(testDescription: "a host that is not UTF-8", host: [-61, 40, 0], says: "not UTF-8"),
    Arguments(testDescription: "an empty host", host: [0], says: "the host"),
    Arguments(testDescription: "a host with a space", host: [97, 32, 98, 0], says: "the host"),
    Arguments(testDescription: "a staple without end", stapleLength: -1, says: "the stapled response"),
  ]

  @Test("a call with a wrong argument is refused", arguments: calls)
  func call(_ row: Arguments) throws {
    let evaluator = try CEvaluator(policy: Good.policy())
    let chain = try Good.chain().prefix(2).map { der in
      let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: der.count)
      copy.initialize(from: der, count: der.count)
      return (pointer: copy, count: der.count)
    }
    defer { chain.forEach { $0.pointer.deallocate() } }
    var pointers = chain.map { UnsafePointer<UInt8>?($0.pointer) }
    if !row.hasFirst { pointers[0] = nil }
    var text: UnsafeMutablePointer<CChar>?
    let status = steelpin_evaluate(
      row.hasEvaluator ? evaluator.pointer : nil, row.hasCertificates ? pointers : nil,
      row.hasLengths ? row.lengths ?? chain.map(\.count) : nil, row.count ?? chain.count,
      row.host ?? Array(Good.host.utf8CString), nil, row.stapleLength == 0 ? nil : pointers[0], row.stapleLength, &text)
    #expect(status == CInt(STEELPIN_USAGE))
    let error = try #require(CReport(taking: text)).error()
    #expect(error.message.contains(row.says), "\(error.message)")
  }

  @Test("octets of every kind are judged", arguments: 0..<64)
  func octets(_ seed: Int) throws {
    let evaluator = try CEvaluator(policy: Good.policy())
    var chain = try Good.chain()
    // One octet of the leaf is another: whatever it was, the chain is not trusted any more.
    let index = seed * chain[0].count / 64
    chain[0][index] ^= 0x55
    let (status, report) = evaluator.evaluate(chain, host: Good.host, time: Good.time)
    #expect(status == CInt(STEELPIN_UNTRUSTED))
    #expect(report != nil)
  }
}
