// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinMatrix
import SteelpinTestSupport
import Testing

/// Makes the certificates of other projects' tests anew, right in every way but the one that a test is about.
struct PresetLab {
  private let lab: Lab

  init() throws { self.lab = try Lab(#require(keyProviders.first).value, clock: TestCerts.clock) }

  /// A certificate authority; without an issuer a root. One name has one key, so that the same name under another
  /// issuer is cross-signed.
  func authority(_ name: String, by issuer: IssuedCertificate? = nil) throws -> IssuedCertificate {
    try lab.issue(issuer == nil ? .root(name) : .intermediate(name), by: issuer)
  }

  /// A server's certificate with the names and a key of its own.
  func server(
    _ label: String, _ names: [GeneralNameRecipe], by issuer: IssuedCertificate?,
    _ change: (inout CertificateRecipe) -> Void = { _ in }
  ) throws -> IssuedCertificate {
    var recipe = CertificateRecipe.leaf(names, key: KeyRecipe(label: label))
    if names.isEmpty {
      recipe.removeExtension(.subjectAlternativeName)
      recipe.subject = NameRecipe(.commonName(label))
    }
    change(&recipe)
    return try lab.issue(recipe, by: issuer)
  }
}

/// Expects a verdict, of which an untrusted one names its errors.
func expect(
  _ verdict: Verdict, errors: Set<String>, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(verdict.errorCodes == errors, comment, sourceLocation: sourceLocation)
  #expect(verdict.isTrusted == errors.isEmpty, comment, sourceLocation: sourceLocation)
}
