// SPDX-License-Identifier: Apache-2.0

/// One thing that is wrong, or looks wrong, in a pin configuration.
public struct LintFinding: Sendable, Hashable {
  /// How much it matters.
  public enum Severity: String, Sendable, Hashable, Codable, Comparable {
    /// Worth knowing.
    case note
    /// Will hurt some day.
    case warning
    /// Does not do what it says.
    case error

    /// The order of severity, notes first.
    public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

    private var rank: Int {
      switch self {
      case .note: 0
      case .warning: 1
      case .error: 2
      }
    }
  }

  /// What was found, by its stable code.
  public let code: LintCode
  /// How much it matters.
  public let severity: Severity
  /// Where; the pin's own line if it is about a pin.
  public let position: SourcePosition
  /// What exactly, in words.
  public let message: String
  /// How to mend it.
  public let hint: String

  package init(
    _ code: LintCode, _ severity: Severity, at position: SourcePosition, _ message: String, hint: String
  ) {
    self.code = code
    self.severity = severity
    self.position = position
    self.message = message
    self.hint = hint
  }
}

/// The stable vocabulary of lint.
@nonexhaustive
public enum LintCode: String, Sendable, Hashable, Codable, CaseIterable {
  case anchorUnreadable = "anchor-unreadable"
  case backupInChain = "backup-in-chain"
  case certificateUnreadable = "certificate-unreadable"
  case debugOverrides = "debug-overrides"
  case exclusionWithoutParent = "exclusion-without-parent"
  case expiryMalformed = "expiry-malformed"
  case hostDuplicate = "host-duplicate"
  case hostHasPort = "host-has-port"
  case hostIsAddress = "host-is-address"
  case hostIsURL = "host-is-url"
  case hostMalformed = "host-malformed"
  case hostPublicSuffix = "host-public-suffix"
  case hostWildcard = "host-wildcard"
  case issuerCycle = "issuer-cycle"
  case keyDuplicated = "key-duplicated"
  case keyUnknown = "key-unknown"
  case leafPinShortLived = "leaf-pin-short-lived"
  case nameDuplicate = "name-duplicate"
  case nameUnknown = "name-unknown"
  case pinAllZero = "pin-all-zero"
  case pinBase64URL = "pin-base64url"
  case pinDuplicate = "pin-duplicate"
  case pinHashOfNothing = "pin-hash-of-nothing"
  case pinHex = "pin-hex"
  case pinIsCertificateHash = "pin-is-certificate-hash"
  case pinListEmpty = "pin-list-empty"
  case pinMalformed = "pin-malformed"
  case pinMissingPadding = "pin-missing-padding"
  case pinNoBackup = "pin-no-backup"
  case pinNotInChain = "pin-not-in-chain"
  case pinNotLiteral = "pin-not-literal"
  case pinSHA1 = "pin-sha1"
  case pinSetExpired = "pin-set-expired"
  case pinSetExpiresSoon = "pin-set-expires-soon"
  case pinSingle = "pin-single"
  case pinWrongAlgorithm = "pin-wrong-algorithm"
  case pinWrongLength = "pin-wrong-length"
  case pinsOnOneCA = "pins-on-one-ca"
  case reportOnly = "report-only"
  case structureInvalid = "structure-invalid"
  case valueWrong = "value-wrong"
}
