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
  /// An anchor is neither the system nor a file with certificates.
  case anchorUnreadable = "anchor-unreadable"
  /// A backup pin is met by the chain that is in use, so it is no backup.
  case backupInChain = "backup-in-chain"
  /// A file or a text holds no certificate that can be read.
  case certificateUnreadable = "certificate-unreadable"
  /// The chain is not validated at all.
  case chainNotValidated = "chain-not-validated"
  /// Anchors of debug builds, which a release does not have.
  case debugOverrides = "debug-overrides"
  /// A host is excluded from pins that no parent has.
  case exclusionWithoutParent = "exclusion-without-parent"
  /// A date is none, or not in the form that the platform reads.
  case expiryMalformed = "expiry-malformed"
  /// A host stands twice.
  case hostDuplicate = "host-duplicate"
  /// A host is written with a port.
  case hostHasPort = "host-has-port"
  /// A host is an IP address, which the platform does not match.
  case hostIsAddress = "host-is-address"
  /// A host is written as a URL.
  case hostIsURL = "host-is-url"
  /// A host is no name that can be looked up.
  case hostMalformed = "host-malformed"
  /// A host is a public suffix, so the pins are for strangers too.
  case hostPublicSuffix = "host-public-suffix"
  /// A host is written with a wildcard that the format does not know.
  case hostWildcard = "host-wildcard"
  /// A certificate of a suite needs itself as its issuer.
  case issuerCycle = "issuer-cycle"
  /// A key stands twice, and one of the two is not read.
  case keyDuplicated = "key-duplicated"
  /// A key means nothing where it stands.
  case keyUnknown = "key-unknown"
  /// A pin is that of a leaf whose certificate is replaced soon.
  case leafPinShortLived = "leaf-pin-short-lived"
  /// A name of a suite stands twice.
  case nameDuplicate = "name-duplicate"
  /// A suite names something that it does not have.
  case nameUnknown = "name-unknown"
  /// A pin has no bit that is set.
  case pinAllZero = "pin-all-zero"
  /// A pin is written in base64url.
  case pinBase64URL = "pin-base64url"
  /// A pin stands twice.
  case pinDuplicate = "pin-duplicate"
  /// A pin is the hash of no octets.
  case pinHashOfNothing = "pin-hash-of-nothing"
  /// A pin is written in hexadecimal where base64 must stand.
  case pinHex = "pin-hex"
  /// A pin is the hash of a certificate where that of a key must stand.
  case pinIsCertificateHash = "pin-is-certificate-hash"
  /// A list of pins is empty.
  case pinListEmpty = "pin-list-empty"
  /// A pin is no pin.
  case pinMalformed = "pin-malformed"
  /// A pin lacks the padding of its base64.
  case pinMissingPadding = "pin-missing-padding"
  /// No pin is for a key that is not in use yet.
  case pinNoBackup = "pin-no-backup"
  /// A pin is met by no certificate of the chain.
  case pinNotInChain = "pin-not-in-chain"
  /// A pin in source code is no literal, so it cannot be read.
  case pinNotLiteral = "pin-not-literal"
  /// A pin is a SHA-1.
  case pinSHA1 = "pin-sha1"
  /// The pins expired.
  case pinSetExpired = "pin-set-expired"
  /// The pins expire soon.
  case pinSetExpiresSoon = "pin-set-expires-soon"
  /// There is one pin alone.
  case pinSingle = "pin-single"
  /// A pin is of an algorithm that the platform does not know.
  case pinWrongAlgorithm = "pin-wrong-algorithm"
  /// A pin has not the length of its digest.
  case pinWrongLength = "pin-wrong-length"
  /// All pins are for keys of one CA.
  case pinsOnOneCA = "pins-on-one-ca"
  /// Pins do not count for chains that end at some anchors.
  case pinsOverridden = "pins-overridden"
  /// Pins are reported and not enforced.
  case reportOnly = "report-only"
  /// A part is missing, or stands where it cannot.
  case structureInvalid = "structure-invalid"
  /// A value is not what must stand there.
  case valueWrong = "value-wrong"
}
