// SPDX-License-Identifier: Apache-2.0
internal import Steelpin

/// Mistakes in the pins of one entry that can be seen without a chain.
enum PinLint {
  static func run(_ entry: HostEntry, time: Timestamp, _ report: inout LintReport) {
    guard !entry.isExcluded else { return }
    var seen = Set<Key>()
    for pin in entry.pins {
      value(pin, &report)
      guard pin.value != .malformed else { continue }
      if !seen.insert(Key(value: pin.value, scope: pin.scope, usage: pin.usage)).inserted {
        report.add(
          .pinDuplicate, .warning, at: pin.position, "the pin '\(pin.text)' stands twice in this entry",
          hint: "remove one; a pin that stands twice is no backup")
      }
    }
    lists(entry, &report)
    if entry.enforcement == .reportOnly, report.format.capabilities.reportOnly {
      report.add(
        .reportOnly, .note, at: entry.position, "failures for '\(entry.text)' are reported only, nothing is enforced",
        hint: "enforce the pins once the reports are quiet")
    }
  }

  private struct Key: Hashable {
    let value: ConfiguredPin.Value
    let scope: TrustPolicy.PinScope
    let usage: TLSAUsage?
  }

  private static func value(_ pin: ConfiguredPin, _ report: inout LintReport) {
    guard case .sha256(let known) = pin.value else { return }
    if known.digest == hashOfNothing {
      report.add(
        .pinHashOfNothing, .error, at: pin.position,
        "the pin is the SHA-256 of nothing: the command that should have hashed the key got no input",
        hint: "'steelpin pin show HOST' prints the right pin")
    } else if known.digest.octets.allSatisfy({ $0 == 0 }) {
      report.add(
        .pinAllZero, .error, at: pin.position, "the pin is all zero, as in an example",
        hint: "'steelpin pin show HOST' prints the right pin")
    }
  }

  private static func lists(_ entry: HostEntry, _ report: inout LintReport) {
    if report.format.name == "nspinned" {
      for scope in [TrustPolicy.PinScope.leaf, .issuers] where entry.lists.contains(scope) {
        let pins = entry.pins.filter { $0.scope == scope }
        let name = scope == .leaf ? "NSPinnedLeafIdentities" : "NSPinnedCAIdentities"
        if pins.isEmpty {
          report.add(
            .pinListEmpty, .error, at: entry.position,
            "\(name) of '\(entry.text)' is empty, which blocks every connection there",
            hint: "remove the key, or add a pin")
        } else {
          single(pins, entry, of: " in \(name)", &report)
        }
      }
      if entry.lists.isEmpty {
        report.add(
          .pinListEmpty, .warning, at: entry.position, "'\(entry.text)' has no list of pins, so nothing is pinned",
          hint: "add NSPinnedCAIdentities or NSPinnedLeafIdentities")
      }
      return
    }
    guard !entry.pins.isEmpty else {
      // Who has no pin set at all speaks of other things, as a domain-config with anchors only.
      if entry.lists.isEmpty && report.format.name != "steelpin" || entry.isExcluded { return }
      let meaning =
        switch report.format.name {
        case "android", "okhttp", "steelpin": "nothing is pinned there"
        default: "nothing can meet it"
        }
      report.add(
        .pinListEmpty, .warning, at: entry.position, "'\(entry.text)' has no pins: \(meaning)",
        hint: "add pins, or remove it")
      return
    }
    // Wultra's backups are entries of their own; usage 2 and 3 of DANE roll over in the zone.
    if !["wultra", "tlsa"].contains(report.format.name) { single(entry.pins, entry, of: "", &report) }
  }

  private static func single(_ pins: [ConfiguredPin], _ entry: HostEntry, of list: String, _ report: inout LintReport) {
    guard Set(pins.compactMap(\.pin)).count == 1, pins.allSatisfy({ $0.pin != nil }) else { return }
    report.add(
      .pinSingle, .warning, at: pins.first?.position ?? entry.position,
      "'\(entry.text)' has a single pin\(list): when its key is lost or replaced, nobody connects",
      hint: "add the pin of a backup key; 'steelpin pin backup' makes one")
  }

  private static let hashOfNothing = SHA256Digest(of: [])
}
