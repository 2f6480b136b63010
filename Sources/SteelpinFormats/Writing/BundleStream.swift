// SPDX-License-Identifier: Apache-2.0
private import Glibc
package import Steelpin

/// Goes through the blocks of a PEM file of any size in one pass and bounded memory.
package struct BundleStream {
  private let path: String
  private let name: String
  private var blockCount = 0
  private var line = 1
  /// The offset in the file of the first byte in `buffer`.
  private var offset = 0
  /// The bytes that were read and not gone through, and room for more.
  private var buffer = [UInt8](repeating: 0, count: Self.chunkSize)
  private var filled = 0
  private var canonical = CanonicalBlocks()

  /// The most bytes that one block, with the text before it, may have.
  private static let blockLimit = 8 << 20
  private static let chunkSize = 1 << 20

  /// A stream over a file, or over standard input for `-`.
  package init(_ path: String) {
    self.path = path
    self.name = FileReader.name(of: path)
  }

  /// One certificate as it stood in the file.
  package struct Item {
    /// Its DER, checked to be exactly one certificate by its outer structure.
    package let der: ArraySlice<UInt8>
    /// Where it stood.
    package let place: FilePlace
    /// Whether its text is what ``CertificateWriter`` would write, so that it can be copied.
    package let isCanonical: Bool
    /// Whether it is known that ``certificate()`` will succeed.
    package let isProved: Bool
    /// The text from its BEGIN line to its END line.
    package let text: ArraySlice<UInt8>

    /// The certificate, parsed.
    package func certificate() throws(LoadError) -> Certificate {
      do throws(CertificateError) {
        return try Certificate(der: Array(der))
      } catch {
        throw LoadError(
          .malformedCertificate, place, "the certificate is damaged: \(error)", remedy: "get it again from its source")
      }
    }
  }

  /// Calls `body` with every certificate; things that are no certificates are counted and returned.
  ///
  /// Throws ``LoadError`` at the first block that is damaged: whoever writes while this runs must discard it then.
  package mutating func forEach(_ body: (Item) throws(LoadError) -> Void) throws(LoadError) -> [ItemKind] {
    let descriptor = path == "-" ? STDIN_FILENO : unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemFault.reading(path, errno) }
    defer { if path != "-" { close(descriptor) } }
    var others: [ItemKind] = []
    while true {
      let count = try fill(from: descriptor)
      let end = count == 0 ? filled : endOfLastBlock() ?? 0
      if end > 0 {
        try scan(upTo: end, &others, body)
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

  /// Reads more; returns the number of bytes, 0 at the end.
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

  /// Goes through whole blocks: those in the one form that most bundles have at the speed of memory, and from the first
  /// other one on with the scanner that knows every form.
  private mutating func scan(
    upTo end: Int, _ others: inout [ItemKind], _ body: (Item) throws(LoadError) -> Void
  ) throws(LoadError) {
    let bytes = buffer
    var position = 0
    while position < end {
      let byte = bytes[position]
      // A hyphen, or the first byte of a dash that a word processor puts in its place.
      guard byte == UInt8(ascii: "-") || byte == 0xE2 else {
        position += 1
        // A carriage return alone ends a line, too; before a line feed it is part of one.
        if byte == 10 || byte == 13 && !(position < end && bytes[position] == 10) { line += 1 }
        continue
      }
      let next = canonical.read(bytes.span.extracting(0..<end), at: position)
      let content = canonical.content
      guard let next, CertificateOutline.isCertificate(content.span) else {
        return try scanAnyForm(from: position, to: end, &others, body)
      }
      blockCount += 1
      let place = FilePlace(file: name, block: blockCount, offset: offset + position, line: line)
      // The line break is no part of the text.
      try body(
        Item(
          der: content, place: place, isCanonical: true, isProved: true, text: bytes[position..<next - 1]))
      line += canonical.lineCount
      position = next
    }
  }

  private mutating func scanAnyForm(
    from start: Int, to end: Int, _ others: inout [ItemKind], _ body: (Item) throws(LoadError) -> Void
  ) throws(LoadError) {
    let piece = Array(buffer[start..<end])
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
            file: name, block: number > 0 ? number : nil, offset: offset + start + error.offset, line: error.line,
            column: error.column), error.what, remedy: error.remedy)
      }
      let place = FilePlace(
        file: name, block: blockCount + scanner.blockCount, offset: offset + start + block.start, line: block.line)
      try take(block, piece, place, &others, body)
    }
    blockCount += scanner.blockCount
    line = scanner.currentLine
  }

  private func take(
    _ block: PEMBlock, _ piece: [UInt8], _ place: FilePlace, _ others: inout [ItemKind],
    _ body: (Item) throws(LoadError) -> Void
  ) throws(LoadError) {
    if case .item(let kind) = DERContent(of: block.content[...]) { return others.append(kind) }
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
      for loaded in file.certificates {
        try body(
          Item(der: loaded.certificate.der[...], place: place, isCanonical: false, isProved: true, text: []))
      }
      return others += file.others.map(\.kind)
    }
    let text = piece[block.start..<block.end]
    var reader = canonical
    let line = text + [10]
    let isCanonical = reader.read(line.span, at: 0) != nil
    try body(Item(der: der, place: place, isCanonical: isCanonical, isProved: false, text: text))
  }
}
