// SPDX-License-Identifier: Apache-2.0
#if STEELPIN_MUTATIONS
  private import Glibc

  /// The flaws that scripts/mutation-test gives a build of its own, one at a time, to see that the matrix finds each.
  /// No other build has them: nothing but that script defines STEELPIN_MUTATIONS.
  enum Mutation: String, CaseIterable {
    case addressAsName = "a DNS name may be the address of the host"
    case allIsAny = "one policy of all is enough"
    case anchorSent = "a self-signed certificate that was sent is an anchor"
    case anchorsAddSystem = "only these anchors means these and the system's"
    case anchorsOnly = "the system's anchors and these means only these"
    case caseMatters = "letter case matters in host names"
    case commonName = "a common name is taken for the host without subjectAltName"
    case dateOfLeafOnly = "only the leaf's dates are checked"
    case emptyAnchors = "an empty set of anchors trusts what was sent"
    case emptyPins = "an empty set of pins is met"
    case excludedNames = "excluded name subtrees are ignored"
    case firstPathOnly = "only the first path is tried"
    case leafDataAnywhere = "leaf data may be met by any certificate of the path"
    case listSignature = "signatures of revocation lists are not checked"
    case listsExpire = "revocation lists never go out of date"
    case missedPin = "a missed pin is reported only"
    case mustStaple = "must-staple is ignored"
    case notAfter = "the end of the validity is ignored"
    case notBefore = "the beginning of the validity is ignored"
    case pathLengthByOne = "a path may be longer by one"
    case permittedNames = "permitted name subtrees are ignored"
    case pinByKey = "a pinned certificate is met by its key"
    case pinScope = "pins are met anywhere, whatever their scope"
    case pinsOnSent = "pins are met by any certificate that was sent"
    case proof = "a path that the library refuses is proved"
    case revoked = "revoked certificates are good"
    case softFail = "a status that is unknown never counts"
    case unsignedPath = "without a proof, signatures do not limit the path"
    case wildcardLabels = "a wildcard stands for several labels"
    case wildcardSuffix = "a wildcard may stand directly above a public suffix"

    private static let name: String? = unsafe getenv("STEELPIN_MUTATION").map { unsafe String(cString: $0) }
    private static let active = name.flatMap(Mutation.init)

    /// Whether this build has the flaw now.
    var isOn: Bool { Self.active == self }

    /// Whether a rule does not object, for the mutation `no rule: NAME`.
    static func removes(_ rule: CertificateRule) -> Bool { name == "no rule: \(rule.name)" }
  }
#endif
