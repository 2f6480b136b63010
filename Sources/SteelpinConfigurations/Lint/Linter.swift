// SPDX-License-Identifier: Apache-2.0
public import Steelpin

/// Looks for mistakes in pin configurations, offline.
public struct Linter: Sendable {
  /// The moment at which expiry is judged.
  public var time: Timestamp
  /// How many days before its end a set of pins is reported.
  public var soonDays: Int64
  /// The path or chain that the servers have now, leaf first; nil if it is not known.
  public var chain: [Certificate]?
  /// Keys that the owner holds, by their pins: what makes a backup pin more than a claim; nil if none were given.
  public var heldKeys: Set<Pin>?

  /// A linter with the given clock.
  public init(time: Timestamp, soonDays: Int64 = 30, chain: [Certificate]? = nil, heldKeys: Set<Pin>? = nil) {
    self.time = time
    self.soonDays = soonDays
    self.chain = chain
    self.heldKeys = heldKeys
  }

  /// Everything found in a configuration, those of the reader included, in the order of the file, each once.
  public func findings(in configuration: PinConfiguration) -> [LintFinding] {
    guard let format = PinConfigurationFormats.named(configuration.format) else { return configuration.findings }
    var report = LintReport(configuration: configuration, format: format)
    HostLint.run(&report)
    for entry in configuration.entries {
      PinLint.run(entry, time: time, &report)
      ExpiryLint.run(entry, time: time, soonDays: soonDays, &report)
      if let chain, !chain.isEmpty { ChainLint.run(entry, chain: chain, heldKeys: heldKeys, &report) }
    }
    return report.sorted
  }
}

/// The findings of one run.
struct LintReport {
  let configuration: PinConfiguration
  let format: any PinConfigurationFormat
  private var findings: [LintFinding]
  private var seen = Set<LintFinding>()

  init(configuration: PinConfiguration, format: any PinConfigurationFormat) {
    self.configuration = configuration
    self.format = format
    self.findings = []
    for finding in configuration.findings { add(finding) }
  }

  /// Adds a finding; several hosts that share a pin set have its findings once.
  mutating func add(_ finding: LintFinding) {
    if seen.insert(finding).inserted { findings.append(finding) }
  }

  mutating func add(
    _ code: LintCode, _ severity: LintFinding.Severity, at position: SourcePosition?, _ message: String, hint: String
  ) {
    let start = SourcePosition(file: configuration.file, line: 1, column: 1)
    add(LintFinding(code, severity, at: position ?? start, message, hint: hint))
  }

  var sorted: [LintFinding] {
    findings.enumerated().sorted { left, right in
      left.element.position == right.element.position
        ? left.offset < right.offset : left.element.position < right.element.position
    }.map(\.element)
  }
}

/// Mistakes in the hosts of a configuration.
enum HostLint {
  /// The first mistake in the hosts for which the platform would refuse the configuration, or take it otherwise than it is
  /// written; nil if there is none.
  static func obstacle(of configuration: PinConfiguration) -> LintFinding? {
    guard let format = PinConfigurationFormats.named(configuration.format) else { return nil }
    // TrustKit raises an exception for the other two as well (parse_configuration.m).
    let codes: Set<LintCode> =
      format.name == "trustkit" ? [.exclusionWithoutParent, .hostDuplicate, .hostPublicSuffix] : [.hostDuplicate]
    var report = LintReport(configuration: configuration, format: format)
    run(&report)
    return report.sorted.first { $0.severity == .error && codes.contains($0.code) }
  }

  static func run(_ report: inout LintReport) {
    var seen: [String: SourcePosition?] = [:]
    var parents = Set<String>()
    for entry in report.configuration.entries where entry.pattern.subdomains == .anyDepth && !entry.isExcluded {
      if let name = entry.pattern.name { parents.insert(name) }
    }
    for entry in report.configuration.entries {
      guard let name = entry.pattern.name else { continue }
      let key = "\(entry.pattern) \(entry.port ?? 0)"
      // OkHttp takes a pattern as often as it is added, curl is run as often as there are lines, and Wultra's entries
      // for one name are its backups.
      let mayRepeat = ["curl", "okhttp", "wultra"].contains(report.format.name)
      if seen.updateValue(entry.position, forKey: key) != nil, !mayRepeat {
        report.add(
          .hostDuplicate, .error, at: entry.position, "'\(entry.text)' has an entry already", hint: "merge the two")
      }
      publicSuffix(entry, name, &report)
      if entry.isExcluded, !hasParent(name, in: parents) {
        report.add(
          .exclusionWithoutParent, .error, at: entry.position,
          "'\(entry.text)' is excluded, but no entry above it has subdomains, so there is nothing to be excluded from",
          hint: "remove it, or mend the entry of its parent")
      }
    }
  }

  private static func publicSuffix(_ entry: HostEntry, _ name: String, _ report: inout LintReport) {
    guard (try? HostName(name))?.isIPAddress == false, PublicSuffix.contains(Array(name.utf8)) else { return }
    let isSingle = !name.contains(".")
    // A single label is a name of a network of one's own, as localhost is, unless it is a registry's and others are
    // meant below it.
    guard !isSingle || entry.pattern.subdomains != .none && PublicSuffix.isListed(Array(name.utf8)) else { return }
    report.add(
      .hostPublicSuffix, entry.pattern.subdomains == .none ? .warning : .error, at: entry.position,
      "'\(entry.text)' is a public suffix: the names below it belong to others", hint: "name your own domain")
  }

  private static func hasParent(_ name: String, in parents: Set<String>) -> Bool {
    var rest = name[...]
    while let dot = rest.firstIndex(of: ".") {
      rest = rest[rest.index(after: dot)...]
      if parents.contains(String(rest)) { return true }
    }
    return false
  }
}

/// Mistakes in when pins end.
enum ExpiryLint {
  static func run(_ entry: HostEntry, time: Timestamp, soonDays: Int64, _ report: inout LintReport) {
    guard let expiry = entry.expiry, let end = expiry.time, !entry.pins.isEmpty else { return }
    let consequence =
      switch report.format.name {
      case "android": "Android then stops to enforce them without a word (MASTG-TEST-0243)"
      case "trustkit": "TrustKit then stops to enforce them without a word"
      case "react-native": "the app then stops to enforce them without a word"
      case "hpkp": "clients then forget them"
      default: "nothing connects then"
      }
    if end <= time {
      report.add(
        .pinSetExpired, .error, at: expiry.position ?? entry.position,
        "the pins expired on \(expiry.text): \(consequence)",
        hint: "renew the pins and move the date")
    } else if end < time.advanced(byDays: soonDays) {
      let days = (end.seconds(since: time)) / 86400
      report.add(
        .pinSetExpiresSoon, .warning, at: expiry.position ?? entry.position,
        "the pins expire in \(days) days, on \(expiry.text): \(consequence)",
        hint: "release an app with a later date before that day")
    }
  }
}
