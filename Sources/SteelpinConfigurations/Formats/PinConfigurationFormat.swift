// SPDX-License-Identifier: Apache-2.0
public import Steelpin

/// A system that has its own way to write pins and its own rules to apply them. One file a format, and one line in
/// ``PinConfigurationFormats/all``.
public protocol PinConfigurationFormat: Sendable {
  /// The name that `--to` takes, as in `trustkit`.
  var name: String { get }
  /// What the format is, in a few words.
  var summary: String { get }
  /// What the format can say.
  var capabilities: FormatCapabilities { get }

  /// Whether a file or folder looks like one of this format.
  func recognizes(_ source: ConfigurationSource) -> Bool

  /// Reads a file or folder. What is wrong but can be passed over is among the configuration's findings.
  func read(_ source: ConfigurationSource) throws(ConfigurationError) -> PinConfiguration

  /// What the system demands of a server, under its own rules.
  func requirement(
    of configuration: PinConfiguration, for host: HostName, port: UInt16, chain: [Certificate],
    in context: PlatformContext
  ) -> HostRequirement

  /// The configuration in this format; nil if the format is only read. Losses are not judged here.
  func write(_ configuration: PinConfiguration) -> String?
}

/// What a format can say, for lint and for the report of losses.
public struct FormatCapabilities: Sendable, Hashable {
  /// How deep a wildcard may reach.
  public var subdomains: Set<PinnedHosts.Subdomains> = [.none]
  /// Whether names below a name can be meant without the name itself.
  public var subdomainsAlone = false
  /// Whether a subdomain can be excepted.
  public var exclusion = false
  /// Whether pins may be for leaves or issuers only.
  public var scopes: Set<TrustPolicy.PinScope> = [.any]
  /// Whether the pins may end.
  public var expiry = false
  /// Whether pins may be reported only.
  public var reportOnly = false
  /// Whether addresses for reports can be given.
  public var reportURIs = false
  /// Whether a pin may be a SHA-1.
  public var sha1 = false
  /// Whether a pin may be the hash of a certificate.
  public var certificateHashes = false
  /// Whether a pin may be the hash of a public key.
  public var publicKeyHashes = true
  /// Whether pins have names and comments.
  public var names = false
  /// Whether an entry can be for a port.
  public var ports = false
  /// Whether anchors can be given.
  public var anchors = false
  /// Whether keys can be forbidden.
  public var forbidden = false
  /// Whether several hosts fit in one file.
  public var hosts = true
  /// Whether the pins of all entries that are for a host count, not those of the longest match alone.
  public var unitesEntries = false
  /// Whether an entry whose pins have expired refuses every server rather than to go on without pins.
  public var refusesExpired = false
  /// Whether a pin may be a SHA-512.
  public var sha512 = false
  /// How many pins an enforced entry must have for the system to start at all.
  public var minimumPins = 1
}

/// What the platform brings to the rules of a format.
public struct PlatformContext: Sendable {
  /// The platform's own trust anchors.
  public var anchors: TrustPolicy.Anchors
  /// The certificates among them, to match pins of other hashes than SHA-256 with; may be empty.
  public var anchorCertificates: [Certificate]
  /// The moment of the check, for certificates and for pin sets.
  public var time: Timestamp

  /// A platform with the given anchors.
  public init(anchors: TrustPolicy.Anchors, anchorCertificates: [Certificate], time: Timestamp) {
    self.anchors = anchors
    self.anchorCertificates = anchorCertificates
    self.time = time
  }
}

/// What a system demands of one server.
public struct HostRequirement: Sendable {
  /// How far pins are concerned.
  @nonexhaustive
  public enum Kind: String, Sendable, Hashable, Codable {
    /// No connection can succeed.
    case blocked
    /// Pins count.
    case pinned
    /// Pins are compared and failures reported, but the connection goes on.
    case reportOnly = "report-only"
    /// Only the chain counts.
    case unpinned
  }

  /// How far pins are concerned.
  public let kind: Kind
  /// The rule that led here, in words.
  public let reason: String
  /// One of these groups of policies must accept, all policies of the group.
  public let alternatives: [[TrustPolicy]]
  /// What must not be on the path.
  public let forbidden: [ConfiguredPin]
  /// The entries that apply.
  public let entries: [HostEntry]

  init(
    _ kind: Kind, _ reason: String, alternatives: [[TrustPolicy]] = [], forbidden: [ConfiguredPin] = [],
    entries: [HostEntry] = []
  ) {
    self.kind = kind
    self.reason = reason
    self.alternatives = alternatives
    self.forbidden = forbidden
    self.entries = entries
  }
}

/// Every format.
public enum PinConfigurationFormats {
  /// The formats in alphabetical order.
  public static let all: [any PinConfigurationFormat] = [
    AFNetworkingFormat(), AlamofireFormat(), AndroidFormat(), CurlFormat(), HPKPFormat(), NSPinnedDomainsFormat(),
    OkHttpFormat(), ReactNativeFormat(), SteelpinFormat(), TLSAFormat(), TrustKitFormat(), WultraFormat(),
  ]

  /// The format of a name; nil if there is none.
  public static func named(_ name: String) -> (any PinConfigurationFormat)? { all.first { $0.name == name } }

  /// Reads a file or folder in the format of a name, or in every format that recognises it.
  ///
  /// Throws ``ConfigurationError`` if it cannot be read in any.
  public static func read(
    _ source: ConfigurationSource, as format: (any PinConfigurationFormat)? = nil
  ) throws(ConfigurationError) -> [PinConfiguration] {
    if let format { return [try format.read(source)] }
    var configurations: [PinConfiguration] = []
    for format in all where format.recognizes(source) { configurations.append(try format.read(source)) }
    guard configurations.isEmpty else { return configurations }
    // A file that is cut off is told so rather than that it is unknown.
    if let text = source.text, let first = text.bytes.first(where: { $0 > 0x20 }) {
      if first == UInt8(ascii: "<") { _ = try XMLReader.document(text) }
      if first == UInt8(ascii: "{") || first == UInt8(ascii: "/") { _ = try JSON5Parser.document(text) }
    } else if source.entries == nil, !source.bytes.isEmpty {
      _ = try PropertyListReader.document(source)
    }
    guard source.entries == nil else {
      throw ConfigurationError(
        .formatUnknown, at: source.start, "the folder holds no certificate (.cer, .crt, .der) that an app would pin",
        hint: "name the files of configurations one by one")
    }
    throw ConfigurationError(
      .formatUnknown, at: source.start, "no format recognises it as a pin configuration",
      hint: "name the format: \(all.map(\.name).joined(separator: ", "))")
  }
}
