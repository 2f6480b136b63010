// SPDX-License-Identifier: Apache-2.0
internal import SteelpinReports

extension Command {
  /// `steelpin explain`.
  static let explain = Command(
    "explain", "explain a code of a report: what, why, and how to mend it", operands: "[CODE]…",
    completion: .suggested(Explanation.all.map(\.code)),
    notes: "Without a code, all codes are listed.",
    examples: [
      ("steelpin explain issuer-not-found", "what this finding means and how to mend it"),
      ("steelpin explain", "all codes, one a line"),
      ("steelpin explain --json", "all explanations for a program"),
    ],
    options: [.json, .color],
    statuses: [.success, .usage]
  ) { (invocation: Invocation) async throws(CommandError) in
    let codes = invocation.arguments.operands
    var chosen = codes.isEmpty ? Explanation.all : []
    for code in codes {
      guard let explanation = Explanation.of(code) else {
        let near = NearestWord.to(code, among: Explanation.all.map(\.code))
        throw .usage(
          "there is no code '\(code)'",
          hint: near.map { "did you mean \($0)?" } ?? "'steelpin explain' lists the codes")
      }
      chosen.append(explanation)
    }
    if invocation.wantsJSON {
      try invocation.printer.result(
        JSONSchema.document("explain").adding(["codes": .array(chosen.map(\.json))]))
    } else if codes.isEmpty {
      let width = chosen.map(\.code.count).max() ?? 0
      try invocation.printer.result(
        chosen.sorted { $0.code < $1.code }.map { [.bold($0.code).padded(to: width + 2), .plain($0.what)] })
    } else {
      try invocation.printer.result(Array(chosen.map(\.lines).joined(separator: [[]])))
    }
    return .success
  }
}

extension Explanation {
  fileprivate var lines: [[Span]] {
    var lines: [[Span]] = [
      [.bold(code)], [.dim("  what    "), .plain(what)], [.dim("  why     "), .plain(why)],
      [.dim("  mend    "), .plain(mend)],
    ]
    if !clause.isEmpty { lines.append([.dim("  clause  "), .plain(clause)]) }
    return lines
  }

  fileprivate var json: JSONValue {
    [
      "code": .string(code), "what": .string(what), "why": .string(why), "mend": .string(mend),
      "clause": clause.isEmpty ? .null : .string(clause),
    ]
  }
}
