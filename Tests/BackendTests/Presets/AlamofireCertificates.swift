// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinMatrix
import SteelpinTestSupport
import Testing

/// The certificates of Alamofire's ServerTrustEvaluatorTests.swift, made anew.
struct AlamofireCertificates {
  private let certificates: [String: Certificate]
  /// The root as what the system trusts, and another root, under which nothing of these is trusted.
  let root: AnchorSet
  let otherRoot: AnchorSet

  static let shared = Result { try AlamofireCertificates() }

  private init() throws {
    let lab = try PresetLab()
    let root = try lab.authority("Alamofire Root CA")
    let ca1 = try lab.authority("Alamofire Signing CA 1", by: root)
    let ca2 = try lab.authority("Alamofire Signing CA 2", by: root)
    self.root = AnchorSet([try root.certificate])
    self.otherRoot = AnchorSet([try lab.authority("Other Root").certificate])
    let issued: [(String, IssuedCertificate)] = [
      ("Root", root), ("CA1", ca1), ("CA2", ca2),
      ("wildcard", try lab.server("wildcard", ["*.alamofire.org"], by: ca1)),
      (
        "multi",
        try lab.server("multi", ["test.alamofire.org", "blog.alamofire.org", "www.alamofire.org"], by: ca1)
      ),
      ("signed-by-ca1", try lab.server("signed-by-ca1", [], by: ca1)),
      ("test", try lab.server("test", ["test.alamofire.org", .uri("https://test.alamofire.org")], by: ca1)),
      ("expired", try lab.server("expired", ["test.alamofire.org"], by: ca2) { $0.validity = .expired }),
      ("noDNS", try lab.server("noDNS", [], by: ca2)), ("signed-by-ca2", try lab.server("signed-by-ca2", [], by: ca2)),
      ("validDNS", try lab.server("validDNS", ["test.alamofire.org"], by: ca2)),
      ("validURI", try lab.server("validURI", [.uri("https://test.alamofire.org")], by: ca2)),
    ]
    self.certificates = try Dictionary(uniqueKeysWithValues: issued.map { ($0.0, try $0.1.certificate) })
  }

  /// The certificate of a name.
  func callAsFunction(_ name: String) throws -> Certificate { try #require(certificates[name]) }

  /// The certificates of names.
  func all(_ names: [String]) throws -> [Certificate] { try names.map { try self($0) } }

  /// All leaves and authorities, by name.
  var everything: [String: Certificate] { certificates }
}
