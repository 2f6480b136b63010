// SPDX-License-Identifier: Apache-2.0
internal import Steelpin

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
    let outcome = try run(path) { [writer] (item) throws(CertificateError) in
      try writer.piece(of: item)
    } _: { (text, index) throws(LoadError) in
      if writer.format == .text, index > 0 { piece.append(10) }
      piece += text
      if piece.count >= Self.pieceSize {
        try emit(piece)
        piece.removeAll(keepingCapacity: true)
      }
    }
    try emit(piece)
    return outcome
  }

  /// Reads a file and hands out its certificates, each once: what their files are called by, and what those hold.
  ///
  /// The bytes are empty if they are not needed.
  package func forEachFile(
    of path: String, needsBytes: Bool, _ body: (CertificateLabel, [UInt8]) throws(LoadError) -> Void
  ) throws(LoadError) -> Outcome {
    try run(path) { [writer] (item) throws(CertificateError) in
      (label: try CertificateLabel(item), bytes: needsBytes ? Array(try writer.piece(of: item)) : [])
    } _: { (file, _) throws(LoadError) in
      try body(file.label, file.bytes)
    }
  }

  /// What a certificate became.
  private enum Converted<Output: Sendable>: Sendable {
    case output(Output)
    case root
  }

  /// Makes something of every certificate, and calls `body` with what is to be written and its index there.
  private func run<Output: Sendable>(
    _ path: String, _ transform: @Sendable (BundleStream.Item) throws(CertificateError) -> Output,
    _ body: (Output, Int) throws(LoadError) -> Void
  ) throws(LoadError) -> Outcome {
    var outcome = Outcome()
    var seen = DuplicateFilter()
    var stream = BundleStream(path)
    let leavesOutRoots = leavesOutRoots
    let others = try stream.forEach { (item) throws(CertificateError) -> (DuplicateFilter.Key, Converted<Output>) in
      let key = DuplicateFilter.Key(item.der)
      if leavesOutRoots || item.outline == nil {
        let certificate = try item.certificate()
        if leavesOutRoots, certificate.isSelfIssued { return (key, .root) }
      }
      return (key, .output(try transform(item)))
    } _: { (converted, _) throws(LoadError) in
      guard seen.insert(converted.0) else {
        outcome.duplicates += 1
        return
      }
      switch converted.1 {
      case .root: outcome.roots += 1
      case .output(let output):
        try body(output, outcome.count)
        outcome.count += 1
      }
    }
    for kind in others { outcome.others[kind, default: 0] += 1 }
    return outcome
  }

  private static let pieceSize = 1 << 18
}
