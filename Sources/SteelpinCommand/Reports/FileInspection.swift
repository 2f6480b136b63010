// SPDX-License-Identifier: Apache-2.0
internal import Steelpin
internal import SteelpinFormats
internal import SteelpinReports

/// What one operand of `inspect` turned out to be.
struct Inspection: Sendable {
  let status: ExitCode
  let lines: [[Span]]
  let json: JSONValue
}

/// The path that the names of a file's certificates suggest; no signature was checked.
struct SuggestedPath: Sendable {
  /// Whose anchor the last certificate is.
  enum End: String, Sendable {
    case given
    case system
    case unknown
  }

  let certificates: [Certificate]
  let end: End

  /// What is at its end, in words; empty for nothing worth saying.
  var ending: String {
    switch end {
    case .given: ", up to a given anchor"
    case .system: ", up to an anchor of the system"
    case .unknown: ", up to no known anchor"
    }
  }
}

extension Inspection {
  /// What a file holds.
  init(file: LoadedFile, path: SuggestedPath, now: Timestamp) {
    let certificates = file.certificates.map(\.certificate)
    var lines: [[Span]] = [[.bold(file.name), .plain("  \(Self.summary(of: file))")]]
    for (index, certificate) in certificates.enumerated() {
      lines += CertificateText.full(certificate, title: "  \(index)", now: now)
    }
    for item in file.others {
      let pin = item.publicKey.map { "  \(Pin(.publicKey, $0.sha256))  \($0.kind)" } ?? ""
      lines.append([.bold("  -"), .plain("  \(item.kind.phrase)\(pin)")])
    }
    lines += Self.built(path.certificates, of: certificates, ending: path.ending)
    lines += file.notes.map { [.dim("  note  "), .plain("\($0.place): \($0.text)")] }
    self.status = .success
    self.lines = lines
    self.json = [
      "target": .string(file.name), "status": .integer(0), "encoding": .string(file.encoding.rawValue),
      "certificates": .array(certificates.map { .certificate($0, full: true, now: now) }),
      "others": .array(
        file.others.map {
          [
            "kind": .string($0.kind.rawValue),
            "pin": .optional($0.publicKey.map { Pin(.publicKey, $0.sha256).description }),
          ]
        }),
      "path": .strings(path.certificates.map(\.sha256.hex)),
      "anchor": path.end == .unknown ? .null : .string(path.end.rawValue),
      "notes": .array(
        file.notes.map {
          ["code": .string($0.code.rawValue), "place": .string("\($0.place)"), "text": .string($0.text)]
        }),
    ]
  }

  private static func summary(of file: LoadedFile) -> String {
    let count = file.certificates.count
    guard count > 0 else { return "no certificate, \(file.encoding.rawValue.uppercased())" }
    let noun = count == 1 ? "certificate" : "certificates"
    return "\(count) \(noun) in \(file.encoding.rawValue.uppercased())"
  }

  /// The path as the names suggest it, if it says more than the order of the list.
  static func built(_ path: [Certificate], of certificates: [Certificate], ending: String = "") -> [[Span]] {
    guard path.count > 1 || certificates.count > 1 else { return [] }
    let steps = path.map { certificate in
      let place = certificates.firstIndex(of: certificate).map { "\($0)" } ?? "anchor"
      return "\(place) \(CertificateText.shortName(certificate))"
    }
    let isInOrder = path.elementsEqual(certificates)
    return [[.dim("  built "), .plain((isInOrder ? "in this order" : steps.joined(separator: " < ")) + ending)]]
  }
}
