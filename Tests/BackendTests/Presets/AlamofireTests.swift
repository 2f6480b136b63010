// SPDX-License-Identifier: Apache-2.0
import Steelpin
import SteelpinTestSupport
import Testing

/// The 83 rows of Alamofire's ServerTrustEvaluatorTests.swift by their lines, for the host test.alamofire.org. Rows that
/// were commented out upstream because its certificates had expired are here with fresh ones.
///
/// Three rows have no meaning here: 1419, 1424 and 1429 assert that static accessors of Swift protocols compile.
@Suite("ServerTrustEvaluatorTests") struct AlamofireTests {
  struct Row: Sendable, CustomTestStringConvertible {
    enum Demand: Sendable {
      case calls([SecurityFrameworkPreset.Policy])
      case pinnedCertificates([String], acceptSelfSigned: Bool, performDefault: Bool, validateHost: Bool)
      case publicKeys([String], performDefault: Bool, validateHost: Bool)
      case other(AlamofireEvaluator)
    }
    let line: Int
    let demand: Demand
    let chain: [String]
    let isAnchored: Bool
    let errors: Set<String>
    var testDescription: String { "\(line)" }

    init(_ line: Int, _ demand: Demand, _ chain: [String], anchored: Bool = true, _ errors: Set<String> = []) {
      self.line = line
      self.demand = demand
      self.chain = chain
      self.isAnchored = anchored
      self.errors = errors
    }
  }

  private static let valid = ["validDNS", "CA2", "Root"]
  private static let expired = ["expired", "CA2", "Root"]
  private static let noDNS = ["noDNS", "CA2", "Root"]
  private static let wildcard = ["wildcard", "CA1", "Root"]
  private static let incomplete = ["validDNS", "Root"]

  private static let host = try? HostName("test.alamofire.org")

  static let policies: [Row] = [
    Row(164, .calls([.basicX509]), valid), Row(180, .calls([.basicX509]), ["validDNS", "CA2"]),
    Row(193, .calls([.basicX509]), noDNS), Row(206, .calls([.basicX509]), expired, ["expired@0"]),
    Row(223, .calls([.ssl(host)]), valid), Row(239, .calls([.ssl(host)]), ["validDNS", "CA2"]),
    Row(252, .calls([.ssl(host)]), noDNS, ["host-mismatch@0"]), Row(265, .calls([.ssl(host)]), wildcard),
    Row(278, .calls([.ssl(host)]), valid),
    Row(291, .calls([.ssl(host)]), ["validURI", "CA2", "Root"], ["host-mismatch@0"]),
    Row(
      304,
      .calls(["test.alamofire.org", "blog.alamofire.org", "www.alamofire.org"].map { .ssl(try? HostName($0)) }),
      ["multi", "CA1", "Root"]),
    // Not upstream: one of the three is wrong.
    Row(
      1304,
      .calls(["test.alamofire.org", "other.alamofire.org", "www.alamofire.org"].map { .ssl(try? HostName($0)) }),
      ["multi", "CA1", "Root"], ["host-mismatch@0"]),
    Row(319, .calls([.ssl(nil)]), noDNS), Row(332, .calls([.ssl(host)]), expired, ["expired@0"]),
  ]

  /// The default evaluator at a line, and the revocation evaluator at another; online status is not to be had here, and
  /// its absence does not count.
  private static func both(
    _ line: Int, _ other: Int, validateHost: Bool, _ chain: [String], anchored: Bool = true, _ errors: Set<String> = []
  ) -> [Row] {
    [
      Row(line, .other(.default(validateHost: validateHost)), chain, anchored: anchored, errors),
      Row(
        other, .other(.revocation(validateHost: validateHost, .apple(networkAccessDisabled: true))), chain,
        anchored: anchored, errors),
    ]
  }

  static let evaluators: [Row] =
    both(351, 514, validateHost: false, valid)
    + both(365, 528, validateHost: false, valid, anchored: false, ["root-not-trusted@2"])
    + both(379, 542, validateHost: false, noDNS) + both(393, 556, validateHost: false, expired, ["expired@0"])
    + both(407, 570, validateHost: false, incomplete, ["issuer-not-found@0"])
    + both(423, 586, validateHost: true, valid)
    + both(437, 600, validateHost: true, valid, anchored: false, ["root-not-trusted@2"])
    + both(451, 614, validateHost: true, noDNS, ["host-mismatch@0"]) + both(465, 628, validateHost: true, wildcard)
    + both(479, 642, validateHost: true, expired, ["expired@0"])
    + both(493, 656, validateHost: true, incomplete, ["issuer-not-found@0"])

  private static func certificates(
    _ line: Int, _ pins: [String], _ chain: [String], selfSigned: Bool = false, validated: Bool, host: Bool = false,
    anchored: Bool = true, _ errors: Set<String> = []
  ) -> Row {
    Row(
      line,
      .pinnedCertificates(pins, acceptSelfSigned: selfSigned, performDefault: validated, validateHost: host), chain,
      anchored: anchored, errors)
  }

