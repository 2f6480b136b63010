// SPDX-License-Identifier: Apache-2.0
import CSteelpin
import Foundation
import Steelpin
import SteelpinC
import SteelpinTestSupport
import Testing

/// An evaluator behind the C functions, freed with the last reference.
final class CEvaluator: @unchecked Sendable {
  let pointer: OpaquePointer?
  let status: CInt
  let report: CReport?

  init(policy: String, options: String? = nil) {
    var pointer: OpaquePointer?
    var report: UnsafeMutablePointer<CChar>?
    let policy = Array(policy.utf8CString)
    let options = options.map { Array($0.utf8CString) }
    status = steelpin_evaluator_new(
      policy, policy.count - 1, options, (options?.count ?? 1) - 1, &pointer, &report)
    self.pointer = pointer
    self.report = CReport(taking: report)
  }

  deinit { steelpin_evaluator_free(pointer) }

  /// Judges certificates as a C program would.
  func evaluate(
    _ chain: [[UInt8]], host: String? = nil, time: Int64? = nil, staple: [UInt8]? = nil
  ) -> (status: CInt, report: CReport?) {
    let copies = chain.map { der in
      let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, der.count))
      copy.initialize(from: der, count: der.count)
      return copy
    }
    defer { copies.forEach { $0.deallocate() } }
    var report: UnsafeMutablePointer<CChar>?
    let pointers = copies.map { UnsafePointer<UInt8>?($0) }
    let status = withOptionalPointer(to: time) { time in
      steelpin_evaluate(
        pointer, pointers, chain.map(\.count), chain.count, host, time, staple, staple?.count ?? 0, &report)
    }
    return (status, CReport(taking: report))
  }
}

private func withOptionalPointer<Result>(to value: Int64?, _ body: (UnsafePointer<Int64>?) -> Result) -> Result {
  guard let value else { return body(nil) }
  return withUnsafePointer(to: value, body)
}

/// A report of the library.
struct CReport: Sendable {
  let text: String

  /// Copies and frees a report.
  init?(taking pointer: UnsafeMutablePointer<CChar>?) {
    guard let pointer else { return nil }
    text = String(cString: pointer)
    steelpin_free(pointer)
  }

  func document() throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  /// The code and the message of an error.
  func error() throws -> (code: String, message: String, problems: [[String: Any]]) {
    let error = try #require(document()["error"] as? [String: Any])
    return (
      try #require(error["code"] as? String), try #require(error["message"] as? String),
      try #require(error["problems"] as? [[String: Any]])
    )
  }
}

/// A chain of testcerts and a policy that trusts it.
enum Good {
  static let host = "www.steelpin.test"
  static let time = TestCerts.clock.secondsSince1970

  static func chain() throws -> [[UInt8]] { try TestCerts.certificates("leaf/p-256/chain.pem").map(\.der) }

  static func policy() throws -> String {
    PolicyText.trusting(try TestCerts.certificate("ca/root-p256"))
  }
}

func base64(_ octets: [UInt8]) -> String { Data(octets).base64EncodedString() }

enum PolicyText {
  static func trusting(_ anchor: Certificate, _ rest: String = "") -> String {
    "{\"anchors\": [\"\(base64(anchor.der))\"]\(rest)}"
  }
}
