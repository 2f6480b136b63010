// SPDX-License-Identifier: Apache-2.0
package import Steelpin

/// Converts a bundle of any size in one pass: PEM in, and PEM, pins or a listing out, in the order of the file.
package struct BundleConverter {
  /// What came of it.
  package struct Outcome: Sendable {
    /// Certificates that were written.
    package var count = 0
    /// Certificates that stood in the file before, and were left out.
    package var duplicates = 0
    /// Self-issued certificates that were left out.
    package var roots = 0
    /// Things that are no certificates, by kind.
    package var others: [ItemKind: Int] = [:]
  }

  private let writer: CertificateWriter
  private let leavesOutRoots: Bool

  /// The formats that can be written piece by piece.
  package static let formats: Set<CertificateFormat> = [.pem, .pins, .text]

  /// A converter; the writer's format must be one of ``formats``.
  package init(_ writer: CertificateWriter, leavesOutRoots: Bool) {
    self.writer = writer
    self.leavesOutRoots = leavesOutRoots
  }

  /// Reads a file and hands the output to `emit` piece by piece; after an error it must be thrown away.
  package func convert(_ path: String, emit: ([UInt8]) throws(LoadError) -> Void) throws(LoadError) -> Outcome {
    var piece: [UInt8] = []
    piece.reserveCapacity(Self.pieceSize + 16384)
    let outcome = try run(path) { (item, certificate, index) throws(LoadError) in
      if let certificate {
        append(certificate, isFirst: index == 0, to: &piece)
      } else {
        piece += item.text
        piece.append(10)
      }
      if piece.count >= Self.pieceSize {
        try emit(piece)
        piece.removeAll(keepingCapacity: true)
      }
    }
    try emit(piece)
    return outcome
  }

  /// Reads a file and hands out its certificates, each once.
  package func forEachCertificate(
    of path: String, _ body: (Certificate) throws(LoadError) -> Void
  ) throws(LoadError) -> Outcome {
    try run(path) { (item, certificate, _) throws(LoadError) in
      if let certificate { try body(certificate) } else { try body(item.certificate()) }
    }
  }

  /// Calls `body` for every certificate that is to be written, with its index among them. The certificate is nil if it
  /// goes out as it came in, and need not be parsed.
  private func run(
    _ path: String, _ body: (BundleStream.Item, Certificate?, Int) throws(LoadError) -> Void
  ) throws(LoadError) -> Outcome {
    var outcome = Outcome()
    var seen = DuplicateFilter()
    var stream = BundleStream(path)
    let others = try stream.forEach { (item) throws(LoadError) in
      guard seen.insert(item.der) else {
        outcome.duplicates += 1
        return
      }
      var certificate: Certificate?
      if !copies || !item.isCanonical || !item.isProved {
        let parsed = try item.certificate()
        if leavesOutRoots, parsed.isSelfIssued {
          outcome.roots += 1
          return
        }
        certificate = parsed
      }
      try body(item, certificate, outcome.count)
      outcome.count += 1
    }
    for kind in others { outcome.others[kind, default: 0] += 1 }
    return outcome
  }

  private static let pieceSize = 1 << 18

  /// Whether a certificate goes out as it came in, if its text is in the right form.
  private var copies: Bool { writer.format == .pem && !writer.hasComments && !leavesOutRoots }

  private func append(_ certificate: Certificate, isFirst: Bool, to piece: inout [UInt8]) {
    switch writer.format {
    case .pins: writer.appendPin(certificate, to: &piece)
    case .text:
      if !isFirst { piece.append(10) }
      piece += CertificateDescription.text(of: certificate).utf8
    default: writer.appendPEM(certificate, to: &piece)
    }
  }
}
