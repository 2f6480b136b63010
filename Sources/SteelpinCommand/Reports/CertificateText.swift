// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinReports

/// Lines about one certificate.
enum CertificateText {
  /// Everything, a field a line; `title` says which certificate it is.
  static func full(_ certificate: Certificate, title: String, now: Timestamp) -> [[Span]] {
    var lines: [[Span]] = [[.bold(title), .plain("  \(subject(certificate))")]]
    for (label, values) in fields(certificate, now: now) {
      for (index, value) in values.enumerated() {
        lines.append([.dim("   " + pad(index == 0 ? label : "")), .plain(value)])
      }
    }
    let (text, style) = validity(certificate, now: now)
    lines.insert([.dim("   " + pad("valid")), Span(text: text, style: style)], at: 2)
    for note in CertificateNames.notes(certificate) { lines.append([.dim("   " + pad("note")), .plain(note)]) }
    return lines
  }

  private static func fields(_ certificate: Certificate, now: Timestamp) -> [(label: String, values: [String])] {
    let decoded = certificate.decoded
    var fields: [(label: String, values: [String])] = [("issuer", ["\(certificate.issuer)"])]
    if let names = decoded.subjectAlternativeNames { fields.append(("names", wrap(names.map(CertificateNames.text)))) }
    fields.append(("key", ["\(certificate.publicKey.kind)"]))
    fields.append(("signature", [CertificateNames.signature(certificate.signatureAlgorithm)]))
    if let usage = usage(decoded) { fields.append(("usage", [usage])) }
    if let constraints = decoded.nameConstraints {
      if !constraints.permitted.isEmpty { fields.append(("permits", wrap(constraints.permitted.map(subtree)))) }
      if !constraints.excluded.isEmpty { fields.append(("excludes", wrap(constraints.excluded.map(subtree)))) }
    }
    fields.append(("serial", [Hex.encode(certificate.serialNumber)]))
    if let identifier = decoded.subjectKeyIdentifier { fields.append(("key id", [Hex.encode(identifier)])) }
    if let identifier = decoded.authorityKeyIdentifier?.keyIdentifier {
      fields.append(("issuer id", [Hex.encode(identifier)]))
    }
    fields.append(("SHA-256", [certificate.sha256.hex]))
    fields.append(("pin", [Pin(.publicKey, of: certificate).description]))
    return fields
  }

  private static func usage(_ decoded: DecodedExtensions) -> String? {
    var words: [String] = []
    if let constraints = decoded.basicConstraints, constraints.isCA {
      words.append("CA" + (constraints.pathLength.map { " (path length \($0))" } ?? ""))
    }
    if let usage = decoded.keyUsage { words += CertificateNames.usages(usage) }
    if let purposes = decoded.extendedKeyUsage { words += purposes.map(CertificateNames.purpose) }
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }

  /// A subtree of name constraints: an address has its mask behind it (RFC 5280 4.2.1.10).
  private static func subtree(_ name: GeneralName) -> String {
    guard case .ip(let octets) = name, octets.count == 8 || octets.count == 32 else {
      return CertificateNames.text(name)
    }
    let half = octets.count / 2
    let parts = [octets.prefix(half), octets.suffix(half)].map { GeneralName.ip($0).hostText ?? Hex.encode($0) }
    return "IP:" + parts.joined(separator: "/")
  }

  /// The subject, or a word for its absence.
  static func subject(_ certificate: Certificate) -> String {
    certificate.subject.isEmpty ? "(no subject)" : "\(certificate.subject)"
  }

  /// The shortest name that a person recognises: the common name, else the subject.
  static func shortName(_ certificate: Certificate) -> String {
    certificate.subject.commonName.map { "CN=\($0)" } ?? subject(certificate)
  }

  /// The period with the days that are left.
  static func validity(_ certificate: Certificate, now: Timestamp) -> (text: String, style: Span.Style) {
    let validity = certificate.validity
    guard let notBefore = validity.notBefore, let notAfter = validity.notAfter else {
      return ("a date cannot be read", .bad)
    }
    let period = "\(notBefore) to \(notAfter)"
    if now < notBefore { return ("\(period), not valid for another \(days(from: now, to: notBefore))", .bad) }
    if now > notAfter { return ("\(period), expired \(days(from: notAfter, to: now)) ago", .bad) }
    let left = notAfter.seconds(since: now)
    return ("\(period), \(days(from: now, to: notAfter)) left", left < 14 * 86400 ? .warning : .plain)
  }

  private static func days(from start: Timestamp, to end: Timestamp) -> String {
    let days = (end.seconds(since: start)) / 86400
    return days == 1 ? "1 day" : "\(days) days"
  }

  private static func pad(_ label: String) -> String { Span.plain(label).padded(to: 11).text }

  /// Puts names on lines of about 100 characters.
  private static func wrap(_ names: [String]) -> [String] {
    var lines: [String] = []
    for name in names {
      if let last = lines.last, last.count + name.count < 96 {
        lines[lines.count - 1] = "\(last), \(name)"
      } else {
        lines.append(name)
      }
    }
    return lines
  }
}
