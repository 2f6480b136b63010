// SPDX-License-Identifier: Apache-2.0
internal import Steelpin

/// Something that a configuration says and another format cannot.
public struct ConversionLoss: Sendable, Hashable {
  /// The kinds of loss.
  @nonexhaustive
  public enum Code: String, Sendable, Hashable, Codable, CaseIterable {
    /// Anchors.
    case anchors
    /// The hash of a certificate.
    case certificateHash = "certificate-hash"
    /// The end of the pins.
    case expiry
    /// A host that is excluded.
    case exclusion
    /// Keys that must not be on the path.
    case forbidden
    /// A host.
    case host
    /// Which pins must be met at a host.
    case hostDemand = "host-demand"
    /// A pin that is none.
    case malformed
    /// The name or comment of a pin.
    case name
    /// A pin of another algorithm.
    case pinAlgorithm = "pin-algorithm"
    /// A second pin, without which the other format does not take the first.
    case pinsTooFew = "pins-too-few"
    /// The port that an entry is for.
    case port
    /// The hash of a key.
    case publicKeyHash = "public-key-hash"
    /// That pins are only reported.
    case reportOnly = "report-only"
    /// Where failures are reported.
    case reportURI = "report-uri"
    /// Where on the path a pin may be met.
    case scope
    /// How far below a host an entry reaches.
    case subdomains
    /// What becomes of hosts without an entry.
    case unknownHosts = "unknown-hosts"
  }

  /// What kind of loss.
  public let code: Code
  /// Where the lost part stands; nil if it was made, not read.
  public let position: SourcePosition?
  /// What is lost and what comes of it.
  public let message: String
}

/// What one format says and another has no words for.
enum LossReport {
  /// What is lost of a configuration in a format, in the order of the file.
  static func losses(of configuration: PinConfiguration, to format: any PinConfigurationFormat) -> [ConversionLoss] {
    var losses = configuration.entries.flatMap { Self.losses(of: $0, to: format, from: configuration.format) }
    if format.name == "hpkp" {
      for entry in configuration.entries.filter({ !$0.isExcluded }).dropFirst() {
        losses.append(
          ConversionLoss(
            code: .host, position: entry.position,
            message: "'\(entry.text)' is left out: a field is for the one host that sends it"))
      }
    }
    if configuration.anchors != nil {
      let loss = ConversionLoss(
        code: .anchors, position: configuration.anchors?.first?.position,
        message: "the anchors of all hosts are not carried over")
      if format.name != "steelpin" { losses.append(loss) }
    }
    if configuration.refusesUnknownHosts, format.name != "steelpin" {
      losses.append(unknownHosts)
    }
    return losses
  }

  /// Hosts without an entry were refused.
  static let unknownHosts = ConversionLoss(
    code: .unknownHosts, position: nil, message: "hosts without an entry are refused no longer")

