// SPDX-License-Identifier: Apache-2.0
package import Steelpin

/// Certificates in words, for comments and for files of text.
package enum CertificateDescription {
  /// A short name: the common name, else the first DNS name, else the whole subject; safe to show.
  package static func name(of certificate: Certificate) -> String {
    var name = certificate.subject.commonName
    if name == nil, case .dns(let host)? = certificate.decoded.subjectAlternativeNames?.first {
      name = String(decoding: host, as: UTF8.self)
    }
    return PrintableText.escape(name ?? "\(certificate.subject)")
  }

  /// A short name of the issuer, safe to show.
  package static func issuerName(of certificate: Certificate) -> String {
    PrintableText.escape(certificate.issuer.commonName ?? "\(certificate.issuer)")
  }

  /// A part of a file name: letters, digits, hyphens and dots of a short name, at most 60.
  static func fileName(_ name: String) -> String {
    var result: [UInt8] = []
    for octet in name.lowercased().utf8 {
      guard result.count < 60 else { break }
      switch octet {
      case 0x30...0x39, 0x61...0x7A: result.append(octet)
      case UInt8(ascii: ".") where !result.isEmpty: result.append(octet)
      default: if !result.isEmpty, result.last != UInt8(ascii: "-") { result.append(UInt8(ascii: "-")) }
      }
    }
    while result.last == UInt8(ascii: "-") || result.last == UInt8(ascii: ".") { result.removeLast() }
    return result.isEmpty ? "certificate" : String(decoding: result, as: UTF8.self)
  }

  /// Several lines in UTF-8 that end with a line break.
  package static func bytes(of certificate: Certificate) -> [UInt8] {
    let decoded = certificate.decoded
    var text: [UInt8] = []
    text.reserveCapacity(1024)
    func line(_ label: String, _ value: String) {
      text += label.utf8
      text += value.utf8
      text.append(10)
    }
    line("subject:     ", PrintableText.escape(certificate.subject.description))
    line("issuer:      ", PrintableText.escape(certificate.issuer.description))
    line("serial:      ", Hex.fingerprint(certificate.serialNumber))
    line("not before:  ", certificate.validity.notBefore?.description ?? "unreadable")
    line("not after:   ", certificate.validity.notAfter?.description ?? "unreadable")
    line("key:         ", certificate.publicKey.kind.description)
    let names = (decoded.subjectAlternativeNames ?? []).compactMap { name -> String? in
      switch name {
      case .dns(let host): PrintableText.escape(String(decoding: host, as: UTF8.self))
      case .ip(let address): "IP " + Hex.encode(address)
      default: nil
      }
    }
    if !names.isEmpty { line("names:       ", names.joined(separator: ", ")) }
    if let constraints = decoded.basicConstraints { line("authority:   ", constraints.isCA ? "yes" : "no") }
    line("sha-256:     ", Hex.fingerprint(certificate.sha256.octets))
    line("pin:         ", Pin(.publicKey, of: certificate).description)
    return text
  }
}

extension DecodedExtensions {
  /// Where the issuer's certificate can be had (RFC 5280 4.2.2.1), safe to show.
  package var issuerAddresses: [String] {
    (authorityInformationAccess ?? []).compactMap { access in
      guard access.method == .caIssuers, case .uri(let address) = access.location else { return nil }
      return PrintableText.escape(String(decoding: address, as: UTF8.self))
    }
  }
}
