// SPDX-License-Identifier: Apache-2.0
import Foundation
import Steelpin

#if GnuTLS
  import SteelpinGnuTLS
#endif
#if OpenSSL
  import SteelpinOpenSSL
#endif

// Reads cases from standard input, one JSON object a line. Writes one JSON object a case on standard output and the
// report on standard error. See scripts/limbo.

var judges: [(name: String, judge: LimboJudge)] = []
#if OpenSSL
  judges.append(("openssl", LimboJudge(backend: OpenSSLTrustEvaluator())))
#endif
#if GnuTLS
  judges.append(("gnutls", LimboJudge(backend: GnuTLSTrustEvaluator())))
#endif

/// What is printed of a case.
struct Line: Encodable {
  let id: String
  let expected: String
  let openssl: String?
  let gnutls: String?
  let codes: [String]
}

let decoder = JSONDecoder()
decoder.keyDecodingStrategy = .convertFromSnakeCase
let encoder = JSONEncoder()
encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
var report = LimboReport(backends: judges.map(\.name))
var number = 0
while let text = readLine() {
  number += 1
  guard !text.isEmpty else { continue }
  do {
    let test = try decoder.decode(LimboCase.self, from: Data(text.utf8))
    var results: [String: LimboResult] = [:]
    for (name, judge) in judges { results[name] = judge.judge(test) }
    report.add(test, results)
    func word(_ name: String) -> String? {
      results[name].map { ($0.isAccepted ? LimboCase.Expectation.success : .failure).rawValue }
    }
    let codes = Set(results.values.flatMap(\.codes)).sorted()
    let line = Line(
      id: test.id, expected: test.expectedResult.rawValue, openssl: word("openssl"), gnutls: word("gnutls"),
      codes: codes)
    print(String(decoding: try encoder.encode(line), as: UTF8.self))
  } catch {
    FileHandle.standardError.write(Data("limbo: line \(number) is not a case: \(error)\n".utf8))
    exit(65)
  }
}
FileHandle.standardError.write(Data((report.text() + "\n").utf8))
