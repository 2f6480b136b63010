// SPDX-License-Identifier: Apache-2.0
public import Steelpin

/// What a pin configuration says, in one model for all formats.
public struct PinConfiguration: Sendable {
  /// The name of the format that it was read in.
  public var format: String
  /// The file as it was named.
  public var file: String
  /// The entries in the order of the file.
  public var entries: [HostEntry]
  /// The anchors of hosts whose entry names none; nil for the platform's own.
  public var anchors: [AnchorSource]?
  /// Whether a host without an entry is refused.
  public var refusesUnknownHosts = false
  /// The finding about what the file demands and could not be read, such as pins in source code that are no literals;
  /// nil if all was read.
  public package(set) var unread: LintFinding?
  /// What was found wrong while reading, in the order of the file.
  public var findings: [LintFinding]

  /// A configuration of the given entries.
  public init(
    format: String, file: String, entries: [HostEntry], anchors: [AnchorSource]? = nil, findings: [LintFinding] = []
  ) {
    self.format = format
    self.file = file
    self.entries = entries
    self.anchors = anchors
    self.findings = findings
  }

  /// The first finding for which nothing can be said of what the configuration demands: the platform would refuse the
  /// file or read it otherwise than it is written, or a part of it could not be read. Nil if it is sound.
  public var obstacle: LintFinding? {
    findings.first { $0.severity == .error } ?? unread ?? HostLint.obstacle(of: self)
  }
}

/// One host or family of hosts of a configuration, with what is demanded there.
public struct HostEntry: Sendable, Hashable {
  /// The hosts.
  public var pattern: PinnedHosts
  /// The hosts as they are written.
  public var text: String
  /// Where they are written; nil if the entry was made, not read.
  public var position: SourcePosition?
  /// The port that the entry is for; nil for any.
  public var port: UInt16?
  /// The pins.
  public var pins: [ConfiguredPin] = []
  /// The lists of pins that the entry has, be they empty: a list that is there and empty is met by nothing.
  public var lists: Set<TrustPolicy.PinScope> = []
  /// Keys and certificates that must not be on the path.
  public var forbidden: [ConfiguredPin] = []
  /// Which of several clients of one file the entry is for, from 0: each judges by its own entries.
  public var client = 0
  /// Whether the chain must be proved; curl's `--insecure` leaves only the pins.
  public var validation = TrustPolicy.ChainValidation.validated
  /// Whether the hosts are excepted from the pins of a parent.
  public var isExcluded = false
  /// Whether a pin that is not met counts.
  public var enforcement = TrustPolicy.Enforcement.enforce
  /// When the pins stop to count; nil for never.
  public var expiry: PinExpiry?
  /// Where failures are reported.
  public var reportURIs: [String] = []
  /// The anchors; nil for those of the configuration.
  public var anchors: [AnchorSource]?
  /// The rules; nil for those of the format.
  public var profile: TrustPolicy.Profile?
  /// What the configuration calls the entry; nil if nothing.
  public var comment: String?

  /// An entry without pins.
  public init(_ pattern: PinnedHosts, text: String, position: SourcePosition? = nil, port: UInt16? = nil) {
    self.pattern = pattern
    self.text = text
    self.position = position
    self.port = port
  }
}

/// When the pins of an entry stop to count.
public struct PinExpiry: Sendable, Hashable {
  /// The moment; nil if the text is no date.
  public var time: Timestamp?
  /// The text as it was written.
  public var text: String
  /// Where it stands; nil if it was made, not read.
  public var position: SourcePosition?

  /// Whether the moment has come.
  package func isPast(at now: Timestamp) -> Bool { time.map { $0 <= now } ?? false }
}

/// Where trust anchors come from.
public struct AnchorSource: Sendable, Hashable {
  /// The kinds of source.
  public enum Kind: Sendable, Hashable {
    /// Certificates of a file.
    case certificates([Certificate])
    /// The platform's own.
    case system
    /// Those that the user of a device installed; there are none where Steelpin runs.
    case user
  }

  /// What it is.
  public var kind: Kind
  /// The source as it was written.
  public var text: String
  /// Whether pins do not count for a path that ends at one of them (Android's overridePins).
  public var overridesPins = false
  /// Where it stands; nil if it was made, not read.
  public var position: SourcePosition?
}
