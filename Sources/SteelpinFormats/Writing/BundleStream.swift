// SPDX-License-Identifier: Apache-2.0
private import Glibc
package import Steelpin

/// Goes through the blocks of a PEM file of any size in one pass and bounded memory.
package struct BundleStream {
  private let path: String
  private let name: String
  private var blockCount = 0
  private var line = 1
  private var offset = 0

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
    package let der: [UInt8]
    /// Where it stood.
    package let place: FilePlace
    /// Whether its text is what ``CertificateWriter`` would write, so that it can be copied.
    package let isCanonical: Bool
    /// The text from its BEGIN line to its END line.
    package let text: ArraySlice<UInt8>

    /// The certificate, parsed.
    package func certificate() throws(LoadError) -> Certificate {
      do throws(CertificateError) {
        return try Certificate(der: der)
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
    var pending: [UInt8] = []
    while true {
      let start = pending.count
      pending += [UInt8](repeating: 0, count: Self.chunkSize)
      let count = unsafe pending.withUnsafeMutableBytes { bytes in
        unsafe read(descriptor, bytes.baseAddress?.advanced(by: start), bytes.count - start)
      }
      pending.removeSubrange((start + max(0, count))...)
      if count < 0 {
        if errno == EINTR { continue }
        throw SystemFault.reading(path, errno)
      }
      let end = count == 0 ? pending.count : Self.endOfLastBlock(in: pending) ?? 0
      if end > 0 {
        let rest = Array(pending[end...])
        pending.removeSubrange(end...)
        try scan(pending, &others, body)
        pending = rest
      }
      if count == 0 { break }
      guard pending.count <= Self.blockLimit else {
        throw LoadError(
          .tooLarge, FilePlace(file: name, offset: offset, line: line),
          "there is no PEM block in \(Self.blockLimit >> 20) MiB from here",
          remedy: "check that it is the file you mean")
      }
    }
    guard blockCount > 0 else { throw ContentErrors.unknown(pending, FilePlace(file: name)) }
    return others
  }

  private mutating func scan(
    _ piece: [UInt8], _ others: inout [ItemKind], _ body: (Item) throws(LoadError) -> Void
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
            file: name, block: number > 0 ? number : nil, offset: offset + error.offset, line: error.line,
            column: error.column), error.what, remedy: error.remedy)
      }
      let place = FilePlace(
        file: name, block: blockCount + scanner.blockCount, offset: offset + block.start, line: block.line)
      try take(block, piece, place, &others, body)
    }
    blockCount += scanner.blockCount
    line = scanner.currentLine
    offset += piece.count
  }

  private func take(
    _ block: PEMBlock, _ piece: [UInt8], _ place: FilePlace, _ others: inout [ItemKind],
    _ body: (Item) throws(LoadError) -> Void
  ) throws(LoadError) {
    if case .item(let kind) = DERContent(of: block.content[...]) { return others.append(kind) }
    let isTrusted = block.label.elementsEqual("TRUSTED CERTIFICATE".utf8)
    var der = block.content
    if isTrusted, let header = try? BERReader.header(of: der[...]), let length = header.length {
      der.removeSubrange((header.contentStart + length)...)
    }
    guard DERContent(of: der[...]) == .certificate, let header = try? BERReader.header(of: der[...]),
      let length = header.length, header.contentStart + length == der.count
    else {
      // Whatever else it is, the loader says it best.
      let file = try CertificateLoader().examine(Array(piece[block.start..<block.end]), name: name)
      for loaded in file.certificates {
        try body(Item(der: loaded.certificate.der, place: place, isCanonical: false, text: []))
      }
      return others += file.others.map(\.kind)
    }
    try body(
      Item(
        der: der, place: place, isCanonical: !isTrusted && Self.isCanonical(block, piece),
        text: piece[block.start..<block.end]))
  }

  /// Whether the text has lines of 64 columns with LF alone, which its length and traits tell.
  private static func isCanonical(_ block: PEMBlock, _ piece: [UInt8]) -> Bool {
    guard block.traits.isEmpty, block.label.elementsEqual("CERTIFICATE".utf8) else { return false }
    let characters = (block.content.count + 2) / 3 * 4
    let body = characters + (characters + 63) / 64
    let first = block.start + 28
    guard block.end - block.start == 27 + 1 + body + 25, piece[first - 1] == 10 else { return false }
    for end in stride(from: first + 64, to: first + body, by: 65) where piece[end] != 10 { return false }
    return true
  }

  /// The offset behind the last line that ends a block; nil if there is none.
  private static func endOfLastBlock(in bytes: [UInt8]) -> Int? {
    let mark = Array("-----END ".utf8)
    guard let lineEnd = bytes.lastIndex(of: 10) else { return nil }
    var start = lineEnd - mark.count
    while start >= 0 {
      if bytes[start] == mark[0], bytes[start...].starts(with: mark) {
        return bytes[start...].firstIndex(of: 10).map { $0 + 1 }
      }
      start -= 1
    }
    return nil
  }
}
