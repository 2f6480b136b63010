// SPDX-License-Identifier: Apache-2.0
internal import Steelpin

/// Mistakes in the pins of one entry that the chain of the server shows.
enum ChainLint {
  static func run(_ entry: HostEntry, chain: [Certificate], heldKeys: Set<Pin>?, _ report: inout LintReport) {
    guard !entry.isExcluded, !entry.pins.isEmpty else { return }
    var inChain: [(pin: ConfiguredPin, depth: Int)] = []
    var outside: [ConfiguredPin] = []
    for pin in entry.pins where pin.value != .malformed {
      if let depth = chain.firstIndex(where: pin.matches) {
        inChain.append((pin, depth))
        if pin.isBackup {
          report.add(
            .backupInChain, .error, at: pin.position,
            "the backup pin '\(pin.name ?? pin.text)' is in the chain that the server has now, so it is no backup",
            hint: "pin a key that is not in use; 'steelpin pin backup' makes one")
        }
      } else if let depth = certificateHash(pin, chain) {
        report.add(
          .pinIsCertificateHash, .error, at: pin.position,
          "the pin is the fingerprint of the certificate at depth \(depth), where the hash of its key is wanted",
          hint: "write \(Pin(.publicKey, of: chain[depth]))")
      } else {
        outside.append(pin)
      }
    }
    guard entry.pattern.name == nil || isFor(entry, chain) else { return }
    if inChain.isEmpty {
      report.add(
        .pinNotInChain, .error, at: entry.pins.first?.position ?? entry.position,
        "no pin of '\(entry.text)' is in the chain that the server has now",
        hint: "'steelpin check --config' says what each client does; 'steelpin pin show HOST' prints the pins")
    }
    if outside.isEmpty, entry.pins.count > 1, !inChain.isEmpty {
      report.add(
        .pinNoBackup, .warning, at: entry.position,
        "every pin of '\(entry.text)' is in the chain that the server has now: there is no backup",
        hint: "add the pin of a key that is not in use; 'steelpin pin backup' makes one")
    }
    if let heldKeys {
      for pin in outside where pin.pin.map({ !heldKeys.contains($0) }) == true {
        report.add(
          .pinNoBackup, .warning, at: pin.position,
          "the pin '\(pin.name ?? pin.text)' belongs to no key or request that you hold, so nothing proves it a backup",
          hint: "give its key or request with --held, or replace the pin")
      }
    }
    if outside.isEmpty, inChain.count > 1, inChain.allSatisfy({ $0.depth > 0 }) {
      report.add(
        .pinsOnOneCA, .warning, at: entry.position, "all pins of '\(entry.text)' are keys of one chain of CAs",
        hint: "add the pin of another CA or of a key of your own")
    }
    shortLived(entry, inChain, outside, chain, &report)
  }

  /// A certificate hash is a mistake only where the format wants the hash of a key.
  private static func certificateHash(_ pin: ConfiguredPin, _ chain: [Certificate]) -> Int? {
    guard case .sha256(let known) = pin.value, known.subject == .publicKey else { return nil }
    return chain.firstIndex { $0.sha256 == known.digest }
  }

  private static func isFor(_ entry: HostEntry, _ chain: [Certificate]) -> Bool {
    guard let name = entry.pattern.name, let leaf = chain.first, let host = try? HostName(name) else { return true }
    let names = leaf.decoded.subjectAlternativeNames ?? []
    if HostNameMatcher.matches(host, names) { return true }
    guard entry.pattern.subdomains != .none else { return false }
    return names.contains { presented in
      guard case .dns(let octets) = presented else { return false }
      return String(decoding: octets, as: UTF8.self).lowercased().hasSuffix("." + name)
    }
  }

  private static func shortLived(
    _ entry: HostEntry, _ inChain: [(pin: ConfiguredPin, depth: Int)], _ outside: [ConfiguredPin],
    _ chain: [Certificate],
    _ report: inout LintReport
  ) {
    guard let leaf = chain.first, let first = inChain.first, inChain.allSatisfy({ $0.depth == 0 }),
      let begin = leaf.validity.notBefore, let end = leaf.validity.notAfter
    else { return }
    let days = (end.seconds(since: begin)) / 86400
    guard days <= 200 else { return }
    report.add(
      .leafPinShortLived, .warning, at: first.pin.position,
      "only the leaf's key is pinned, and its certificate is renewed every \(days) days; renewal with a new key breaks the pin",
      hint: "renew with the same key, keep a backup pin, or pin an issuer too")
  }
}
