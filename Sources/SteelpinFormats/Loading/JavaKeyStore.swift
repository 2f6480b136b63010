// SPDX-License-Identifier: Apache-2.0
internal import Steelpin

/// The files of Java's key stores of type JKS and JCEKS: big-endian numbers, texts with their length, entries, and a
/// keyed SHA-1 at the end. Keys are stepped over.
enum JavaKeyStore {
  static let jksMagic: [UInt8] = [0xFE, 0xED, 0xFE, 0xED]
  static let jceksMagic: [UInt8] = [0xCE, 0xCE, 0xCE, 0xCE]

  struct Entry {
    enum Content {
      case certificate(type: String, Range<Int>)
      case privateKey
    }

    let alias: String
    let offset: Int
    let content: Content
  }

  struct Fault: Error {
    enum Reason {
      case damaged(String)
      case secretKey
    }

    let reason: Reason
    let offset: Int
  }

  /// All certificates of a store, those of a key's chain under the key's alias.
  static func entries(of bytes: [UInt8]) throws(Fault) -> [Entry] {
    guard bytes.count >= digestSize else { throw Fault(reason: .damaged("it is cut short"), offset: bytes.count) }
    var reader = Reader(bytes: bytes, position: 4, end: bytes.count - digestSize)
    let version = try reader.number(4)
    guard version == 1 || version == 2 else {
      throw Fault(reason: .damaged("version \(version) is unknown"), offset: 4)
    }
    let count = try reader.number(4)
    var entries: [Entry] = []
    for _ in 0..<count {
      let start = reader.position
      let tag = try reader.number(4)
      let alias = try reader.text()
      _ = try reader.range(8)
      switch tag {
      case 1:
        _ = try reader.range(reader.number(4))
        entries.append(Entry(alias: alias, offset: start, content: .privateKey))
        for _ in 0..<(try reader.number(4)) {
          entries.append(try reader.certificate(alias, hasType: version == 2))
        }
      case 2: entries.append(try reader.certificate(alias, hasType: version == 2))
      case 3: throw Fault(reason: .secretKey, offset: start)
      default: throw Fault(reason: .damaged("an entry of unknown type \(tag)"), offset: start)
      }
    }
    guard reader.position == reader.end else {
      throw Fault(reason: .damaged("bytes follow the last entry"), offset: reader.position)
    }
    return entries
  }

  /// Whether the digest at the end is that of the password and the rest (sun.security.provider.JavaKeyStore).
  static func isIntact(_ bytes: [UInt8], password: [UInt8]) -> Bool {
    var keyed = String(decoding: password, as: UTF8.self).utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    keyed += Array("Mighty Aphrodite".utf8)
    keyed += bytes.dropLast(digestSize)
    return SHA1.hash(keyed).elementsEqual(bytes.suffix(digestSize))
  }

  private static let digestSize = 20

  private struct Reader {
    let bytes: [UInt8]
    var position: Int
    let end: Int

    mutating func range(_ count: Int) throws(Fault) -> Range<Int> {
      guard count <= end - position else { throw Fault(reason: .damaged("it is cut short"), offset: position) }
      defer { position += count }
      return position..<position + count
    }

    /// A big-endian number of at most four bytes.
    mutating func number(_ size: Int) throws(Fault) -> Int {
      bytes[try range(size)].reduce(0) { $0 << 8 | Int($1) }
    }

    /// Text in Java's modified UTF-8, in which characters that are not valid are shown as such.
    mutating func text() throws(Fault) -> String { String(decoding: bytes[try range(number(2))], as: UTF8.self) }

    mutating func certificate(_ alias: String, hasType: Bool) throws(Fault) -> Entry {
      let start = position
      let type = hasType ? try text() : "X.509"
      return Entry(alias: alias, offset: start, content: .certificate(type: type, try range(number(4))))
    }
  }
}
