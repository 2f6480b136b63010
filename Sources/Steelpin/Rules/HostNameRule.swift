// SPDX-License-Identifier: Apache-2.0

extension CertificateRule {
  /// The leaf presents the host in its subjectAltName.
  static let hostName = CertificateRule(
    "host name", clause: "RFC 9525 6", codes: .hostMissing, .hostMismatch, profiles: .every,
    concerning: { _, isLeaf in isLeaf }
  ) { path, context, findings in
    guard context.domain == .ssl, let leaf = path.certificates.first else { return }
    guard let host = context.host else {
      findings.append(Finding(.hostMissing, detail: "the policy checks the host, but no host was given"))
      return
    }
    let names = leaf.decoded.subjectAlternativeNames ?? []
    guard !HostNameMatcher.matches(host, names) else { return }
    #if STEELPIN_MUTATIONS
      if Mutation.commonName.isOn, names.isEmpty, leaf.subject.commonName == "\(host)" { return }
    #endif
    findings.append(Finding(.hostMismatch, depth: 0, detail: mismatch(host, leaf, names)))
  }

  private static func mismatch(_ host: HostName, _ leaf: Certificate, _ names: [GeneralName]) -> String {
    let shown = names.compactMap(\.hostText).map { $0.isEmpty ? "an empty name" : $0 }
    guard !shown.isEmpty else {
      let commonName = leaf.subject.commonName.map { "; the common name '\($0)' does not count" } ?? ""
      return "the certificate names no host in its subjectAltName\(commonName)"
    }
    let list = shown.prefix(8).joined(separator: ", ") + (shown.count > 8 ? ", and \(shown.count - 8) more" : "")
    return "the certificate is for \(list), not for \(host)"
  }
}

extension GeneralName {
  /// A DNS name or an address for people to read; nil for other kinds.
  package var hostText: String? {
    switch self {
    case .dns(let octets): String(decoding: octets, as: UTF8.self)
    case .ip(let octets) where octets.count == 4: HostName.ipv4(Array(octets)).description
    case .ip(let octets) where octets.count == 16: HostName.ipv6(Array(octets)).description
    default: nil
    }
  }
}
