// SPDX-License-Identifier: Apache-2.0
private import Glibc
package import Steelpin

/// Goes through the blocks of a PEM file of any size in one pass and bounded memory, on all processors.
///
/// What was read is cut behind ends of blocks, and the pieces are worked on at once; what comes of them is handed out in
/// the order of the file. A piece that is not all in the one form that most bundles have is read again by the scanner
/// that knows every form, and faults are always found and told by that one.
package struct BundleStream {
  private let path: String
  private let name: String
  private var blockCount = 0
  private var line = 1
  /// The offset in the file of the first byte in `buffer`.
  private var offset = 0
  /// The bytes that were read and not gone through, and room for more.
  private var buffer: [UInt8]
  private var filled = 0
  private let pieceSize: Int

  /// The most bytes that one block, with the text before it, may have.
  private static let blockLimit = 8 << 20
  /// As many pieces of usual size are read at once.
  private static let pieceCount = 16

  /// A stream over a file, or over standard input for `-`. Each thread takes pieces of about so many bytes.
  package init(_ path: String, pieceSize: Int = 1 << 18) {
    self.path = path
    self.name = FileReader.name(of: path)
    self.pieceSize = pieceSize
    self.buffer = [UInt8](repeating: 0, count: max(1 << 20, pieceSize * Self.pieceCount))
  }

  /// One certificate as it stood in the file.
  package struct Item: Sendable {
    /// Its DER, checked to be exactly one certificate by its outer structure; its indices start with 0.
    package let der: ArraySlice<UInt8>
    /// Whether its text is what ``CertificateWriter`` would write, so that it can be copied.
    package let isCanonical: Bool
    /// Where its parts are, if it is known that ``certificate()`` will succeed.
    package let outline: CertificateOutline?
    /// The text from its BEGIN line to its END line, with the line break.
    package let text: ArraySlice<UInt8>

    /// The certificate, parsed.
    package func certificate() throws(CertificateError) -> Certificate { try Certificate(der: Array(der)) }
  }

  /// Makes something of every certificate, on any thread, and calls `body` with it and its place, in the order of the
  /// file; things that are no certificates are counted and returned.
  ///
  /// Throws ``LoadError`` at the first block that is damaged: whoever writes while this runs must discard it then.
  package mutating func forEach<Output: Sendable>(
    _ transform: @Sendable (Item) throws(CertificateError) -> Output,
    _ body: (Output, FilePlace) throws(LoadError) -> Void
  ) throws(LoadError) -> [ItemKind] {
    let descriptor = path == "-" ? STDIN_FILENO : unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemFault.reading(path, errno) }
    defer { if path != "-" { close(descriptor) } }
    var others: [ItemKind] = []
    while true {
      let count = try fill(from: descriptor)
      let end = count == 0 ? filled : endOfLastBlock() ?? 0
      if end > 0 {
        try work(upTo: end, &others, transform, body)
        drop(end)
      }
      if count == 0 { break }
      guard filled <= Self.blockLimit else {
        throw LoadError(
          .tooLarge, FilePlace(file: name, offset: offset, line: line),
          "there is no PEM block in \(Self.blockLimit >> 20) MiB from here",
          remedy: "check that it is the file you mean")
      }
    }
    guard blockCount > 0 else { throw ContentErrors.unknown(Array(buffer[..<filled]), FilePlace(file: name)) }
    return others
  }

  // MARK: The buffer

  /// Reads more, as much as there is room for if it comes at once; returns the number of bytes, 0 at the end.
  private mutating func fill(from descriptor: CInt) throws(LoadError) -> Int {
    if filled == buffer.count { buffer += [UInt8](repeating: 0, count: buffer.count) }
    while true {
      let start = filled
      let count = unsafe buffer.withUnsafeMutableBytes { bytes in
        unsafe read(descriptor, bytes.baseAddress?.advanced(by: start), bytes.count - start)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw SystemFault.reading(path, errno) }
      filled += count
      return count
    }
  }

  /// Forgets the first bytes.
  private mutating func drop(_ count: Int) {
    let rest = filled - count
    unsafe buffer.withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress, rest > 0 else { return }
      unsafe memmove(start, start + count, rest)
    }
    filled = rest
    offset += count
  }

  /// The offset behind the last line that ends a block; nil if there is none.
  private func endOfLastBlock() -> Int? {
    let mark = Array("-----END ".utf8)
    guard let lineEnd = buffer[..<filled].lastIndex(of: 10) else { return nil }
    var start = lineEnd - mark.count
    while start >= 0 {
      if buffer[start] == mark[0], buffer[start...].starts(with: mark) {
        return buffer[start...].firstIndex(of: 10).map { $0 + 1 }
      }
      start -= 1
    }
    return nil
  }

  // MARK: Blocks

  private mutating func work<Output: Sendable>(
    upTo end: Int, _ others: inout [ItemKind], _ transform: @Sendable (Item) throws(CertificateError) -> Output,
    _ body: (Output, FilePlace) throws(LoadError) -> Void
  ) throws(LoadError) {
    let bytes = buffer
    let ranges = BundlePiece<Output>.cut(bytes.span.extracting(0..<end), size: pieceSize)
    let pieces = Parallel.map(ranges.count) { BundlePiece(bytes, ranges[$0], transform) }
    for (range, piece) in zip(ranges, pieces) {
      guard let piece else {
        try scan(Array(bytes[range]), at: offset + range.lowerBound, &others, transform, body)
        continue
      }
      for entry in piece.entries {
        blockCount += 1
        let place = FilePlace(file: name, block: blockCount, offset: offset + entry.offset, line: line + entry.line)
        try body(entry.output, place)
      }
      line += piece.lineCount
    }
  }

  /// Goes through whole blocks with the scanner that knows every form.
  private mutating func scan<Output>(
    _ piece: [UInt8], at start: Int, _ others: inout [ItemKind],
    _ transform: (Item) throws(CertificateError) -> Output, _ body: (Output, FilePlace) throws(LoadError) -> Void
  ) throws(LoadError) {
    var scanner = PEMScanner(piece, line: line)
    while true {
      let block: PEMBlock
      do throws(PEMFault) {
        guard let next = try scanner.next() else { break }
        block = next
      } catch {
        let number = blockCount + scanner.blockCount
        throw LoadError(
          error.code,
          FilePlace(
            file: name, block: number > 0 ? number : nil, offset: start + error.offset, line: error.line,
            column: error.column), error.what, remedy: error.remedy)
      }
      let place = FilePlace(
        file: name, block: blockCount + scanner.blockCount, offset: start + block.start, line: block.line)
      for item in try items(of: block, piece, &others) {
        let output: Output
        do throws(CertificateError) {
          output = try transform(item)
        } catch {
          throw LoadError(
            .malformedCertificate, place, "the certificate is damaged: \(error)", remedy: "get it again from its source"
          )
        }
        try body(output, place)
      }
    }
    blockCount += scanner.blockCount
    line = scanner.currentLine
  }

  /// The certificates of a block: one, but for containers.
  private func items(
    of block: PEMBlock, _ piece: [UInt8], _ others: inout [ItemKind]
  ) throws(LoadError) -> [Item] {
    if case .item(let kind) = DERContent(of: block.content[...]) {
      others.append(kind)
      return []
    }
    let isTrusted = block.label.elementsEqual("TRUSTED CERTIFICATE".utf8)
    var der = block.content[...]
    if isTrusted, let header = try? BERReader.header(of: der), let length = header.length {
      der = der.prefix(header.contentStart + length)
    }
    guard DERContent(of: der) == .certificate, let header = try? BERReader.header(of: der),
      let length = header.length, header.contentStart + length == der.count
    else {
      // Whatever else it is, the loader says it best.
      let file = try CertificateLoader().examine(Array(piece[block.start..<block.end]), name: name)
      others += file.others.map(\.kind)
      return file.certificates.map { Item(der: $0.certificate.der[...], isCanonical: false, outline: nil, text: []) }
    }
    let end = block.end < piece.count && piece[block.end] == 10 ? block.end + 1 : block.end
    var reader = CanonicalBlocks()
    let isCanonical = reader.read(piece.span, at: block.start) == end
    return [Item(der: der, isCanonical: isCanonical, outline: nil, text: piece[block.start..<end])]
  }
}
