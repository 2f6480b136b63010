// SPDX-License-Identifier: Apache-2.0

/// One rule: what it is called, where it comes from, who applies it, and how it is judged.
package struct CertificateRule: Sendable {
  /// Adds what it objects to.
  package typealias Check = @Sendable (RulePath, RuleContext, inout [Finding]) -> Void

  /// A name for the table of rules in the documentation.
  package let name: String
  /// The clause that it comes from.
  package let clause: String
  /// What it says if it objects.
  package let codes: [FindingCode]
  /// The profiles that apply it.
  package let profiles: Set<TrustPolicy.Profile>
  /// Adds what it objects to.
  package let check: Check
  /// Whether a path may meet with an objection because a certificate is its leaf, or one of its issuers. A rule is not
  /// asked about a path without such a certificate.
  let concerns: @Sendable (_ certificate: Certificate, _ isLeaf: Bool) -> Bool

  /// A rule about paths. `concerning` must be true of some certificate of every path that the rule objects to, whatever
  /// the context, as it is found out once for each certificate.
  init(
    _ name: String, clause: String, codes: FindingCode..., profiles: Set<TrustPolicy.Profile>,
    concerning concerns: @escaping @Sendable (Certificate, _ isLeaf: Bool) -> Bool = { _, _ in true },
    check: @escaping Check
  ) {
    self.name = name
    self.clause = clause
    self.codes = codes
    self.profiles = profiles
    self.check = check
    self.concerns = concerns
  }

  /// A rule about single certificates, which says the same of each whatever path it is on, in the contexts in which it
  /// `applies` at all.
  init(
    _ name: String, clause: String, codes: FindingCode..., profiles: Set<TrustPolicy.Profile>,
    each subjects: RuleSubjects, when applies: @escaping @Sendable (RuleContext) -> Bool = { _ in true },
    judge: @escaping @Sendable (Certificate, inout Faults) -> Void
  ) {
    self.name = name
    self.clause = clause
    self.codes = codes
    self.profiles = profiles
    self.check = { path, context, findings in
      guard applies(context) else { return }
      for depth in path.depths(of: subjects) {
        var faults = Faults(depth: depth)
        judge(path.certificates[depth], &faults)
        findings += faults.findings
      }
    }
    self.concerns = { certificate, isLeaf in
      guard isLeaf ? subjects != .issuers : subjects != .leaf else { return false }
      var faults = Faults(depth: nil)
      judge(certificate, &faults)
      return faults.exist
    }
  }

  /// What a rule has against one certificate.
  struct Faults {
    /// The place on the path; nil if it is only asked whether there is anything.
    let depth: Int?
    private(set) var exist = false
    private(set) var findings: [Finding] = []

    init(depth: Int?) { self.depth = depth }

    /// Adds a fault, with words for it if anybody wants to read them.
    mutating func add(_ code: FindingCode, _ detail: @autoclosure () -> String) {
      exist = true
      if let depth { findings.append(Finding(code, depth: depth, detail: detail())) }
    }
  }
}

/// Which certificates of a path a rule is about.
enum RuleSubjects: Sendable {
  /// Every certificate, the anchor included.
  case all
  /// Those that issue others, the anchor included.
  case issuers
  /// The leaf, unless it is itself an anchor.
  case leaf
  /// All but the anchor.
  case untrusted
  /// All but an anchor that is not the leaf.
  case untrustedAndLeaf
}

/// A path as rules see it.
package struct RulePath: Sendable {
  package let certificates: [Certificate]
  package let reachesAnchor: Bool

  package init(certificates: [Certificate], reachesAnchor: Bool) {
    self.certificates = certificates
    self.reachesAnchor = reachesAnchor
  }

  /// The certificates that are not trusted as they are, with their depths: all but an anchor.
  package var untrusted: ArraySlice<Certificate> { reachesAnchor ? certificates.dropLast() : certificates[...] }

  /// The certificates that issue others on the path, with their depths, the anchor included.
  package var issuers: ArraySlice<Certificate> { certificates.dropFirst() }

  /// The leaf, if it is not itself an anchor.
  package var untrustedLeaf: Certificate? { untrusted.first }

  /// The anchor, if the path reaches one.
  package var anchor: Certificate? { reachesAnchor ? certificates.last : nil }

  /// The depths of some certificates.
  func depths(of subjects: RuleSubjects) -> Range<Int> {
    let count = certificates.count
    let untrusted = reachesAnchor ? max(0, count - 1) : count
    return switch subjects {
    case .all: 0..<count
    case .issuers: min(1, count)..<count
    case .leaf: 0..<min(1, untrusted)
    case .untrusted: 0..<untrusted
    case .untrustedAndLeaf: 0..<max(min(1, count), untrusted)
    }
  }
}

extension Set<TrustPolicy.Profile> {
  static let every = Set(TrustPolicy.Profile.allCases)

  /// What RFC 5280 asks of issuers but not of those who verify, and what only issuers that know it have wrong.
  static let letter: Set = [.rfc5280, .webPKI]
}