  /// What is lost of one entry.
  static func losses(
    of entry: HostEntry, to format: any PinConfigurationFormat, from source: String
  ) -> [ConversionLoss] {
    let target = format.capabilities
    var losses: [ConversionLoss] = []
    func lose(_ code: ConversionLoss.Code, _ message: String, at position: SourcePosition? = nil) {
      losses.append(ConversionLoss(code: code, position: position ?? entry.position, message: message))
    }
    let host = entry.text
    if entry.pattern.name == nil, target.hosts {
      lose(.host, "the entry is for no host by name, so it is left out")
    }
    if entry.isExcluded {
      if !target.exclusion { lose(.exclusion, "'\(host)' is no longer excluded: the pins of its parent count there") }
      return losses
    }
    if entry.pattern.subdomains != .none, entry.pattern.name != nil || !target.hosts,
      !target.subdomains.contains(entry.pattern.subdomains)
    {
      let kept: String =
        target.subdomains == [.none]
        ? "pins count for the name only"
        : target.subdomains.contains(.anyDepth) ? "pins count at any depth" : "pins count for one label only"
      lose(.subdomains, "'\(host)' is for \(entry.pattern.description): \(kept)")
    }
    if !entry.pattern.includesName, !target.subdomainsAlone {
      lose(.subdomains, "'\(host)' is for names below only, and the name itself is pinned too")
    }
    if entry.expiry?.time != nil, !target.expiry {
      lose(.expiry, "the pins of '\(host)' no longer expire", at: entry.expiry?.position)
    }
    if let time = entry.expiry?.time, target.expiry, format.name != "steelpin", time.secondsSince1970 % 86400 != 0 {
      lose(.expiry, "the time of day is cut off the end of the pins of '\(host)'", at: entry.expiry?.position)
    }
    if entry.expiry != nil, target.expiry,
      let own = PinConfigurationFormats.named(source)?.capabilities.refusesExpired, own != target.refusesExpired
    {
      lose(
        .expiry, "'\(host)' \(own ? "is pinned no longer" : "refuses every server") once its pins have expired",
        at: entry.expiry?.position)
    }
    if let expiry = entry.expiry, format.name == "android", source != "android" {
      lose(.expiry, "the pins of '\(host)' end at midnight of the device's time zone, not of UTC", at: expiry.position)
    }
    if entry.enforcement == .reportOnly, !target.reportOnly {
      lose(.reportOnly, "the pins of '\(host)' are enforced, not reported only")
    }
    if !entry.reportURIs.isEmpty, !target.reportURIs {
      lose(.reportURI, "the report addresses of '\(host)' are dropped")
    }
    if entry.port != nil, !target.ports, format.name != "curl" { lose(.port, "'\(host)' is pinned on every port") }
    if entry.anchors != nil, !target.anchors { lose(.anchors, "the anchors of '\(host)' are dropped") }
    if !entry.forbidden.isEmpty, !target.forbidden { lose(.forbidden, "the forbidden keys of '\(host)' are dropped") }
    losses += pinLosses(of: entry, to: format)
    return losses
  }

  private static func pinLosses(of entry: HostEntry, to format: any PinConfigurationFormat) -> [ConversionLoss] {
    let target = format.capabilities
    var losses: [ConversionLoss] = []
    for pin in entry.pins {
      func lose(_ code: ConversionLoss.Code, _ message: String) {
        losses.append(ConversionLoss(code: code, position: pin.position ?? entry.position, message: message))
      }
      switch pin.value {
      case .malformed: lose(.malformed, "'\(pin.text)' is no pin and is left out")
      case .digest(let algorithm, _, _):
        if !(algorithm == .sha512 ? target.sha512 : target.sha1) {
          lose(.pinAlgorithm, "the \(algorithm.rawValue) pin '\(pin.text)' is left out")
        }
      case .sha256, .whole:
        if pin.pin?.subject == .certificate, !target.certificateHashes {
          lose(.certificateHash, "'\(pin.text)' is the hash of a certificate and is left out")
        }
        if pin.pin?.subject == .publicKey, !target.publicKeyHashes {
          lose(.publicKeyHash, "'\(pin.text)' is the hash of a key and is left out")
        }
      }
      if !target.scopes.contains(pin.scope) {
        let now: String =
          target.scopes == [.leaf]
          ? "the leaf alone" : target.scopes.contains(.any) ? "any certificate" : "issuers alone"
        let what = pin.scope == .any ? "any certificate" : pin.scope == .leaf ? "the leaf alone" : "issuers alone"
        let isLeftOut = format.name == "curl" && pin.scope == .issuers
        let end =
          if format.name == "tlsa" {
            "has two records: usage 3 for the leaf, whatever its chain says, and usage 2 for an issuer that is sent"
          } else {
            isLeftOut ? "is left out" : "would be for \(now)"
          }
        lose(.scope, "'\(pin.text)' is for \(what), and \(end)")
      }
      if !target.names, pin.name != nil || pin.comment != nil || pin.isBackup {
        lose(.name, "name, comment and role of '\(pin.text)' are dropped")
      }
    }
    let kept = Set(entry.pins.compactMap(\.pin)).count
    if entry.enforcement == .enforce, kept < target.minimumPins, !entry.pins.isEmpty {
      losses.append(
        ConversionLoss(
          code: .pinsTooFew, position: entry.position,
          message: "'\(entry.text)' has \(kept) pins, and \(format.name) refuses fewer than \(target.minimumPins)"))
    }
    return losses
  }
}
