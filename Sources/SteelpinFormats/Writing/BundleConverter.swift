// SPDX-License-Identifier: Apache-2.0
import Steelpin

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
    var outcome = Outcome()
    var seen = DuplicateFilter()
    var piece: [UInt8] = []
    piece.reserveCapacity(Self.pieceSize + 16384)
    var stream = BundleStream(path)
    let others = try stream.forEach { (item) throws(LoadError) in
      guard seen.insert(item.der) else {
        outcome.duplicates += 1
        return
      }
      let certificate = try item.certificate()
      if leavesOutRoots, certificate.isSelfIssued {
        outcome.roots += 1
        return
      }
      append(item, certificate, isFirst: outcome.count == 0, to: &piece)
      outcome.count += 1
      if piece.count >= Self.pieceSize {
        try emit(piece)
        piece.removeAll(keepingCapacity: true)
      }
    }
    try emit(piece)
    for kind in others { outcome.others[kind, default: 0] += 1 }
    return outcome
  }

  private static let pieceSize = 1 << 18

  private func append(_ item: BundleStream.Item, _ certificate: Certificate, isFirst: Bool, to piece: inout [UInt8]) {
    switch writer.format {
    case .pins: writer.appendPin(certificate, to: &piece)
    case .text:
      if !isFirst { piece.append(10) }
      piece += CertificateDescription.text(of: certificate).utf8
    case .pem where item.isCanonical && !writer.hasComments:
      piece += item.text
      piece.append(10)
    default: writer.appendPEM(certificate, to: &piece)
    }
  }
}
