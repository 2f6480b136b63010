// SPDX-License-Identifier: Apache-2.0

/// What only the CA/Browser Forum asks of publicly trusted certificates.
extension CertificateRule {
  /// No wildcard for all names under which anybody may register.
  static let publicSuffixWildcard = CertificateRule(
    "no wildcard above a public suffix", clause: "CABF BR 3.2.2.6", codes: .nameNotPermitted, profiles: [.webPKI],
    each: .leaf
  ) { leaf, faults in
    for case .dns(let octets) in leaf.decoded.subjectAlternativeNames ?? [] where octets.starts(with: "*.".utf8) {
      guard PublicSuffix.contains(PresentedName.lowercased(octets.dropFirst(2)), section: .all) else { continue }
      faults.add(
        .nameNotPermitted,
        "\(String(decoding: octets, as: UTF8.self)) is a wildcard directly above a public suffix")
    }
  }

  /// A common name is at most one, and one of the alternative names in its own spelling.
  static let commonName = CertificateRule(
    "common name among the alternative names", clause: "CABF BR 7.1.4.3", codes: .nameMalformed, profiles: [.webPKI],
    each: .leaf, when: \.asksForPurpose
  ) { leaf, faults in
    let names = leaf.subject.values(of: .commonName)
    guard !names.isEmpty else { return }
    // Text is compared octet for octet: the forum wants a copy, character for character.
    let wanted = names.first?.text.map { Array($0.utf8) }
    let isPresented = (leaf.decoded.subjectAlternativeNames ?? []).contains { name in
      name.hostText.map { Array($0.utf8) } == wanted
    }
    guard names.count == 1, wanted != nil, isPresented else {
      faults.add(.nameMalformed, "the common name is not one of the names in subjectAltName")
      return
    }
  }

  /// subjectAltName is critical only if it stands for an empty subject, as RFC 5280 recommends and the forum insists.
  static let alternativeNameCritical = CertificateRule(
    "subjectAltName not critical beside a subject", clause: "RFC 5280 4.2.1.6, CABF BR 7.1.2.7.12",
    codes: .extensionMisplaced, profiles: .letter, each: .leaf
  ) { leaf, faults in
    guard !leaf.subject.isEmpty, leaf.firstExtension(.subjectAlternativeName)?.isCritical == true else { return }
    faults.add(.extensionMisplaced, "subjectAltName is critical although there is a subject")
  }

  /// extKeyUsage of the leaf is not critical.
  static let purposeNotCritical = CertificateRule(
    "extKeyUsage not critical", clause: "CABF BR 7.1.2.7.6", codes: .extensionMisplaced, profiles: [.webPKI],
    each: .leaf
  ) { leaf, faults in
    if leaf.firstExtension(.extendedKeyUsage)?.isCritical == true {
      faults.add(.extensionMisplaced, "extKeyUsage is critical")
    }
  }

  /// A root is not restricted to purposes.
  static let rootPurpose = CertificateRule(
    "no extKeyUsage in a root", clause: "CABF BR 7.1.2.1.2", codes: .extensionMisplaced, profiles: [.webPKI],
    concerning: { !$1 && $0.firstExtension(.extendedKeyUsage) != nil }
  ) { path, _, findings in
    let depth = path.certificates.count - 1
    guard depth > 0, let anchor = path.anchor, anchor.isSelfIssued, anchor.firstExtension(.extendedKeyUsage) != nil
    else { return }
    findings.append(Finding(.extensionMisplaced, depth: depth, detail: "the root has extKeyUsage"))
  }

  /// A leaf is valid no longer than was allowed when it was issued. The period includes its last second.
  static let publicValidityLength = CertificateRule(
    "validity length", clause: "CABF BR 6.3.2", codes: .validityTooLong, profiles: [.webPKI], each: .leaf
  ) { leaf, faults in
    guard let notBefore = leaf.validity.notBefore, let notAfter = leaf.validity.notAfter,
      let limit = PublicLifetime.limit(issued: notBefore), notAfter >= limit
    else { return }
    let days = notAfter.seconds(since: notBefore) / 86400 + 1
    faults.add(.validityTooLong, "valid for \(days) days; issued on \(notBefore) it must end before \(limit)")
  }
}

/// The longest validity that the CA/Browser Forum has allowed over the years.
private enum PublicLifetime {
  /// The first moment at which a certificate issued at a moment may no longer be valid; nil before there was a limit.
  static func limit(issued: Timestamp) -> Timestamp? {
    if let days = days.last(where: { $0.since <= issued.secondsSince1970 })?.days {
      return issued.advanced(byDays: days)
    }
    guard let months = months.last(where: { $0.since <= issued.secondsSince1970 })?.months else { return nil }
    return advance(issued, byMonths: months)
  }

  /// In months: ballot of 2012, and of 2015.
  private static let months: [(since: Int64, months: Int)] = [
    (1_341_100_800, 60),  // 2012-07-01
    (1_427_846_400, 39),  // 2015-04-01
  ]

  /// In days: ballots 193, SC31 and SC81.
  private static let days: [(since: Int64, days: Int64)] = [
    (1_519_862_400, 825),  // 2018-03-01
    (1_598_918_400, 398),  // 2020-09-01
    (1_773_532_800, 200),  // 2026-03-15
    (1_805_068_800, 100),  // 2027-03-15
    (1_868_227_200, 47),  // 2029-03-15
  ]

  private static func advance(_ time: Timestamp, byMonths count: Int) -> Timestamp? {
    let start = time.calendar
    let months = start.year * 12 + start.month - 1 + count
    for day in (28...31).reversed() where day <= start.day || day == 28 {
      let moment = Timestamp(
        year: months / 12, month: months % 12 + 1, day: min(day, start.day), hour: start.hour, minute: start.minute,
        second: start.second)
      if let moment { return moment.advanced(by: 1) }
    }
    return nil
  }
}