  /// Upstream's negatives are not anchored either; here the root is an anchor, so that each has one fault.
  static let pinnedCertificates: [Row] = [
    certificates(676, ["validDNS"], valid, validated: false, anchored: false),
    certificates(692, ["CA2"], valid, validated: false, anchored: false),
    certificates(708, ["Root"], valid, validated: false, anchored: false),
    certificates(724, ["signed-by-ca2"], valid, validated: true, ["pin-mismatch"]),
    certificates(740, ["CA1"], valid, validated: true, ["pin-mismatch"]),
    certificates(754, ["expired"], expired, validated: true, ["expired@0"]),
    certificates(768, ["CA2"], expired, validated: true, ["expired@0"]),
    certificates(784, ["validDNS"], valid, selfSigned: true, validated: true, host: true, anchored: false),
    certificates(798, ["CA2"], valid, selfSigned: true, validated: true, host: true, anchored: false),
    certificates(812, ["Root"], valid, selfSigned: true, validated: true, host: true, anchored: false),
    certificates(826, ["signed-by-ca2"], valid, validated: true, host: true, ["pin-mismatch"]),
    certificates(842, ["CA1"], valid, validated: true, host: true, ["pin-mismatch"]),
    certificates(856, ["expired"], expired, validated: true, host: true, ["expired@0"]),
    certificates(870, ["CA2"], expired, validated: true, host: true, ["expired@0"]),
    certificates(886, ["validDNS"], valid, validated: false), certificates(902, ["CA2"], valid, validated: false),
    certificates(918, ["Root"], valid, validated: false),
    certificates(934, ["signed-by-ca2"], valid, validated: false, ["pin-mismatch"]),
    certificates(950, ["CA1"], valid, validated: false, ["pin-mismatch"]),
    certificates(966, ["expired"], expired, validated: false), certificates(982, ["CA2"], expired, validated: false),
    certificates(998, ["Root"], expired, validated: false),
    certificates(1014, ["validDNS", "validURI", "CA1", "noDNS", "expired"], expired, validated: false),
    // Not upstream: a pin that is only sent, beside the chain, is not on it; neither is one on its own an anchor.
    certificates(1500, ["CA1"], valid + ["CA1"], validated: false, ["pin-mismatch"]),
    certificates(1501, ["CA1"], valid + ["CA1"], validated: true, host: true, ["pin-mismatch"]),
    certificates(1502, ["Root"], valid, validated: true, host: true, anchored: false, ["root-not-trusted@2"]),
    certificates(1503, [], valid, validated: true, host: true, ["pin-set-empty"]),
    certificates(1504, [], valid, validated: false, ["pin-set-empty"]),
  ]

  private static func keys(
    _ line: Int, _ pins: [String], _ chain: [String], validated: Bool, host: Bool = false, anchored: Bool = true,
    _ errors: Set<String> = []
  ) -> Row {
    Row(
      line, .publicKeys(pins, performDefault: validated, validateHost: host), chain, anchored: anchored, errors)
  }

  private static let backups = ["validDNS", "CA1", "wildcard"]

  static let publicKeys: [Row] = [
    keys(1043, ["validDNS"], valid, validated: true), keys(1058, ["CA2"], valid, validated: true),
    keys(1073, ["Root"], valid, validated: true),
    keys(1088, ["signed-by-ca2"], valid, validated: true, ["pin-mismatch"]),
    keys(1103, backups, valid, validated: true), keys(1120, ["validDNS"], valid, validated: true, host: true),
    keys(1135, ["CA2"], valid, validated: true, host: true), keys(1150, ["Root"], valid, validated: true, host: true),
    keys(1165, ["signed-by-ca2"], valid, validated: true, host: true, ["pin-mismatch"]),
    keys(1180, backups, valid, validated: true, host: true),
    keys(1197, ["validDNS"], incomplete, validated: false),
    keys(1214, ["Root"], incomplete, validated: false, ["pin-mismatch"]),
    keys(1231, ["validDNS"], ["validDNS", "CA1", "Root"], validated: false),
    keys(1248, ["expired"], expired, validated: false), keys(1265, ["CA2"], expired, validated: false),
    keys(1282, ["Root"], expired, validated: false),
    keys(1505, [], valid, validated: true, ["pin-set-empty"]),
  ]

  private static let composite = AlamofireEvaluator.composite([
    .default(validateHost: false), .revocation(validateHost: false, .apple(networkAccessDisabled: true)),
  ])

  static let others: [Row] = [
    Row(1303, .other(.disabled), incomplete), Row(1316, .other(.disabled), expired),
    Row(1333, .other(composite), valid), Row(1349, .other(composite), valid, anchored: false, ["root-not-trusted@2"]),
    Row(1365, .other(composite), expired, ["expired@0"]),
    // Not upstream: a composite of nothing asks for nothing.
    Row(1506, .other(.composite([])), expired, anchored: false),
  ]

  @Test("rows", arguments: policies + evaluators + pinnedCertificates + publicKeys + others)
  func row(_ row: Row) throws {
    let certificates = try AlamofireCertificates.shared.get()
    let source = try source(row.demand, certificates)
    let verdict = try judge(
      CertificateChain(certificates.all(row.chain)), host: "test.alamofire.org", by: source,
      system: row.isAnchored ? certificates.root : certificates.otherRoot)
    expect(verdict, errors: row.errors, "\(verdict.findings)")
  }

  private func source(_ demand: Row.Demand, _ certificates: AlamofireCertificates) throws -> any PolicySource {
    switch demand {
    case .calls(let policies): SecurityFrameworkPreset(.setPolicies(policies))
    case .pinnedCertificates(let pins, let acceptSelfSigned, let performDefault, let validateHost):
      AlamofirePreset(
        .pinnedCertificates(
          try certificates.all(pins), acceptSelfSigned: acceptSelfSigned, performDefaultValidation: performDefault,
          validateHost: validateHost))
    case .publicKeys(let pins, let performDefault, let validateHost):
      AlamofirePreset(
        .publicKeys(
          of: try certificates.all(pins), performDefaultValidation: performDefault, validateHost: validateHost))
    case .other(let evaluator): AlamofirePreset(evaluator)
    }
  }
}
