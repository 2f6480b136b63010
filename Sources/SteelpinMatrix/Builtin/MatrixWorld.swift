// SPDX-License-Identifier: Apache-2.0
package import Steelpin

/// The certificates that the scenarios and policies of the built-in matrix share.
package struct MatrixWorld: Sendable {
  /// The host that every chain is judged for.
  package static let host = "www.matrix.test"

  package let lab: Lab
  package let root: Certificate
  package let intermediate: Certificate
  /// A root that signed nothing of what is served, but for the cross-signed scenario.
  package let otherRoot: IssuedCertificate
  /// A certificate that has nothing to do with any chain.
  package let stranger: Certificate
  /// A certificate of the key that most leaves have, which is none of them.
  package let twin: Certificate

  /// Makes the certificates around a clock. Throws ``MatrixError`` if the library cannot.
  package init(keys: KeyRing, clock: Timestamp) throws(MatrixError) {
    do {
      self.lab = try Lab(keys: keys, clock: clock)
      self.root = try lab.root.certificate
      self.intermediate = try lab.intermediate.certificate
      self.otherRoot = try lab.issue(.root("Other Root"), by: nil)
      self.stranger = try lab.issue(
        .leaf([.dns(Self.host)], key: KeyRecipe(label: "stranger")), by: nil
      ).certificate
      self.twin = try lab.issue(.leaf(["twin.matrix.test"]), by: lab.intermediate).certificate
    } catch {
      throw MatrixError(reason: "\(error)")
    }
  }
}

/// Why the certificates of the matrix could not be made.
package struct MatrixError: Error, Sendable, CustomStringConvertible {
  package let reason: String

  /// The reason.
  package var description: String { "the certificates of the matrix cannot be made: \(reason)" }
}
