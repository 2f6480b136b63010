// SPDX-License-Identifier: Apache-2.0

/// What a stable code means, for `steelpin explain`.
package struct Explanation: Sendable {
  /// The code, as reports and JSON show it.
  package let code: String
  /// What was found.
  package let what: String
  /// Why it matters.
  package let why: String
  /// How to mend it.
  package let mend: String
  /// Where it is written; empty for a code of our own.
  package let clause: String

  init(_ code: String, _ what: String, why: String, mend: String, clause: String = "") {
    self.code = code
    self.what = what
    self.why = why
    self.mend = mend
    self.clause = clause
  }

  /// Every explanation, by subject.
  package static let all: [Explanation] =
    chainCodes + certificateCodes + revocationCodes + pinCodes + connectionCodes + inputCodes
    + fileCodes + fileNotes + lintCodes + configurationCodes

  /// The explanation of a code; nil if there is no such code.
  package static func of(_ code: String) -> Explanation? { all.first { $0.code == code } }
}
