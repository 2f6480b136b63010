// SPDX-License-Identifier: Apache-2.0
internal import CSteelpin
internal import SteelpinConfigurations
internal import SteelpinReports

/// Why there is no verdict.
struct Failure: Error {
  let status: CInt
  /// A stable code, which `steelpin explain` knows.
  let code: String
  let message: String
  let hint: String?
  /// What is wrong with a document, one by one.
  let problems: [PolicyDocumentError.Problem]

  init(
    _ status: CInt, code: String, _ message: String, hint: String? = nil,
    problems: [PolicyDocumentError.Problem] = []
  ) {
    self.status = status
    self.code = code
    self.message = message
    self.hint = hint
    self.problems = problems
  }

  /// An argument that is wrong.
  static func usage(_ message: String) -> Failure { Failure(STEELPIN_USAGE.status, code: "usage", message) }

  /// A policy or options that are wrong.
  init(_ error: PolicyDocumentError) {
    self.init(
      STEELPIN_CONFIGURATION.status, code: "policy-invalid", "\(error)", hint: error.problems.first?.hint,
      problems: error.problems)
  }

  /// The report.
  var json: JSONValue {
    JSONSchema.document("evaluate").adding([
      "status": .integer(Int(status)),
      "error": [
        "code": .string(code), "message": .string(message), "hint": .optional(hint),
        "problems": .array(
          problems.map { problem in
            [
              "code": .string(problem.code), "document": .string(problem.position.file),
              "line": .integer(problem.position.line), "column": .integer(problem.position.column),
              "message": .string(problem.message), "hint": .optional(problem.hint),
            ]
          }),
      ],
    ])
  }
}

extension Int {
  /// A constant of the header as the functions return it.
  var status: CInt { CInt(self) }
}
